/// The columns of `exceptions.csv`. Lists are sorted by bytes.
public struct ExceptionFields: Hashable, Sendable, Codable {
    public var id: String
    public var state: ExceptionState
    public var verdict: Verdict
    public var cause: Cause
    public var severity: Severity
    /// Business dates, `YYYY-MM-DD`.
    public var firstSeen: String
    public var lastSeen: String
    /// Milliseconds since 1970, UTC.
    public var eventAt: Int64
    public var ageDays: Int
    public var accounts: [String] = []
    public var orders: [String] = []
    public var transactions: [String] = []
    public var originals: [String] = []
    public var receipts: [String] = []
    public var credits: [String] = []
    public var product: String?
    public var quantity: Int32?
    /// In minor units of `amount.currency`.
    public var amount: Amount?
    public var effect: Amount?
    public var short: ShortParty = .nobody
    public var differences: [String] = []
    public var flags: [String] = []
    public var suggestedOrder: String?
    public var action: Action = .none
    public var retryKey: String?
    /// `file:line` of each piece of evidence.
    public var evidence: [String] = []
    public var note: String?
    /// What happened to it last, for people: `resolved: credit CR5 arrived`. Nil where it is new or merely still open.
    public var lastStep: String?

    public init(
        id: String, state: ExceptionState, verdict: Verdict, cause: Cause, severity: Severity, firstSeen: String,
        lastSeen: String, eventAt: Int64, ageDays: Int
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
