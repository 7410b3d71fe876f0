/// How many purchases of one date reached the customer in one way, and what they are worth.
public struct PurchaseLine: Hashable, Sendable, Codable {
    public var date: BusinessDate
    public var fulfilment: Fulfilment
    /// How many purchases, including those without a price.
    public var count: Int
    /// Their worth, sorted by currency.
    public var amounts: [Money]
}
