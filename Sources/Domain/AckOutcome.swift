/// What became of a retry entry, as its consumer says. RULES §5.
public enum AckOutcome: String, Sendable, CaseIterable {
    case applied
    case alreadyApplied = "already_applied"
    case preconditionFailed = "precondition_failed"
    case retryableError = "retryable_error"
    case permanentError = "permanent_error"
}
