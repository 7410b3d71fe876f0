/// What a feed delivers.
public enum FeedKind: String, Sendable, CaseIterable, Codable {
    case orders, credits, transactions, receipts, acks, products
    case orderLookups = "order-lookups"
    case appleFinance = "apple-finance"
}
