package import Domain

/// What the desk is told of one identifier: facts without words. INTERFACES §4.
package struct LookupAnswer: Sendable {
    package var identifier: String
    /// The first and the last business date that the ledger covers.
    package var covers: ClosedRange<BusinessDate>
    /// Nothing later than that is known.
    package var knowsUpTo: Instant
    /// Files of required feeds that did not come.
    package var blindSpots: [BlindSpot] = []
    /// Newest first.
    package var subjects: [LookupSubject] = []
    /// Further subjects, older than those shown.
    package var subjectsMore = 0
    /// Where nothing is known by the identifier: those that look like it, ids alone.
    package var near: [NearIdentifier] = []
    /// The identifier is an account or a token.
    package var isPersonal = false

    package var isFound: Bool { !subjects.isEmpty }

    package init(identifier: String, covers: ClosedRange<BusinessDate>, knowsUpTo: Instant) {
        self.identifier = identifier
        self.covers = covers
        self.knowsUpTo = knowsUpTo
    }
}

/// What an identifier may name.
package enum LookupKind: String, Sendable, CaseIterable {
    case transaction, order, credit, receipt, account, token, line, exception
    case emailedOrder = "emailed_order"
}

package struct NearIdentifier: Hashable, Sendable {
    package var kind: LookupKind
    package var id: String

    package init(kind: LookupKind, id: String) {
        self.kind = kind
        self.id = id
    }
}

/// One subject, its verdict and all that it rests on.
package struct LookupSubject: Sendable {
    /// As `exceptions.csv` would show it; where nobody must act, its exception's own columns are blank.
    package var facts: ExceptionRow
    /// The account that the goods belong to, where it is known.
    package var owner: String?
    package var safety: LookupSafety
    package var exception: LookupException?
    /// What the system was told to do about it.
    package var retries: [RetryEntry] = []
    /// By time.
    package var timeline: [TimelineEntry] = []

    package init(facts: ExceptionRow, safety: LookupSafety) {
        self.facts = facts
        self.safety = safety
    }
}

/// Whether the desk may give the goods by hand without the risk that somebody else gives them too. INTERFACES §4.
package enum LookupSafety: Hashable, Sendable {
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
    package var code: String {
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

package struct LookupException: Sendable {
    package struct Step: Sendable {
        /// The business date of its night, `YYYY-MM-DD`.
        package var date: String
        package var state: ExceptionState
        package var verdict: Verdict
        package var cause: Cause
        package var amount: Amount?
        /// Who did it, and when; nil where the night did.
        package var by: String?
        package var at: Instant?
        package var note: String?

        package init(date: String, state: ExceptionState, verdict: Verdict, cause: Cause) {
            self.date = date
            self.state = state
            self.verdict = verdict
            self.cause = cause
        }
    }
    package var id: String
    package var state: ExceptionState
    /// A business date, `YYYY-MM-DD`.
    package var firstSeen: String
    /// Oldest first.
    package var history: [Step]

    package init(id: String, state: ExceptionState, firstSeen: String, history: [Step]) {
        self.id = id
        self.state = state
        self.firstSeen = firstSeen
        self.history = history
    }
}

/// One piece of evidence, or one instant that it tells of.
package struct TimelineEntry: Sendable {
    package enum Event: Sendable {
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
    package var at: Instant
    package var event: Event
    /// The file and the line on which the row begins.
    package var source: String
    package var line: Int

    package init(at: Instant, event: Event, source: String, line: Int) {
        self.at = at
        self.event = event
        self.source = source
        self.line = line
    }

    /// For machines: what kind of evidence it is.
    package var kind: String {
        switch event {
        case .order, .orderUpdate: "order"
        case .credit(let credit): credit.kind.name
        case .purchase: "transaction"
        case .revocation: "revocation"
        case .receipt: "receipt"
        }
    }

    package var id: String {
        switch event {
        case .order(let order), .orderUpdate(let order): order.id.text
        case .credit(let credit): credit.id.text
        case .purchase(let transaction), .revocation(let transaction, _): transaction.id.text
        case .receipt(let receipt): receipt.id
        }
    }

    /// By time; at one instant in a fixed order.
    package func precedes(_ other: TimelineEntry) -> Bool {
        if at != other.at { return at < other.at }
        return (kind, id, source, line) < (other.kind, other.id, other.source, other.line)
    }
}
