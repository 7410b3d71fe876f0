/// The kind of rows that a feed delivers. The raw values are the words of configuration and reports.
public enum FeedKind: String, Sendable, CaseIterable, Codable, CodingKeyRepresentable {
    case orders, credits, transactions, receipts, acks, products
    case orderLookups = "order-lookups"
    case appleFinance = "apple-finance"

    /// The kinds whose rows say what was ordered, paid and given.
    public static let evidence: [FeedKind] = [.orders, .credits, .transactions, .receipts]

    /// The rows of such a feed stay valid until they are changed, so an unchanged file counts as delivered. A file of
    /// any other feed has only arrived if it was written since.
    public var isList: Bool { self == .products || self == .orderLookups || self == .acks }
}
