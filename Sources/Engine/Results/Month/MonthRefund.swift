public import Domain

/// A refund within the month, or one that Apple reversed within it.
public struct MonthRefund: Hashable, Sendable, Codable {
    /// How much was refunded.
    public enum Kind: String, Sendable, Codable, CaseIterable {
        case full, partial
        /// Apple's newer record shows less of the refund, or none: Apple charged the customer after all.
        case reversed
    }
    /// The transaction id of the purchase.
    public var transaction: String
    /// The product id.
    public var product: String
    /// Three letters; empty where it is unknown.
    public var storefront: String
    /// The owner; nil if unknown.
    public var account: String?
    /// When the customer bought it.
    public var purchasedAt: Instant
    /// When Apple refunded the purchase.
    public var revokedAt: Instant
    /// When Apple signed the record that shows less of a refund, or none; nil unless the refund was reversed.
    public var takenBackAt: Instant?
    /// Full, partial or reversed.
    public var kind: Kind
    /// Apple's code: 0 other, 1 an issue within the app. Nil if Apple gave none.
    public var reason: Int32?
    /// The share refunded in thousandths of a percent; nil if Apple's record does not say.
    public var percentage: Int32?
    /// The customer price; nil if unknown.
    public var price: Money?
    /// The part of the price that was refunded, or that Apple took back. Nil if unknown.
    public var amount: Money?
    /// The subject's verdict as of the report.
    public var verdict: Verdict
    public var cause: Cause
}
