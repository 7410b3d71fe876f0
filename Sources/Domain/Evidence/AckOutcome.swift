/// The outcome of a retry entry as its consumer reports it in the `acks` feed. The raw values are the feed's words.
/// See docs/spec/rules.md#retry-answers.
public enum AckOutcome: String, Sendable, CaseIterable {
    /// The consumer did what the entry asked for.
    case applied
    /// Nothing to do: the consumer had applied this key before.
    case alreadyApplied = "already_applied"
    /// The consumer's own data contradicts the entry.
    case preconditionFailed = "precondition_failed"
    /// The attempt failed; a later one may succeed.
    case retryableError = "retryable_error"
    /// No later attempt will succeed.
    case permanentError = "permanent_error"
}
