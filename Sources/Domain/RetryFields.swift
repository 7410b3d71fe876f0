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
