/// One line of `retry-manifest.jsonl`, `held.jsonl` or `dead-letter.jsonl`.
public struct RetryLine: Hashable, Sendable, Codable {
    public var facts: RetryFacts
    public var exception: String
    /// Which emission it is; of a held one, which it would be; of a dead one, how many there were.
    public var attempt: Int
    /// Instants in milliseconds since 1970, UTC.
    public var firstEmitted: Int64?
    /// Nil where nobody may act on it.
    public var notBefore: Int64?
    public var expiresAt: Int64?
    /// Set in the dead-letter list only.
    public var end: RetryEnd?
    /// Since when it is dead, a business date.
    public var deadSince: String?
    /// What the consumer said last.
    public var message: String?

    public init(facts: RetryFacts, exception: String, attempt: Int, firstEmitted: Int64?) {
        self.facts = facts
        self.exception = exception
        self.attempt = attempt
        self.firstEmitted = firstEmitted
    }
}
