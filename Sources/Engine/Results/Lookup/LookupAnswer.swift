/// The answer to a look-up of one identifier: facts, without words. See docs/spec/interfaces.md#lookup-json.
public struct LookupAnswer: Sendable {
    /// The identifier that was looked up.
    public var identifier: String
    /// What was found, where it is not the text as typed: another spelling, or the identifiers in a sentence or in a
    /// pasted record.
    public var readAs: [String] = []
    /// The signed record that was pasted instead of an identifier; nil without one.
    public var pasted: PastedRecord?
    /// The account of the customer who asks; nil if it is not known.
    public var asker: String?
    /// The customer's other accounts. A purchase of any of them is theirs.
    public var otherAskers: [String] = []
    /// The account that the customer is said to have, if no order, credit or receipt names it.
    public var unknownAccount: String?
    /// What the text is instead of an account, if it is on record.
    public var unknownKind: LookupKind?
    /// If the identifier is unknown: what the agent can do next.
    public var route: LookupRoute?
    /// The business date of the last night, and how many hours ago it ended. Nil while it is recent.
    public var staleness: LookupStaleness?
    /// The first and last business date in the ledger.
    public var covers: ClosedRange<BusinessDate>
    /// The first date of which purchases are on record, if it is before the first business date.
    public var recordsFrom: BusinessDate?
    /// What makes the last night's data so unusual that goods are withheld.
    public var guarded: [GuardFinding] = []
    /// The horizon of the last night. Nothing later is known.
    public var knowsUpTo: Instant
    /// Files of required feeds that are missing.
    public var coverageGaps: [CoverageGap] = []
    /// What the identifier belongs to, newest first.
    public var subjects: [LookupSubject] = []
    /// How many older subjects are not included.
    public var subjectsMore = 0
    /// The amounts of those of them that are open.
    public var openMore: [Money?] = []
    /// Purchases without their goods of the account that asks, or that all subjects belong to, which the answer does not show.
    public var lost: [(transaction: String, amount: Money?)] = []
    /// Payments without their goods and a known owner that carry a token of an order of the account, whether shown in a list or not.
    public var lostByToken: [(transaction: String, amount: Money?)] = []
    /// Subjects that an earlier answer shows, by an id of each. They are not among `subjects`.
    public var shownAbove: [String] = []
    /// The part of an id by which the subject was found; nil if it was found by a whole id.
    public var foundBy: PartOfIdentifier?
    /// Purchases found without a whole id; nil without a search.
    public var list: FoundPurchases?
    /// A whole id in the message that is not on record, where a list was found by the rest of it, and what to do about it.
    public var unknown: (id: String, route: LookupRoute)?
    /// Whole ids in the message that are not on record, beside others that are.
    public var unrecorded: [String] = []
    /// What in the text has the form of a whole id, if nothing was found by one.
    public var wholeID: String?
    /// If the identifier is unknown: similar ones, without any facts about them.
    public var near: [NearIdentifier] = []
    /// A number in the message that is no account, and the accounts that end in it behind a server's number: the customer must say
    /// which is theirs.
    public var roles: (number: String, accounts: [String])?
    /// Whether the identifier is an account or a token, which a masked answer hides.
    public var isPersonal = false
    /// What the text says of a purchase beside an account on record; nil if nothing.
    public var described: PurchaseDescription?

    /// The readings of a date of the message that has two, where no purchase found is of any of them.
    public var unclearDates: [BusinessDate] = []

    /// A rejected row that names an id of the text which is not on record; or one that may be about this order or payment,
    /// which is on record and lacks its counterpart.
    public var rejectedRow: (id: String, line: RejectLine)?
    public var isRejectedRowBeside = false

    /// Ids that are on record only as the original transaction of these others.
    public var originals: [(id: String, of: [String])] {
        (readAs.isEmpty ? [identifier] : readAs).compactMap { id in
            if subjects.contains(where: { $0.facts.transactions.contains(id) }) { return nil }
            let later = subjects.filter { $0.facts.originals.contains(id) }.flatMap(\.facts.transactions)
            return later.isEmpty ? nil : (id, later)
        }
    }

    /// All accounts of the customer who asks.
    public var askers: [String] { (asker.map { [$0] } ?? []) + otherAskers }

    /// The accounts that the ids of one message belong to. With two or more, the agent must ask which one is the customer's.
    public var owners: Set<String> {
        asker == nil && pasted == nil && readAs.count > 1 ? accounts.union(ownersBeside) : ownersBeside
    }

    /// Set in the first answer of a list: the accounts of all its ids.
    public var ownersBeside: Set<String> = []

    /// The accounts that what was found belongs to.
    var accounts: Set<String> { Set(subjects.compactMap { $0.owner ?? $0.facts.accounts.first }) }

    public var isFound: Bool { !subjects.isEmpty || !shownAbove.isEmpty || list?.purchases.isEmpty == false }

    /// The smaller the number, the sooner the agent must read it.
    var rank: Int {
        if subjects.contains(where: { $0.belongsToAsker == false }) { return 0 }
        return subjects.contains { $0.facts.verdict.isException } ? 1 : 2
    }
}

/// What the agent can do about an identifier that is not known. The raw values are written to JSON.
public enum LookupRoute: String, Sendable, CaseIterable {
    /// It has the form of the order id in Apple's e-mails, and no answer of Apple's about it is on record.
    case appleOrder = "apple_order"
    /// Apple answered that this order id is not of this app.
    case appleDenied = "apple_denied"
    /// A record of Apple's was pasted, and the purchases that it names are not on record.
    case pastedUnknown = "pasted_unknown"
    /// A record was pasted that cannot be read.
    case pastedUnreadable = "pasted_unreadable"
    /// No id on record has the part that the text names.
    case partUnknown = "part_unknown"
    /// No purchase fits the description.
    case nothingFits = "nothing_fits"
    /// Payments whose owner is unknown fit the description. They are in the list.
    case unownedFits = "unowned_fits"
    /// The same, where the reader may not see other customers' purchases.
    case unownedHidden = "unowned_hidden"
    /// What the text names is on record, and is not what it describes.
    case namedDiffers = "named_differs"
    /// The purchase was made before the records begin or after they end.
    case outsideRecords = "outside_records"
    /// The row that names it was rejected.
    case rowRejected = "row_rejected"
    /// A spreadsheet rounded the number.
    case rounded
    /// It contains nothing that could be an identifier.
    case noIdentifier = "no_identifier"
    /// It may be newer than the records, or another system's number.
    case unknown
}

/// A record of Apple's, or a receipt, that was pasted instead of an identifier.
public struct PastedRecord: Hashable, Sendable {
    /// What Apple's signature proves about it.
    public enum Outcome: String, Sendable, CaseIterable {
        case verified, unverifiable, invalid, unreadable
    }
    /// What Apple's signature proves about it.
    public var outcome: Outcome
    public var transactions: [String]
    /// The message around the record; empty without one.
    public var message = ""

    public init(outcome: Outcome, transactions: [String]) {
        self.outcome = outcome
        self.transactions = transactions
    }
}

/// How old the records are.
public struct LookupStaleness: Hashable, Sendable {
    /// The business date of the last night.
    public var date: BusinessDate
    /// Whole days since its end, rounded.
    public var days: Int

    /// Nil if the night ended less than 36 hours ago.
    public init?(of date: BusinessDate, end: Instant, now: Instant, zone: Zone) {
        guard now.milliseconds - end.milliseconds >= Milliseconds.hours(36).count else { return nil }
        (self.date, days) = (date, Self.days(since: date, now: now, zone: zone))
    }

    static func days(since date: BusinessDate, now: Instant, zone: Zone) -> Int {
        Int(zone.date(of: now).day - date.day)
    }
}

public struct LookupException: Sendable {
    /// One entry of its history. State, verdict, cause and amount are those after it.
    public struct Step: Sendable {
        public var date: BusinessDate
        public var state: ExceptionState
        public var verdict: Verdict
        public var cause: Cause
        public var amount: Money?
        /// Who made the change, and when; nil if it was made by a night.
        public var by: String?
        public var at: Instant?
        /// That person's note; nil if the step was made by a night.
        public var note: String?
        /// What the night did; nil if a person made the step.
        public var event: ExceptionEvent?

        public init(
            date: BusinessDate, state: ExceptionState, verdict: Verdict, cause: Cause, amount: Money? = nil
        ) {
            (self.date, self.state, self.verdict, self.cause, self.amount) = (date, state, verdict, cause, amount)
        }
    }
    public var id: ExceptionID
    public var state: ExceptionState
    public var firstSeen: BusinessDate
    /// The history, oldest first.
    public var history: [Step]
}
