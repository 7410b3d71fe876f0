/// The answer to a look-up of one identifier: facts, without words. See docs/spec/interfaces.md#lookup-json.
public struct LookupAnswer: Sendable {
    /// The identifier that was looked up.
    public var identifier: String
    /// The first and last business date in the ledger.
    public var covers: ClosedRange<BusinessDate>
    /// The horizon of the last night. Nothing later is known.
    public var knowsUpTo: Instant
    /// Files of required feeds that are missing.
    public var coverageGaps: [CoverageGap] = []
    /// What the identifier belongs to, newest first.
    public var subjects: [LookupSubject] = []
    /// How many older subjects are not included.
    public var subjectsMore = 0
    /// If the identifier is unknown: similar ones, without any facts about them.
    public var near: [NearIdentifier] = []
    /// Whether the identifier is an account or a token, which a masked answer hides.
    public var isPersonal = false

    /// Whether the identifier is known.
    public var isFound: Bool { !subjects.isEmpty }

    /// An answer without subjects.
    public init(identifier: String, covers: ClosedRange<BusinessDate>, knowsUpTo: Instant) {
        self.identifier = identifier
        self.covers = covers
        self.knowsUpTo = knowsUpTo
    }
}

/// What an identifier may refer to. The raw values are written to JSON.
public enum LookupKind: String, Sendable, CaseIterable {
    case transaction, order, credit, receipt, account, token, line, exception
    case emailedOrder = "emailed_order"
}

/// A known identifier similar to the one looked up.
public struct NearIdentifier: Hashable, Sendable {
    /// What it refers to.
    public var kind: LookupKind
    /// The identifier.
    public var id: String

    /// The parameters are the properties of the same names.
    public init(kind: LookupKind, id: String) {
        self.kind = kind
        self.id = id
    }
}

/// One subject with its verdict and all the evidence for it.
public struct LookupSubject: Sendable {
    /// The fields as in `exceptions.csv`. For a subject that is not an exception, the exception's own columns are
    /// empty.
    public var facts: ExceptionRow
    /// The account that the goods belong to; nil if unknown.
    public var owner: String?
    /// Whether the desk may compensate by hand, or why not.
    public var safety: LookupSafety
    /// The subject's exception; nil if it never had one.
    public var exception: LookupException?
    /// The retry entries for it.
    public var retries: [RetryEntry] = []
    /// The evidence in order of time.
    public var timeline: [TimelineEntry] = []
    /// For a purchase: orders that it may belong to although no link proves it.
    public var suggestedOrders: [String] = []
    /// For an order: payments without goods that may belong to it.
    public var openPurchases: [String] = []

    /// A subject without owner, exception and evidence.
    public init(facts: ExceptionRow, safety: LookupSafety) {
        self.facts = facts
        self.safety = safety
    }
}

/// Whether the desk may give the goods by hand without the risk that they are given twice; if not, the reason.
/// See docs/spec/rules.md#safe-to-compensate.
public enum LookupSafety: Hashable, Sendable {
    /// It may.
    case safe
    /// It may: the retry entry was sent this many times without success, and is not sent any more.
    case safeAfterTries(Int)
    /// The verdict itself is the reason: nothing that was paid for is missing, or this is not known yet.
    case verdict
    /// For an order: these payments may belong to it.
    case purchaseOpen([String])
    /// The goods were taken back without a refund. Someone must decide first.
    case takenBack
    /// Only a part of the goods was given. What is missing must be worked out first.
    case partlyGiven
    /// The exception was waived.
    case waived
    /// These credits name the same order or transaction, perhaps spelled differently.
    case creditOnRecord([String])
    /// A credit row that mentions this subject, or may do so, was rejected: `file:line`.
    case creditRejected(String)
    /// These credits of the same account and product belong to no payment and may be meant for this one.
    case creditUnplaced([String])
    /// The owner is not known.
    case ownerUnknown
    /// Several accounts may be the owner.
    case ownerDisputed
    /// A retry entry has been sent.
    case retryOut
    /// The consumer acknowledged once that it gave the goods.
    case applied
    /// A retry entry was sent and the consumer refused it finally. What became of the goods is not known.
    case retryUnclear
    /// The circuit breaker holds the retry entry until an operator releases it.
    case held
    /// The last night's input was very unusual and must be reviewed first.
    case guarded
    /// The credits of that day are missing.
    case creditsMissing(BusinessDate)
    /// Another feed's file for that day is missing.
    case recordsMissing(FeedKind, BusinessDate)
    /// The last night is too old to answer for today: its age in days.
    case stale(Int)
    /// The rules have changed since the last night.
    case rulesChanged

    /// Whether the desk may compensate by hand.
    public var isSafe: Bool {
        switch self {
        case .safe, .safeAfterTries: true
        default: false
        }
    }

    /// The code written to JSON.
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

/// The exception of a subject.
public struct LookupException: Sendable {
    /// One entry of its history.
    public struct Step: Sendable {
        /// The business date of the night, `YYYY-MM-DD`.
        public var date: String
        /// The state after the step.
        public var state: ExceptionState
        /// The verdict after the step.
        public var verdict: Verdict
        /// The cause after the step.
        public var cause: Cause
        /// The amount after the step; nil if unknown.
        public var amount: Amount?
        /// Who made the change, and when; nil if it was made by a night.
        public var by: String?
        /// When it happened.
        public var at: Instant?
        /// That person's note; nil if the step was made by a night.
        public var note: String?
        /// What the night did; nil if a person made the step.
        public var event: ExceptionEvent?

        /// A step without amount, author and note.
        public init(date: String, state: ExceptionState, verdict: Verdict, cause: Cause) {
            self.date = date
            self.state = state
            self.verdict = verdict
            self.cause = cause
        }
    }
    /// The exception's id.
    public var id: String
    /// The current state.
    public var state: ExceptionState
    /// The business date of the night that found it, `YYYY-MM-DD`.
    public var firstSeen: String
    /// The history, oldest first.
    public var history: [Step]

    /// The parameters are the properties of the same names.
    public init(id: String, state: ExceptionState, firstSeen: String, history: [Step]) {
        self.id = id
        self.state = state
        self.firstSeen = firstSeen
        self.history = history
    }
}

/// One event in the evidence. A record may give more than one.
public struct TimelineEntry: Sendable {
    /// What happened, with the record that says so.
    public enum Event: Sendable {
        /// An order was created.
        case order(Order)
        /// An order was last changed.
        case orderUpdate(Order)
        /// Goods were given or taken back.
        case credit(Credit)
        /// A purchase.
        case purchase(Transaction)
        /// A refund or revocation.
        case revocation(Transaction, Revocation)
        /// A client sent a receipt.
        case receipt(Receipt)
    }
    public var at: Instant
    /// What happened.
    public var event: Event
    /// The file and the line on which the record begins.
    public var source: String
    public var line: Int

    /// The parameters are the properties of the same names.
    public init(at: Instant, event: Event, source: String, line: Int) {
        self.at = at
        self.event = event
        self.source = source
        self.line = line
    }

    /// The kind of evidence, as written to JSON.
    public var kind: String {
        switch event {
        case .order, .orderUpdate: "order"
        case .credit(let credit): credit.kind.name
        case .purchase: "transaction"
        case .revocation: "revocation"
        case .receipt: "receipt"
        }
    }

    /// The record's id.
    public var id: String {
        switch event {
        case .order(let order), .orderUpdate(let order): order.id.text
        case .credit(let credit): credit.id.text
        case .purchase(let transaction), .revocation(let transaction, _): transaction.id.text
        case .receipt(let receipt): receipt.id
        }
    }

    /// Orders by time; events at the same instant have a fixed order.
    public func precedes(_ other: TimelineEntry) -> Bool {
        if at != other.at { return at < other.at }
        return (kind, id, source, line) < (other.kind, other.id, other.source, other.line)
    }
}
