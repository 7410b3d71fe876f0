public import Domain

/// One exception: the columns of `exceptions.csv`. Lists are sorted by their UTF-8 bytes.
public struct ExceptionFields: Hashable, Sendable, Codable {
    /// The permanent id, derived from the subject's key when the exception was first seen. Like the two dates below, it is
    /// nil in the facts about a subject that the register has not completed.
    public var id: ExceptionID?
    /// Where the exception stands tonight.
    public var state: ExceptionState
    /// Tonight's verdict; for a resolved exception the last one that was open.
    public var verdict: Verdict
    /// The verdict's cause.
    public var cause: Cause
    /// Derived from verdict and cause.
    public var severity: Severity
    /// The business date on which the exception was first seen.
    public var firstSeen: BusinessDate?
    /// The business date on which it was last open.
    public var lastSeen: BusinessDate?
    /// The instant from which age counts.
    public var eventAt: Instant
    /// Whole days from the event to the run's horizon.
    public var ageDays: Int
    /// Accounts named by the evidence.
    public var accounts: [String] = []
    /// Order ids of the subject's orders and credits.
    public var orders: [String] = []
    /// Ids of the subject's records; where it has none, the ids that its receipts, credits and orders name.
    public var transactions: [String] = []
    /// The original transaction ids of those transactions.
    public var originals: [String] = []
    /// Receipt ids of the subject.
    public var receipts: [String] = []
    /// Ids of credits and reversals of the subject.
    public var credits: [String] = []
    /// The product id; nil if unknown.
    public var product: String?
    /// Pieces bought; nil if unknown.
    public var quantity: Int32?
    /// What the subject is worth; nil if unknown.
    public var amount: Money?
    /// The variance: value credited less value owed. Nil if unknown.
    public var effect: Money?
    /// Who has less than is owed.
    public var short: ShortParty = .nobody
    /// Fields that disagree.
    public var differences: [Difference] = []
    /// The flags' names.
    public var flags: [String] = []
    /// An order that the purchase probably belongs to; nil if none is suggested.
    public var suggestedOrder: String?
    /// The next step.
    public var action: Action = .none
    /// The key of its retry entry; nil if no entry asks for anything.
    public var retryKey: String?
    /// `file:line` of each piece of evidence.
    public var evidence: [String] = []
    /// The note that a person attached; nil if absent.
    public var note: String?
    /// What brought the exception into its state. Nil if it is new or still open without a change.
    public var lastEvent: ExceptionEvent?

    public init(
        id: ExceptionID?, state: ExceptionState, verdict: Verdict, cause: Cause, severity: Severity,
        firstSeen: BusinessDate?,
        lastSeen: BusinessDate?, eventAt: Instant, ageDays: Int
    ) {
        self.id = id
        self.state = state
        self.verdict = verdict
        self.cause = cause
        self.severity = severity
        self.firstSeen = firstSeen
        self.lastSeen = lastSeen
        self.eventAt = eventAt
        self.ageDays = ageDays
    }
}
