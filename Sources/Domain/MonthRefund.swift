/// A refund of the month, or one that was taken back again.
public struct MonthRefund: Hashable, Sendable, Codable {
    public enum Kind: String, Sendable, Codable, CaseIterable {
        case full, partial
        /// Apple's newer record shows no refund any more: the money came back.
        case reversed
    }
    public var transaction: String
    public var product: String
    public var storefront: String
    public var account: String?
    /// Milliseconds since 1970, UTC.
    public var purchasedAt: Int64
    public var revokedAt: Int64
    /// When Apple signed the record without it.
    public var takenBackAt: Int64?
    public var kind: Kind
    /// Apple's code: 0 other, 1 an issue within the app.
    public var reason: Int32?
    /// Thousandths of a percent.
    public var percentage: Int32?
    /// The customer price.
    public var price: Amount?
    /// What the month's refunds hold of it; nil where that is unknown, or nothing since it was taken back.
    public var amount: Amount?
    public var verdict: Verdict
    public var cause: Cause

    public init(
        transaction: String, product: String, storefront: String, purchasedAt: Int64, revokedAt: Int64, kind: Kind,
        verdict: Verdict, cause: Cause
    ) {
        self.transaction = transaction
        self.product = product
        self.storefront = storefront
        self.purchasedAt = purchasedAt
        self.revokedAt = revokedAt
        self.kind = kind
        self.verdict = verdict
        self.cause = cause
    }
}
