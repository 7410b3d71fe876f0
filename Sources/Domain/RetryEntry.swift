/// A retry entry as it is carried from night to night. RULES §5.
public struct RetryEntry: Hashable, Sendable {
    public enum State: String, Sendable, CaseIterable {
        /// Emitted when its night comes.
        case waiting
        /// Kept back by the circuit breaker until a person releases it.
        case held
        case dead
    }
    public var facts: RetryFacts
    /// The exception's id.
    public var exception: String
    public var state = State.waiting
    /// Tonight's exception asks for it; else it is withdrawn, and stands on no list.
    public var isDemanded = true
    /// Emissions, over all.
    public var attempts = 0
    /// Emissions since it began or was last released: the step of its backoff.
    public var round = 0
    /// The business date from which it is emitted again.
    public var due: BusinessDate
    public var lastEmitted: BusinessDate?
    public var firstEmitted: Instant?
    /// A person let it out: the circuit breaker does not judge it.
    public var isReleased = false
    public var end: RetryEnd?
    public var deadSince: BusinessDate?
    /// The consumer's last answer since the last emission.
    public var answer: AckOutcome?
    public var answeredAt: Instant?
    public var message: String?
    /// The hash of its row where the ledger has one, which it was read from.
    public var rowHash: UInt64?

    public init(facts: RetryFacts, exception: String, due: BusinessDate) {
        self.facts = facts
        self.exception = exception
        self.due = due
    }

    public var key: String { facts.key }

    public mutating func die(_ end: RetryEnd, on date: BusinessDate) {
        state = .dead
        self.end = end
        deadSince = date
    }

    /// Lets it out with the next night, with all its attempts before it. False where nothing held it back.
    public mutating func release() -> Bool {
        guard state != .waiting else { return false }
        revive()
        isReleased = true
        round = 0
        return true
    }

    /// Due at once.
    public mutating func revive() {
        state = .waiting
        end = nil
        deadSince = nil
        answer = nil
        message = nil
        due = BusinessDate(day: 0)
    }
}
