/// What one subject leaves of the month's difference, for one reason.
public struct DifferenceLine: Hashable, Sendable, Codable {
    public var subject: String
    public var reason: DifferenceClass
    public var verdict: Verdict
    public var cause: Cause
    public var product: String?
    public var account: String?
    public var currency: String
    /// In minor units: net less net credited.
    public var minor: Int64
    /// The first of each, in any month. Milliseconds since 1970, UTC.
    public var purchasedAt: Int64?
    public var refundedAt: Int64?
    public var creditedAt: Int64?
    public var reversedAt: Int64?

    public init(
        subject: String, reason: DifferenceClass, verdict: Verdict, cause: Cause, product: String?, account: String?,
        currency: String, minor: Int64
    ) {
        self.subject = subject
        self.reason = reason
        self.verdict = verdict
        self.cause = cause
        self.product = product
        self.account = account
        self.currency = currency
        self.minor = minor
    }
}
