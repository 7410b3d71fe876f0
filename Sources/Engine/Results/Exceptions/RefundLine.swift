/// A line of the sheets of refunds: of a night, a refund that its evidence reported; of a month, a refund within it, or one that
/// Apple reversed within it.
public struct RefundLine: Hashable, Sendable, Codable {
    public enum Kind: String, Sendable, Codable, CaseIterable {
        case full, partial
        /// Of a night. Family Sharing ended: no money was returned.
        case family
        /// Of a month. Apple's newer record shows less of the refund, or none: Apple charged the customer after all.
        case reversed
    }
    public var transaction: String
    public var product: String
    /// Three letters; empty where it is unknown. Nil in a night.
    public var storefront: String?
    /// The owner; nil if unknown.
    public var account: String?
    public var purchasedAt: Instant
    public var revokedAt: Instant
    /// When Apple signed the record that shows less of a refund, or none; nil unless the refund was reversed.
    public var takenBackAt: Instant?
    /// Apple's code: 0 other, 1 an issue within the app. Nil if Apple gave none.
    public var reason: Int32?
    public var kind: Kind
    /// The share refunded in thousandths of a percent; nil if Apple's record does not say.
    public var percentage: Int32?
    /// The purchase's price. Nil if unknown, and in a night.
    public var price: Money?
    /// In a night, what the purchase is worth (see `Judgement.amount`), not the share refunded. In a month, the part of the
    /// price that was refunded, or that Apple took back. Nil if unknown.
    public var amount: Money?
    public var verdict: Verdict
    public var cause: Cause
    /// How many refunds more stand than before it: a reversal may take several back, and one that only lowers a refund none.
    /// Nil in a night.
    public var count: Int?
    /// By how much a reversal lowers which refunds.
    @OmittedIfEmpty public var ended: [RefundEnd] = []

    /// A line without a refund, whose fields are set one by one.
    public static let blank = RefundLine(
        transaction: "", product: "", purchasedAt: .absent, revokedAt: .absent, kind: .full, verdict: .matched,
        cause: .none)
}

/// What Apple took back of one refund.
public struct RefundEnd: Hashable, Sendable, Codable {
    /// When the refund was made.
    public var at: Instant
    /// 0 if a part of the refund still stands, else 1.
    public var count: Int
    /// In minor units of the refund's currency.
    public var minor: Int64
}
