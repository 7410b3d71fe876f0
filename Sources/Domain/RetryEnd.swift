/// Why nothing more is tried until a person says so.
public enum RetryEnd: String, Sendable, CaseIterable, Codable {
    /// As many emissions as the configuration allows, and the exception is still open.
    case attempts
    case permanentError = "permanent_error"
    /// The consumer's data contradict ours: for a person, until the facts change.
    case preconditionFailed = "precondition_failed"
    /// The same goods were already asked for under another key, for another account, id or quantity.
    case anotherKey = "another_key"
}
