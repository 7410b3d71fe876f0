/// What an exception says about its subject. It is handed on by one reference.
public typealias ExceptionFacts = Shared<ExceptionFields>

extension ExceptionFacts {
    public init(verdict: Verdict, cause: Cause, severity: Severity, eventAt: Instant) {
        self.init(fields: ExceptionFields(verdict: verdict, cause: cause, severity: severity, eventAt: eventAt))
    }
}

/// The fields of `ExceptionFacts`. Lists are sorted by their UTF-8 bytes.
public struct ExceptionFields: Hashable, Sendable, Codable {
    /// Tonight's verdict; for a resolved exception the last one that was open.
    public var verdict: Verdict
    public var cause: Cause
    /// Derived from verdict and cause.
    public var severity: Severity
    /// The instant from which age counts.
    public var eventAt: Instant
    /// Accounts named by the evidence.
    public var accounts: [String] = []
    /// Order ids of the subject's orders and credits.
    public var orders: [String] = []
    /// Ids of the subject's records; where it has none, the ids that its receipts, credits and orders name.
    public var transactions: [String] = []
    /// The original transaction ids of those transactions.
    public var originals: [String] = []
    public var receipts: [String] = []
    /// Ids of credits and reversals of the subject.
    public var credits: [String] = []
    public var product: String?
    /// Pieces bought; nil if unknown.
    public var quantity: Int32?
    /// What the subject is worth; nil if unknown.
    public var amount: Money?
    /// The effect: value credited less value owed. Nil if unknown.
    public var effect: Money?
    /// Who has less than is owed.
    public var short: ShortParty = .nobody
    public var differences: [Difference] = []
    public var flags: [String] = []
    /// An order that the purchase probably belongs to; nil if none is suggested.
    public var suggestedOrder: String?
    public var action: Action = .none
    /// The key of its retry entry; nil if no entry asks for anything.
    public var retryKey: String?
    /// `file:line` of each piece of evidence.
    public var evidence: [String] = []
    /// The shop's own columns; nil without any.
    public var labels: LabelSet?
}
