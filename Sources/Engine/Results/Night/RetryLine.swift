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

/// How many retry entries are in which state.
public struct RetryCounts: Hashable, Sendable, Codable {
    /// Listed in tonight's manifest.
    public var emitted = 0
    /// Due in a later night.
    public var waiting = 0
    /// Held back by the circuit breaker until a person releases them.
    public var held = 0
    public var dead = 0
    /// How many of the emitted entries move no goods. Nil if all of them do.
    public var queries: Int?
    /// How many entries were emitted three times or more and never answered, although the consumer's answers are a feed. Nil
    /// if there is none.
    public var unanswered: Int?
    /// How many were emitted as often and answered, by `applied` without a credit since or by `retryable_error`. Nil if there is
    /// none.
    public var ineffective: Int?
    /// The worth of the emitted entries that move goods, sorted by currency.
    public var emittedAmounts: [Money] = []
    /// Why the circuit breaker held tonight's manifest; nil if it did not.
    public var holdReason: HoldReason?
}

/// Goods that no machine gives tonight, for one reason.
public struct WithheldCredits: Hashable, Sendable, Codable {
    /// The raw values name the reasons' texts in the templates.
    public enum Reason: String, Sendable, CaseIterable, Codable {
        /// Rejected rows may be about the purchases.
        case rejectedRow = "rejected_row"
        /// The owners, or accounts that claim the purchases, have goods that no payment accounts for, or a credit elsewhere
        /// names the purchase.
        case credit
        /// The goods of the products' renewals are not on record.
        case renewals
    }

    public var reason: Reason
    /// How many purchases.
    public var count: Int
    /// Their worth, sorted by currency.
    public var worth: [Money]
    /// The first rejected row as `file:line`, the first credit, or the products of the renewals.
    public var names: [String]

    public init(reason: Reason, count: Int, worth: [Money], names: [String]) {
        (self.reason, self.count, self.worth, self.names) = (reason, count, worth, names)
    }
}

/// Why the circuit breaker holds a manifest: a code and its arguments.
public struct HoldReason: Hashable, Sendable, Codable {
    /// The raw values are stored and name the reasons' texts in the templates.
    public enum Code: String, Sendable, CaseIterable, Codable {
        case entries, worth
        case manyEntries = "many_entries"
        case muchWorth = "much_worth"
        case noLimit = "no_limit"
        case unknownWorth = "unknown_worth"
    }

    public var code: Code
    public var values: [String]

    init(_ code: Code, _ values: any CustomStringConvertible...) {
        (self.code, self.values) = (code, values.map(\.description))
    }
}

/// A night's retry files, each sorted by key.
public struct RetryLists: Hashable, Sendable, Codable {
    /// `retry-manifest.jsonl`.
    public var emitted: [RetryLine] = []
    /// `held.jsonl`.
    public var held: [RetryLine] = []
    /// `dead-letter.jsonl`.
    public var dead: [RetryLine] = []
    public init() {}
}
