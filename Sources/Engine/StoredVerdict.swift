public import Domain

/// One subject's verdict as a ledger keeps it.
public struct StoredVerdict: Hashable, Sendable {
    public var subject: SubjectKey
    public var verdict: Verdict
    public var cause: Cause
    public var flags: Flags
    /// Nil where the worth is not known.
    public var amount: Money?

    public init(subject: SubjectKey, verdict: Verdict, cause: Cause, flags: Flags, amount: Money?) {
        self.subject = subject
        self.verdict = verdict
        self.cause = cause
        self.flags = flags
        self.amount = amount
    }
}
