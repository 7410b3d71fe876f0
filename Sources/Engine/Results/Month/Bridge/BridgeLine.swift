/// One product, country, currency and kind: the ledger's figure, Apple's figure, and what explains the difference.
public struct BridgeLine: Hashable, Sendable, Codable {
    /// Sales or returns, by the letters that Apple's report has for them.
    public enum Kind: String, Sendable, Codable, CaseIterable, Comparable {
        case sales = "S"
        case returns = "R"

        /// Sales come first.
        public static func < (left: Kind, right: Kind) -> Bool { left == .sales && right == .returns }
    }
    public var product: String
    /// Two letters, as in Apple's report. The storefront's own code where no two-letter code is known. Empty for all
    /// countries together, because the storefront of some purchases is not on record.
    public var country: String
    /// The customer's currency; empty where the ledger knows no price.
    public var currency: Currency
    /// Units and value of returns are negative, as in Apple's report.
    public var kind: Kind
    public var ledger = UnitsAndValue()
    /// The sum of the rows in Apple's reports.
    public var apple = UnitsAndValue()
    /// How much of the difference each step explains; steps that explain nothing are left out.
    public var steps: [BridgeStep: UnitsAndValue] = [:]
    /// What is in transit at the end of Apple's period, and what was never collected so far, by the time of sale.
    public var aging: [InTransit] = []
    /// What Apple has and the ledger has not.
    @OmittedIfEmpty public var inExcess: [InExcess] = []
    /// What Apple's sums have, taken from estimates at another price, or from sales that may have been in transit: either these
    /// are wrong, or were in transit, or the ledger lacks sales. Also, with a day, by how much the price of a row differs
    /// from that of the day's sales.
    @OmittedIfEmpty public var undecided: [InExcess] = []
    /// What was in transit, or is missing in the ledger.
    public var withheld: UnitsAndValue {
        undecided.filter { $0.isWithheld != nil }.reduce(UnitsAndValue()) { $0 + $1.sum }
    }
    /// What is in transit for longer than in the ordinary way.
    public var late: UnitsAndValue {
        aging.filter { $0.isLate && !$0.isNeverCollected }.reduce(UnitsAndValue()) { $0 + $1.sum }
    }
    /// What was in transit beyond the usual delay at every closing for 90 days.
    public var steady: UnitsAndValue { aging.filter(\.isSteady).reduce(UnitsAndValue()) { $0 + $1.sum } }

    public func minor(of step: BridgeStep) -> Int64 { steps[step]?.minor ?? 0 }

    public var difference: UnitsAndValue { ledger - apple }
    public var explained: UnitsAndValue { steps.values.reduce(UnitsAndValue(), +) }
    /// The part of the difference that no step explains. It is what finance has to follow up.
    public var unexplained: UnitsAndValue { difference - explained }
}
