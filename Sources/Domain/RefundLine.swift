/// A refund that tonight's evidence told of, for the Refunds sheet.
public struct RefundLine: Hashable, Sendable, Codable {
    public var transaction: String
    public var product: String
    public var account: String?
    /// Milliseconds since 1970, UTC.
    public var purchasedAt: Int64
    public var revokedAt: Int64
    /// Apple's code: 0 other, 1 an issue within the app.
    public var reason: Int32?
    /// `full`, `partial` or `family`.
    public var kind: String
    /// Thousandths of a percent.
    public var percentage: Int32?
    public var amount: Amount?
    public var verdict: Verdict
    public var cause: Cause

    public init(
        transaction: String, product: String, account: String?, purchasedAt: Int64, revokedAt: Int64, reason: Int32?,
        kind: String, percentage: Int32?, amount: Amount?, verdict: Verdict, cause: Cause
    ) {
        self.transaction = transaction
        self.product = product
        self.account = account
        self.purchasedAt = purchasedAt
        self.revokedAt = revokedAt
        self.reason = reason
        self.kind = kind
        self.percentage = percentage
        self.amount = amount
        self.verdict = verdict
        self.cause = cause
    }
}
