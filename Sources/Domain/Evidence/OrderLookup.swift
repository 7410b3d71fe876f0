/// Links the order id of Apple's receipt e-mails (`M…`) to a transaction of that order.
/// See docs/spec/app-store.md#order-lookups.
public struct OrderLookup: Equatable, Sendable {
    /// The order id as the customer knows it.
    public var emailedOrder: Identifier
    /// The transaction's id; nil if Apple answered that the id names no order of the app.
    public var transaction: Identifier?
    public var source: Provenance

    public init(emailedOrder: Identifier, transaction: Identifier?, source: Provenance = .none) {
        (self.emailedOrder, self.transaction, self.source) = (emailedOrder, transaction, source)
    }
}
