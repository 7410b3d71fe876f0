public import Domain

/// What the desk is told of one identifier: facts without words. INTERFACES §4.
public struct LookupAnswer: Sendable {
    public var identifier: String
    /// The first and the last business date that the ledger covers.
    public var covers: ClosedRange<BusinessDate>
    /// Nothing later than that is known.
    public var knowsUpTo: Instant
    /// Files of required feeds that did not come.
    public var blindSpots: [BlindSpot] = []
    /// Newest first.
    public var subjects: [LookupSubject] = []
    /// Further subjects, older than those shown.
    public var subjectsMore = 0
    /// Where nothing is known by the identifier: those that look like it, ids alone.
    public var near: [NearIdentifier] = []
    /// The identifier is an account or a token.
    public var isPersonal = false

    public var isFound: Bool { !subjects.isEmpty }

    public init(identifier: String, covers: ClosedRange<BusinessDate>, knowsUpTo: Instant) {
        self.identifier = identifier
        self.covers = covers
        self.knowsUpTo = knowsUpTo
    }
}

/// What an identifier may name.
public enum LookupKind: String, Sendable, CaseIterable {
    case transaction, order, credit, receipt, account, token, line, exception
    case emailedOrder = "emailed_order"
}

public struct NearIdentifier: Hashable, Sendable {
    public var kind: LookupKind
    public var id: String

    public init(kind: LookupKind, id: String) {
        self.kind = kind
        self.id = id
    }
}

/// One subject, its verdict and all that it rests on.
public struct LookupSubject: Sendable {
    /// As `exceptions.csv` would show it; where nobody must act, its exception's own columns are blank.
    public var facts: ExceptionRow
    /// The account that the goods belong to, where it is known.
    public var owner: String?
    public var safety: LookupSafety
    public var exception: LookupException?
    /// What the system was told to do about it.
    public var retries: [RetryEntry] = []
    /// By time.
    public var timeline: [TimelineEntry] = []

    public init(facts: ExceptionRow, safety: LookupSafety) {
        self.facts = facts
        self.safety = safety
    }
}

/// Whether the desk may give the goods by hand without the risk that somebody else gives them too. INTERFACES §4.
public enum LookupSafety: Hashable, Sendable {
    case safe
    /// Nobody lacks goods that were paid for, or nobody can say so yet: the verdict itself is the reason.
    case verdict
    /// They were taken back without a refund: a person decides first.
    case takenBack
    case ownerUnknown
    /// Several accounts may be meant.
    case ownerDisputed
    /// The system has been told to give them.
    case retryOut
    /// The system was told to give them, and says that it has, or will not: nobody knows here what became of it.
    case retryUnclear
    /// The credits of that day are not there.
    case creditsMissing(BusinessDate)
    /// The last night is too old for an answer about today; so many days.
    case stale(Int)
    /// The rules were changed after the last night.
    case rulesChanged

    /// For machines.
    public var code: String {
        switch self {
        case .safe: "safe"
        case .verdict: "verdict"
        case .takenBack: "taken_back"
        case .ownerUnknown: "owner_unknown"
        case .ownerDisputed: "owner_disputed"
        case .retryOut: "retry_out"
        case .retryUnclear: "retry_unclear"
        case .creditsMissing: "credits_missing"
        case .stale: "stale"
        case .rulesChanged: "rules_changed"
        }
    }
}

public struct LookupException: Sendable {
    public struct Step: Sendable {
        /// The business date of its night, `YYYY-MM-DD`.
        public var date: String
        public var state: ExceptionState
        public var verdict: Verdict
        public var cause: Cause
        public var amount: Amount?
        /// Who did it, and when; nil where the night did.
        public var by: String?
        public var at: Instant?
        public var note: String?

        public init(date: String, state: ExceptionState, verdict: Verdict, cause: Cause) {
            self.date = date
            self.state = state
            self.verdict = verdict
            self.cause = cause
        }
    }
    public var id: String
    public var state: ExceptionState
    /// A business date, `YYYY-MM-DD`.
    public var firstSeen: String
    /// Oldest first.
    public var history: [Step]

    public init(id: String, state: ExceptionState, firstSeen: String, history: [Step]) {
        self.id = id
        self.state = state
        self.firstSeen = firstSeen
        self.history = history
    }
}

/// One piece of evidence, or one instant that it tells of.
public struct TimelineEntry: Sendable {
    public enum Event: Sendable {
        /// An order at its creation.
        case order(Order)
        /// The same at its last change.
        case orderUpdate(Order)
        /// Goods given or taken back.
        case credit(Credit)
        case purchase(Transaction)
        case revocation(Transaction, Revocation)
        case receipt(Receipt)
    }
    public var at: Instant
    public var event: Event
    /// The file and the line on which the row begins.
    public var source: String
    public var line: Int

    public init(at: Instant, event: Event, source: String, line: Int) {
        self.at = at
        self.event = event
        self.source = source
        self.line = line
    }

    /// For machines: what kind of evidence it is.
    public var kind: String {
        switch event {
        case .order, .orderUpdate: "order"
        case .credit(let credit): credit.kind.name
        case .purchase: "transaction"
        case .revocation: "revocation"
        case .receipt: "receipt"
        }
    }

    public var id: String {
        switch event {
        case .order(let order), .orderUpdate(let order): order.id.text
        case .credit(let credit): credit.id.text
        case .purchase(let transaction), .revocation(let transaction, _): transaction.id.text
        case .receipt(let receipt): receipt.id
        }
    }

    /// By time; at one instant in a fixed order.
    public func precedes(_ other: TimelineEntry) -> Bool {
        if at != other.at { return at < other.at }
        return (kind, id, source, line) < (other.kind, other.id, other.source, other.line)
    }
}
