/// The relation of Apple's e-mailed order id (`M…`) to the transactions of that order. APPLE §4.
public struct OrderLookup: Equatable, Sendable {
    public var emailedOrder: Identifier
    public var transaction: Identifier
    public var source: Provenance

    public init(emailedOrder: Identifier, transaction: Identifier, source: Provenance = .none) {
        self.emailedOrder = emailedOrder
        self.transaction = transaction
        self.source = source
    }
}
