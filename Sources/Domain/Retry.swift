/// What the retry manifest may hold. RULES §5.
package struct RetrySettings: Sendable, Equatable {
    package var isEnabled = true
    /// More entries than that hold the whole manifest.
    package var entriesMax = 10_000
    /// In minor units; a currency without one has no cap.
    package var amountMax: [Currency: Int64] = [:]
    /// Whether a machine may take goods back after a refund.
    package var reverseRefunds = false
    /// After so many emissions without success an entry is dead.
    package var attemptsMax = 6

    package init() {}
}

/// What a consumer asks of its own data once more before it acts. docs/retry-manifest.md says how.
package enum RetryPrecondition: String, Sendable, CaseIterable, Codable {
    case noCreditForTransaction = "no_credit_for_transaction"
    case noCreditForOrder = "no_credit_for_order"
    case notRevokedSince = "not_revoked_since"
    case creditForTransaction = "credit_for_transaction"
    case revokedStill = "revoked_still"
    case receiptNotVerified = "receipt_not_verified"
    case transactionNotRecorded = "transaction_not_recorded"
}

/// A row that an entry rests on.
package struct RetryEvidence: Hashable, Sendable, Codable {
    package var source: String
    package var line: Int
    /// The file's SHA-256, hexadecimal.
    package var digest: String

    package init(source: String, line: Int, digest: String) {
        self.source = source
        self.line = line
        self.digest = digest
    }
}

/// What a machine may do about one exception: facts that its consumer re-checks before it acts. RULES §5.
package typealias RetryFacts = Shared<RetryFields>

package struct RetryFields: Hashable, Sendable, Codable {
    /// The permanent idempotency key.
    package var key = ""
    /// One of the first four of `Action`.
    package var action: Action
    package var environment: String
    package var bundle: String?
    package var transaction: String?
    package var original: String?
    /// What `verify_receipt` is about; nil for the others.
    package var receipt: String?
    package var order: String?
    package var account: String?
    package var product: String?
    /// How much is to be given or taken back; for the other actions what was bought, where it is known.
    package var quantity: Int64?
    /// What it is worth.
    package var amount: Amount?
    package var verdict: Verdict
    package var cause: Cause
    package var preconditions: [RetryPrecondition] = []
    package var evidence: [RetryEvidence] = []

    package init(action: Action, environment: String, verdict: Verdict, cause: Cause) {
        self.action = action
        self.environment = environment
        self.verdict = verdict
        self.cause = cause
    }

    /// Doing it twice would do harm.
    package var movesGoods: Bool { action == .credit || action == .reverseCredit }
}

extension RetryFacts {
    package init(action: Action, environment: String, verdict: Verdict, cause: Cause) {
        self.init(
            fields: RetryFields(action: action, environment: environment, verdict: verdict, cause: cause))
    }
}

/// Why nothing more is tried until a person says so.
package enum RetryEnd: String, Sendable, CaseIterable, Codable {
    /// As many emissions as the configuration allows, and the exception is still open.
    case attempts
    case permanentError = "permanent_error"
    /// The consumer's data contradict ours: for a person, until the facts change.
    case preconditionFailed = "precondition_failed"
    /// The same goods were already asked for under another key, for another account, id or quantity.
    case anotherKey = "another_key"
}

/// One line of `retry-manifest.jsonl`, `held.jsonl` or `dead-letter.jsonl`.
package struct RetryLine: Hashable, Sendable, Codable {
    package var facts: RetryFacts
    package var exception: String
    /// Which emission it is; of a held one, which it would be; of a dead one, how many there were.
    package var attempt: Int
    /// Instants in milliseconds since 1970, UTC.
    package var firstEmitted: Int64?
    /// Nil where nobody may act on it.
    package var notBefore: Int64?
    package var expiresAt: Int64?
    /// Set in the dead-letter list only.
    package var end: RetryEnd?
    /// Since when it is dead, a business date.
    package var deadSince: String?
    /// What the consumer said last.
    package var message: String?

    package init(facts: RetryFacts, exception: String, attempt: Int, firstEmitted: Int64?) {
        self.facts = facts
        self.exception = exception
        self.attempt = attempt
        self.firstEmitted = firstEmitted
    }
}

/// A night's retry files, each sorted by key.
package struct RetryLists: Hashable, Sendable, Codable {
    package var emitted: [RetryLine] = []
    package var held: [RetryLine] = []
    package var dead: [RetryLine] = []
    package init() {}
}

/// How many retry entries are where.
package struct RetryCounts: Hashable, Sendable, Codable {
    package var emitted = 0
    package var waiting = 0
    package var held = 0
    package var dead = 0
    /// What the emitted ones are worth, by currency, sorted.
    package var emittedAmounts: [Amount] = []
    /// Why the circuit breaker held tonight's manifest, for people; nil where it did not.
    package var holdReason: String?
    package init() {}
}
