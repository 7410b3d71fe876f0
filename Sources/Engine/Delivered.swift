public import Domain

/// What tonight's files hold.
public struct Delivered: Sendable {
    public var evidence = Evidence()
    public var deliveries: [Delivery] = []
    public var rejects: [RejectLine] = []
    /// SHA-256 of signatures verified now.
    public var verified: [Digest256] = []
    /// The feeds, by name, that delivered, and for which date.
    public var arrivals: [(feed: String, date: BusinessDate)] = []
    /// Files of feeds that are not required which were refused.
    public var refusals: [CoverageGap] = []
    /// Files that match and were imported before.
    public var filesSkipped = 0
    /// The number of tonight's first delivery: evidence from it on is new.
    public var firstDelivery: Int32 = 1

    public init() {}

    /// Hands over orders, credits, transactions and receipts, which are then no longer here. Products, acknowledgements
    /// and order look-ups stay.
    mutating func takeRows() -> Evidence {
        var rows = evidence.take()
        swap(&rows.products, &evidence.products)
        swap(&rows.acknowledgements, &evidence.acknowledgements)
        swap(&rows.orderLookups, &evidence.orderLookups)
        return rows
    }
}
