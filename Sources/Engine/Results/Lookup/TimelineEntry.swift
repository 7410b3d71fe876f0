/// One event in the evidence. A record may give more than one.
public struct TimelineEntry: Sendable {
    /// What happened, with the record that says so.
    public enum Event: Sendable {
        /// An order was created.
        case order(Order)
        /// An order was last changed.
        case orderUpdate(Order)
        /// Goods were given or taken back.
        case credit(Credit)
        case purchase(Transaction)
        case revocation(Transaction, Revocation)
        /// Apple undid a refund: a later version lacks it.
        case refundReversed(Transaction)
        case receipt(Receipt)
    }
    public var at: Instant
    public var event: Event
    /// The file and the line on which the record begins.
    public var source: String
    public var line: Int
    /// A purchase of a later period of a subscription.
    public var isLaterPeriod = false

    /// The kind of evidence, as written to JSON.
    public var kind: String {
        switch event {
        case .order, .orderUpdate: "order"
        case .credit(let credit): credit.kind.rawValue
        case .purchase: "transaction"
        case .revocation: "revocation"
        case .refundReversed: "refund_reversed"
        case .receipt: "receipt"
        }
    }

    public var id: String {
        switch event {
        case .order(let order), .orderUpdate(let order): order.id.text
        case .credit(let credit): credit.id.text
        case .purchase(let transaction), .revocation(let transaction, _), .refundReversed(let transaction):
            transaction.id.text
        case .receipt(let receipt): receipt.id
        }
    }

    /// Orders by time; events at the same instant have a fixed order.
    public func precedes(_ other: TimelineEntry) -> Bool {
        if at != other.at { return at < other.at }
        return (kind, id, source, line) < (other.kind, other.id, other.source, other.line)
    }
}
