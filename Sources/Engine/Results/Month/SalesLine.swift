/// What moved for one product, storefront and currency.
public struct SalesLine: Hashable, Sendable, Codable {
    public var product: String
    /// Three letters, as in Apple's records. Empty where it is unknown.
    public var storefront: String
    /// ISO 4217, three letters. Empty where the price is unknown.
    public var currency: Currency
    public var unitsSold: Int64
    public var unitsRefunded: Int64
    /// Pieces whose refund Apple took back.
    public var unitsRefundReversed: Int64 = 0
    /// The app's bundle id. Empty where there is one app, or where it is unknown.
    public var bundle = ""
    public var movements: Movements
}
