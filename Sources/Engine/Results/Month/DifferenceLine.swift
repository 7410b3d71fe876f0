/// The part of a month's difference that one subject causes for one reason.
public struct DifferenceLine: Hashable, Sendable, Codable {
    /// The id of the subject's key, without its kind.
    public var subject: String
    public var reason: DifferenceClass
    public var verdict: Verdict
    public var cause: Cause
    public var product: String?
    public var account: String?
    public var currency: Currency
    /// In minor units: net purchases less net credits.
    public var minor: Int64
    /// The earliest purchase, refund, credit and reversal of the subject in any month; nil if absent.
    public var purchasedAt: Instant?
    public var refundedAt: Instant?
    public var creditedAt: Instant?
    public var reversedAt: Instant?
}
