public import Domain
public import ReportData

/// What tonight's files contain.
public struct Delivered: Sendable {
    /// All evidence, and the rows of products, acknowledgements and order look-ups.
    public var evidence = Evidence()
    /// The files read.
    public var deliveries: [Delivery] = []
    /// The rows that cannot be used.
    public var rejects: [RejectLine] = []
    /// The SHA-256 of each signature that was verified tonight, so that no later night has to verify it again.
    public var verified: [Digest256] = []
    /// The feeds that delivered, by name, and for which dates.
    public var arrivals: [(feed: String, date: BusinessDate)] = []
    /// Refused files of feeds that are not required.
    public var refusals: [CoverageGap] = []
    /// How many files match a feed but were imported before.
    public var filesSkipped = 0
    /// The number of tonight's first delivery. Evidence of this and later deliveries is new.
    public var firstDelivery: DeliveryID = 1

    public init() {}

    /// Moves orders, credits, transactions and receipts out. Products, acknowledgements and order look-ups stay.
    mutating func takeRows() -> Evidence {
        var rows = evidence.take()
        swap(&rows.products, &evidence.products)
        swap(&rows.acknowledgements, &evidence.acknowledgements)
        swap(&rows.orderLookups, &evidence.orderLookups)
        return rows
    }
}
