/// What the retry manifest may hold. RULES §5.
public struct RetrySettings: Sendable, Equatable {
    public var isEnabled = true
    /// More entries that move goods than that are held. As many that move nothing go out a night; the others wait.
    public var entriesMax = 10_000
    /// In minor units.
    public var amountMax: [Currency: Int64] = [:]
    /// The cap of currencies that `amountMax` does not name, in major units; nil: what they are worth is held.
    public var amountMaxOfOthers: Int64? = 100_000
    /// Whether a machine may take goods back after a refund.
    public var reverseRefunds = false
    /// After so many emissions without success an entry is dead.
    public var attemptsMax = 6

    public init() {}

    /// In minor units; nil where the currency has none, and nothing of it goes out.
    public func cap(of currency: Currency) -> Int64? {
        amountMax[currency] ?? amountMaxOfOthers.map { $0 * powerOfTen(currency.exponent) }
    }
}

/// What a consumer asks of its own data once more before it acts. docs/use/retry-manifest.md says how.
public enum RetryPrecondition: String, Sendable, CaseIterable, Codable {
    case noCreditForTransaction = "no_credit_for_transaction"
    case noCreditForOrder = "no_credit_for_order"
    case noCreditForSuggestedOrders = "no_credit_for_suggested_orders"
    case notRevokedSince = "not_revoked_since"
    case creditForTransaction = "credit_for_transaction"
    case revokedStill = "revoked_still"
    case receiptNotVerified = "receipt_not_verified"
    case transactionNotRecorded = "transaction_not_recorded"
}

/// A row that an entry rests on.
public struct RetryEvidence: Hashable, Sendable, Codable {
    public var source: String
    public var line: Int
    /// The file's SHA-256, hexadecimal.
    public var digest: String

    public init(source: String, line: Int, digest: String) {
        self.source = source
        self.line = line
        self.digest = digest
    }
}

/// What a machine may do about one exception: facts that its consumer re-checks before it acts. RULES §5.
public typealias RetryFacts = Shared<RetryFields>

public struct RetryFields: Hashable, Sendable, Codable {
    /// The permanent idempotency key.
    public var key = ""
    /// One of the first four of `Action`.
    public var action: Action
    public var environment: String
    public var bundle: String?
    public var transaction: String?
    public var original: String?
    /// What `verify_receipt` is about; nil for the others.
    public var receipt: String?
    public var order: String?
    /// Orders that the purchase may belong to: no credit may stand for any of them.
    public var suggestedOrders: [String] = []
    public var account: String?
    public var product: String?
    /// How much is to be given or taken back; for the other actions what was bought, where it is known.
    public var quantity: Int64?
    /// What it is worth.
    public var amount: Amount?
    public var verdict: Verdict
    public var cause: Cause
    public var preconditions: [RetryPrecondition] = []
    public var evidence: [RetryEvidence] = []

    public init(action: Action, environment: String, verdict: Verdict, cause: Cause) {
        self.action = action
        self.environment = environment
        self.verdict = verdict
        self.cause = cause
    }

    /// Doing it twice would do harm.
    public var movesGoods: Bool { action == .credit || action == .reverseCredit }
}

extension RetryFacts {
    public init(action: Action, environment: String, verdict: Verdict, cause: Cause) {
        self.init(
            fields: RetryFields(action: action, environment: environment, verdict: verdict, cause: cause))
    }
}

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

/// A night's retry files, each sorted by key.
public struct RetryLists: Hashable, Sendable, Codable {
    public var emitted: [RetryLine] = []
    public var held: [RetryLine] = []
    public var dead: [RetryLine] = []
    public init() {}
}

/// How many retry entries are where.
public struct RetryCounts: Hashable, Sendable, Codable {
    public var emitted = 0
    public var waiting = 0
    public var held = 0
    public var dead = 0
    /// Of the emitted ones those that move no goods; nil where all do.
    public var queries: Int?
    /// What the emitted ones that move goods are worth, by currency, sorted.
    public var emittedAmounts: [Amount] = []
    /// Why tonight's manifest was held, for people; nil where it was not.
    public var holdReason: String?
    public init() {}
}
