/// A subject's verdict in a compact form, because a night has as many as it has purchases.
public struct StoredVerdict: Hashable, Sendable {
    public var subject: SubjectKey
    /// The subject's remarks.
    public var flags: Flags
    /// What the subject is worth. Nil if no price is known.
    @PackedOptional public var amount: Money?
    /// How the purchase's goods reached the customer. Nil for a subject that the lost-order rate does not count.
    @PackedOptional public var outcome: PurchaseOutcome?
    public var verdict: Verdict
    public var cause: Cause

    public init(
        subject: SubjectKey, verdict: Verdict, cause: Cause, flags: Flags, amount: Money?, outcome: PurchaseOutcome?
    ) {
        self.subject = subject
        self.verdict = verdict
        self.cause = cause
        self.flags = flags
        self.amount = amount
        self.outcome = outcome
    }
}
