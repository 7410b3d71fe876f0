/// The fields of a retry entry, as the manifest lists them.
public struct RetryFields: Hashable, Sendable, Codable {
    /// The permanent idempotency key.
    public var key = ""
    /// One of the first four cases of `Action`.
    public var action: Action
    /// The App Store environment, in Apple's words.
    public var environment: String
    /// The app's bundle id; nil if unknown.
    public var bundle: String?
    /// The transaction concerned; nil if absent.
    public var transaction: String?
    /// That transaction's original transaction id; nil if unknown.
    public var original: String?
    /// The receipt to verify, for `verify_receipt`; nil for the other actions.
    public var receipt: String?
    /// The purchase's order; nil if it has none.
    public var order: String?
    /// Orders that the purchase may belong to. The consumer must not have given goods for any of them.
    public var suggestedOrders: [String] = []
    /// The account to give goods to or take them from; nil for actions that move none.
    public var account: String?
    /// The product; nil if unknown.
    public var product: String?
    /// Pieces to give or take back; for the other actions the pieces bought. Nil if unknown.
    public var quantity: Int64?
    /// What that is worth; nil if unknown.
    public var amount: Money?
    public var verdict: Verdict
    public var cause: Cause
    /// What the consumer checks before it acts.
    public var preconditions: [RetryPrecondition] = []
    /// The rows behind the entry.
    public var evidence: [RetryEvidence] = []

    public init(action: Action, environment: String, verdict: Verdict, cause: Cause) {
        (self.action, self.environment, self.verdict, self.cause) = (action, environment, verdict, cause)
    }

    /// Whether the work is the same, whatever receipts a client sends: these change the cause, the rows behind the entry,
    /// and the orders that it may belong to.
    public func isSameWork(as other: RetryFields) -> Bool {
        var copy = other
        (copy.cause, copy.suggestedOrders, copy.preconditions) = (cause, suggestedOrders, preconditions)
        copy.evidence = evidence
        return copy == self
    }

    /// The action gives or takes goods, so doing it twice would do harm.
    @inlinable
    public var movesGoods: Bool { action == .credit || action == .reverseCredit }
}

/// A condition that a consumer checks in its own data before it acts. docs/use/retry-manifest.md describes how.
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

/// A row that a retry entry rests on.
public struct RetryEvidence: Hashable, Sendable, Codable {
    /// The file's name.
    public var source: String
    /// The line on which the row begins, from 1.
    public var line: Int
    /// The file's SHA-256 in hexadecimal.
    public var digest: String

    public init(source: String, line: Int, digest: String) {
        (self.source, self.line, self.digest) = (source, line, digest)
    }
}

/// What a machine may do about one exception: facts that its consumer checks again before it acts.
/// See docs/spec/rules.md#retry-entries. The fields are shared, so that handing them on copies one reference.
public typealias RetryFacts = Shared<RetryFields>

extension RetryFacts {
    public init(action: Action, environment: String, verdict: Verdict, cause: Cause) {
        self.init(
            fields: RetryFields(action: action, environment: environment, verdict: verdict, cause: cause))
    }
}
