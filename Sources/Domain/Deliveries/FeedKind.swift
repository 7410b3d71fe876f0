/// The kind of rows that a feed delivers. The raw values are the words of configuration and reports.
public enum FeedKind: String, Sendable, CaseIterable, Codable, CodingKeyRepresentable {
    case orders, credits, transactions, receipts, acks, products
    case orderLookups = "order-lookups"
    case appleFinance = "apple-finance"
}
