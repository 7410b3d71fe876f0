/// A refund that tonight's evidence reported, for the Refunds sheet.
public struct RefundLine: Hashable, Sendable, Codable {
    public enum Kind: String, Sendable, Codable, CaseIterable {
        case full, partial
        /// Family Sharing ended: no money was returned.
        case family
    }
    public var transaction: String
    public var product: String
    /// The owner; nil if unknown.
    public var account: String?
    public var purchasedAt: Instant
    public var revokedAt: Instant
    /// Apple's code: 0 other, 1 an issue within the app. Nil if Apple gave none.
    public var reason: Int32?
    public var kind: Kind
    /// The share refunded in thousandths of a percent; nil if Apple's record does not say.
    public var percentage: Int32?
    /// What the purchase is worth (see `Judgement.amount`), not the share refunded; nil if unknown.
    public var amount: Money?
    public var verdict: Verdict
    public var cause: Cause

    /// A line without a refund, whose fields are set one by one.
    public static let blank = RefundLine(
        transaction: "", product: "", purchasedAt: .absent, revokedAt: .absent, kind: .full, verdict: .matched,
        cause: .none)
}
