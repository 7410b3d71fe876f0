/// A retry entry as it is carried from night to night. See docs/spec/rules.md#retry-entries.
public struct RetryEntry: Hashable, Sendable {
    public enum State: String, Sendable, CaseIterable {
        /// It is emitted when it is due.
        case waiting
        /// Held back by the circuit breaker until a person releases it.
        case held
        /// Not tried again; `end` says why.
        case dead
    }
    /// What is asked of the consumer.
    public var facts: RetryFacts
    /// The id of the exception that asks for it.
    public var exception: ExceptionID
    public var state = State.waiting
    /// Tonight's exception asks for it. Otherwise the entry is withdrawn and appears in no list.
    public var isDemanded = true
    /// How often it was emitted.
    public var attempts = 0
    /// How often it was emitted since it was created or last released; decides the backoff.
    public var round = 0
    /// The business date from which it is emitted again.
    public var due: BusinessDate
    /// The business date of its last emission; nil if absent.
    public var lastEmitted: BusinessDate?
    /// When it was first emitted; nil if it never was.
    public var firstEmitted: Instant?
    /// A person released it, so the circuit breaker ignores it.
    public var isReleased = false
    /// Why it is dead; nil unless it is.
    public var end: RetryEnd?
    /// The business date on which it died; nil unless it is dead.
    public var deadSince: BusinessDate?
    /// The consumer's last answer since the last emission; nil if absent.
    public var answer: AckOutcome?
    /// When the consumer gave it.
    public var answeredAt: Instant?
    /// The consumer's explanation; nil if it gave none.
    public var message: String?
    /// The hash of its row in the ledger; nil if the ledger has none yet.
    public var rowHash: UInt64?

    public init(facts: RetryFacts, exception: ExceptionID, due: BusinessDate) {
        (self.facts, self.exception, self.due) = (facts, exception, due)
    }

    /// After how many unanswered emissions the consumer is probably not running, and after how many the night says so.
    public static let (silentFrom, reportedFrom) = (2, 3)

    /// The permanent idempotency key.
    public var key: String { facts.key }

    /// Moves the entry to the dead-letter list.
    public mutating func die(_ end: RetryEnd, on date: BusinessDate) {
        state = .dead
        self.end = end
        deadSince = date
    }

    /// Makes the entry due in the next night with all its attempts ahead. False where nothing held it back.
    public mutating func release() -> Bool {
        guard state != .waiting else { return false }
        revive()
        isReleased = true
        round = 0
        return true
    }

    /// Makes the entry due at once and forgets its end and answer.
    public mutating func revive() {
        state = .waiting
        end = nil
        deadSince = nil
        answer = nil
        message = nil
        due = BusinessDate(day: 0)
    }
}
