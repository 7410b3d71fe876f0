public import Domain

/// The part of a month's difference that one subject causes for one reason.
public struct DifferenceLine: Hashable, Sendable, Codable {
    /// The id of the subject's key, without its kind.
    public var subject: String
    /// Why the subject differs.
    public var reason: DifferenceClass
    /// The subject's verdict as of the report.
    public var verdict: Verdict
    public var cause: Cause
    /// The product, where it is known.
    public var product: String?
    /// The owner, where it is known.
    public var account: String?
    /// ISO 4217, three letters.
    public var currency: Currency
    /// In minor units: net purchases less net credits.
    public var minor: Int64
    /// The earliest purchase of the subject in any month; nil if absent.
    public var purchasedAt: Instant?
    /// The earliest refund.
    public var refundedAt: Instant?
    /// The earliest credit.
    public var creditedAt: Instant?
    /// The earliest reversal.
    public var reversedAt: Instant?
}
