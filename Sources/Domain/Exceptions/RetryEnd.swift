/// Why an entry is not tried again until a person releases it.
public enum RetryEnd: String, Sendable, CaseIterable, Codable {
    /// It was emitted as often as the configuration allows, and the exception is still open.
    case attempts
    /// The consumer reported an error that no later attempt will mend.
    case permanentError = "permanent_error"
    /// The consumer's data contradicts ours. A person must look, unless the facts change.
    case preconditionFailed = "precondition_failed"
    /// The same goods were requested before under another key: for another account, id or quantity.
    case anotherKey = "another_key"
}
