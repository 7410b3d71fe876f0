/// One line of `retry-manifest.jsonl`, `held.jsonl` or `dead-letter.jsonl`.
public struct RetryLine: Hashable, Sendable, Codable {
    /// What is asked of the consumer.
    public var facts: RetryFacts
    public var exception: ExceptionID
    /// Which emission this is. In the held list: which it would be. In the dead-letter list: how many there were.
    public var attempt: Int
    /// Nil if the entry was never emitted.
    public var firstEmitted: Instant?
    /// The consumer may act from this instant on. Nil if it must not act.
    public var notBefore: Instant?
    /// The consumer must not act from this instant on. Nil if it must not act at all.
    public var expiresAt: Instant?
    /// Why the entry is dead. Set in the dead-letter list only.
    public var end: RetryEnd?
    /// The business date on which the entry died. Set in the dead-letter list only.
    public var deadSince: BusinessDate?
    /// The consumer's last explanation; nil if it gave none.
    public var message: String?
}
