/// One product, country, currency and kind on both sides.
public struct BridgeLine: Hashable, Sendable, Codable {
    public var product: String
    /// Two letters as Apple's report has it; empty where the ledger knows none.
    public var country: String
    public var currency: String
    /// `S` or `R`; of returns, units and value are negative, as Apple's are.
    public var kind: String
    public var ledger = UnitsAndValue()
    public var apple = UnitsAndValue()
    public var steps: [BridgeStep: UnitsAndValue] = [:]

    public init(product: String, country: String, currency: String, kind: String) {
        self.product = product
        self.country = country
        self.currency = currency
        self.kind = kind
    }

    public var difference: UnitsAndValue { ledger - apple }
    public var explained: UnitsAndValue { steps.values.reduce(UnitsAndValue(), +) }
    public var unexplained: UnitsAndValue { difference - explained }
}
