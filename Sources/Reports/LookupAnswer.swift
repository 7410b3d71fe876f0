public import Domain

/// What the desk is told of one identifier: facts without words. INTERFACES §4.
public struct LookupAnswer: Sendable {
    public var identifier: String
    /// The first and the last business date that the ledger covers.
    public var covers: ClosedRange<BusinessDate>
    /// Nothing later than that is known.
    public var knowsUpTo: Instant
    /// Files of required feeds that did not come.
    public var coverageGaps: [CoverageGap] = []
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
    /// Of a purchase: the orders that it may belong to, though nothing ties it to one.
    public var suggestedOrders: [String] = []
    /// Of an order: the payments that may belong to it and have no goods yet.
    public var openPurchases: [String] = []

    public init(facts: ExceptionRow, safety: LookupSafety) {
        self.facts = facts
        self.safety = safety
    }
}

/// Whether the desk may give the goods by hand without the risk that somebody else gives them too. INTERFACES §4.
public enum LookupSafety: Hashable, Sendable {
    case safe
    /// The same after the system was told to give them so many times, did not, and is told no more.
    case safeAfterTries(Int)
    /// Nobody lacks goods that were paid for, or nobody can say so yet: the verdict itself is the reason.
    case verdict
    /// Of an order: these payments may belong to it.
    case purchaseOpen([String])
    /// They were taken back without a refund: a person decides first.
    case takenBack
    /// A part of them was given: how much is missing has to be worked out first.
    case partlyGiven
    /// A person waived the exception.
    case waived
    /// Credits name the same order or transaction, perhaps in another spelling.
    case creditOnRecord([String])
    /// A row of a credits file that mentions them, or may, could not be used: `file:line`.
    case creditRejected(String)
    /// Credits of the account and product belong to no payment, and may be meant for this one.
    case creditUnplaced([String])
    case ownerUnknown
    /// Several accounts may be meant.
    case ownerDisputed
    /// The system has been told to give them.
    case retryOut
    /// The system answered once that it gave them.
    case applied
    /// The system was told to give them, and says that it will not: nobody knows here what became of it.
    case retryUnclear
    /// The circuit breaker holds the entry until a person has looked.
    case held
    /// The last night's input was far from the usual, and a person has to look first.
    case guarded
    /// The credits of that day are not there.
    case creditsMissing(BusinessDate)
    /// Another feed's records of that day are not there.
    case recordsMissing(FeedKind, BusinessDate)
    /// The last night is too old for an answer about today; so many days.
    case stale(Int)
    /// The rules were changed after the last night.
    case rulesChanged

    public var isSafe: Bool {
        switch self {
        case .safe, .safeAfterTries: true
        default: false
        }
    }

    /// For machines.
    public var code: String {
        switch self {
        case .safe: "safe"
        case .safeAfterTries: "safe_after_tries"
        case .verdict: "verdict"
        case .purchaseOpen: "purchase_open"
        case .takenBack: "taken_back"
        case .partlyGiven: "partly_given"
        case .waived: "waived"
        case .creditOnRecord: "credit_on_record"
        case .creditRejected: "credit_rejected"
        case .creditUnplaced: "credit_unplaced"
        case .ownerUnknown: "owner_unknown"
        case .ownerDisputed: "owner_disputed"
        case .retryOut: "retry_out"
        case .applied: "retry_applied"
        case .retryUnclear: "retry_unclear"
        case .held: "held"
        case .guarded: "guarded"
        case .creditsMissing: "credits_missing"
        case .recordsMissing: "records_missing"
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
