/// A retry entry as it is carried from night to night. RULES §5.
package struct RetryEntry: Hashable, Sendable {
    package enum State: String, Sendable, CaseIterable {
        /// Emitted when its night comes.
        case waiting
        /// Kept back by the circuit breaker until a person releases it.
        case held
        case dead
    }
    package var facts: RetryFacts
    /// The exception's id.
    package var exception: String
    package var state = State.waiting
    /// Tonight's exception asks for it; else it is withdrawn, and stands on no list.
    package var isDemanded = true
    /// Emissions, over all.
    package var attempts = 0
    /// Emissions since it began or was last released: the step of its backoff.
    package var round = 0
    /// The business date from which it is emitted again.
    package var due: BusinessDate
    package var lastEmitted: BusinessDate?
    package var firstEmitted: Instant?
    /// A person let it out: the circuit breaker does not judge it.
    package var isReleased = false
    package var end: RetryEnd?
    package var deadSince: BusinessDate?
    /// The consumer's last answer since the last emission.
    package var answer: AckOutcome?
    package var answeredAt: Instant?
    package var message: String?

    package init(facts: RetryFacts, exception: String, due: BusinessDate) {
        self.facts = facts
        self.exception = exception
        self.due = due
    }

    package var key: String { facts.key }

    package mutating func die(_ end: RetryEnd, on date: BusinessDate) {
        state = .dead
        self.end = end
        deadSince = date
    }

    /// Lets it out with the next night, with all its attempts before it. False where nothing held it back.
    package mutating func release() -> Bool {
        guard state != .waiting else { return false }
        revive()
        isReleased = true
        round = 0
        return true
    }

    /// Due at once.
    package mutating func revive() {
        state = .waiting
        end = nil
        deadSince = nil
        answer = nil
        message = nil
        due = BusinessDate(day: 0)
    }
}
