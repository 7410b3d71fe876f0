/// What one product moved in one storefront and currency.
public struct SalesLine: Hashable, Sendable, Codable {
    public var product: String
    /// Three letters as Apple writes it; empty where nobody knows it.
    public var storefront: String
    public var currency: String
    public var unitsSold: Int64
    public var unitsRefunded: Int64
    public var movements: Movements

    public init(
        product: String, storefront: String, currency: String, unitsSold: Int64, unitsRefunded: Int64,
        movements: Movements
    ) {
        self.product = product
        self.storefront = storefront
        self.currency = currency
        self.unitsSold = unitsSold
        self.unitsRefunded = unitsRefunded
        self.movements = movements
    }
}
