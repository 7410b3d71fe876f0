/// The ledger as the last night left it, opened for questions. Nothing is ever written.
public struct Inquiry {
    let history: any InquiryHistory
    /// The last run.
    let run: RunRecord
    let feeds: [FeedRecord]
    private let prefixes: FeedPrefixes
    /// What the last night judged by.
    let basis: Basis
    let now: Instant
    /// The rules differ from those of the last night.
    let hasNewRules: Bool
    /// What the guard found unusual in the last night's input, and hand-outs that the desk's files have lost, as far as no
    /// person has released that.
    let guardFindings: [GuardFinding]
    /// Reports of a run that this ledger does not know are published: it is older than they are.
    let isRolledBack: Bool
    let restoredAt: Instant?
    /// Goods that the desk recorded as given by hand, by transaction.
    let handOuts: [Identifier: HandOut]
    /// Who has which exception in hand, and what was said about it.
    public var work: [ExceptionID: CaseWork] = [:]
    /// What users of the desk's page decided or wished, and no night has brought in.
    public var decisions: [StandingDecision] = []
    /// Hand-outs and waivers that were withdrawn.
    public var withdrawn: [WithdrawnDecision] = []
    /// The accounts that are asked about as if they were the owners of these transactions.
    var presumedOwners: [Identifier: Identifier] = [:]
    private let arrivals: [String: Set<BusinessDate>]

    /// Nil if the history contains no night.
    ///
    /// - Parameters:
    ///   - now: the real time. The answers say how old the last night is.
    ///   - handOuts: goods that the desk recorded as given by hand.
    public init?(
        _ history: some InquiryHistory, _ settings: NightSettings, now: Instant, handOuts: [HandOut] = []
    ) throws {
        guard let run = try history.lastRun() else { return nil }
        let head = try history.head(asOf: run)
        self.history = history
        self.run = run
        self.now = now
        self.handOuts = Dictionary(handOuts.map { ($0.transaction, $0) }) { first, _ in first }
        basis = Basis(settings, head, of: run)
        feeds = settings.feeds.map(\.record)
        prefixes = settings.prefixes
        arrivals = head.arrivals
        guardFindings =
            try (head.guarded.isEmpty ? [] : history.guardFindings(of: run))
            + settings.handOuts.filter { lost in !head.releasedFindings.contains { $0.isSameMatter(as: lost) } }
        isRolledBack = settings.unknownRun != nil
        restoredAt = try history.lastRestored()
        hasNewRules = run.policy != basis.policyText
    }

    /// A finding may concern any verdict. What some hours or a product lack concerns only their purchases.
    func isGuarded(_ judgement: Judgement, paidAt: Instant?) -> Bool {
        guardFindings.contains { $0.mayConcern(judgement.product?.text, paidAt: paidAt, in: policy.zone) }
    }

    var policy: Policy { basis.policy }
    var horizon: Horizon { basis.horizon }
    var coverageGaps: [CoverageGap] { basis.coverageGaps }

    /// The business dates for which there is evidence.
    var covers: ClosedRange<BusinessDate> {
        min(horizon.coverage.firstDate ?? run.businessDate, run.businessDate)...run.businessDate
    }

    /// The first date of which purchases are on record: files may bring rows from before their own dates.
    var recordsFrom: BusinessDate {
        let first = policy.historyFrom ?? policy.recordsFrom(horizon.coverage.firstDate)
        return min(covers.lowerBound, first ?? covers.lowerBound)
    }

    var dayBeforeRecords: BusinessDate {
        (policy.recordsFrom(horizon.coverage.firstDate) ?? covers.lowerBound).advanced(by: -1)
    }

    /// The first day since `instant` for which a credits file is missing. Nil without one.
    ///
    /// The day before `instant` is included, because clocks differ. If no credits feed is configured, every day is
    /// missing.
    func creditsMissing(since instant: Instant) -> BusinessDate? {
        let feeds = feeds.filter { $0.kind == .credits }
        if feeds.isEmpty { return run.businessDate }
        let first = max(covers.lowerBound, dayBefore(instant))
        return feeds.flatMap { $0.daysMissing(from: first, through: run.businessDate, given: arrivals) }.min()
    }

    /// The first day since `instant` with a gap in a feed that a purchase rests on, because a required file is missing
    /// or a file was refused. The day before `instant` is included. Nil if every day is complete.
    func recordsMissing(since instant: Instant) -> (feed: FeedKind, date: BusinessDate)? {
        let first = dayBefore(instant)
        for kind in [FeedKind.transactions, .orders, .credits, .receipts] {
            let day = (horizon.coverage.gaps[kind] ?? []).first { first <= $0 && $0 <= run.businessDate }
            if let day { return (kind, day) }
        }
        return nil
    }

    /// The rejected rows of files since the day before `instant`: they may be about a purchase made then.
    func rejectedRows(since instant: Instant) throws -> RejectedRows {
        RejectedRows(try history.rejectedRows(since: dayBefore(instant)), zone: policy.zone, prefixes: prefixes)
    }

    /// The newest rejected row that names an id of the text which is not on record itself. A name of a product and a date
    /// are none.
    func rejectedRow(
        for answer: LookupAnswer, _ typed: TypedText, besides known: [String]
    ) throws -> (id: String, line: RejectLine)? {
        let texts =
            answer.isFound ? answer.originals.map(\.id) + typed.unknown(besides: known) : known + typed.all
        let ids = texts.filter { $0.count(where: \.isNumber) >= 6 && $0.wholeMatch(of: /20[0-9]{6}/) == nil }
        if ids.isEmpty { return nil }
        let wanted = ids.flatMap { id in
            ([id] + prefixes.orders.removed(from: id)).map { (id: id, plain: plainSpelling(of: $0)) }
        }
        for line in try history.newestRejects(20_000) {
            let words = RejectedRows.words(of: line.reject.row).words
            if let found = wanted.first(where: { words.contains($0.plain) }) { return (found.id, line) }
        }
        return nil
    }

    /// The rejected rows themselves, the newest file's first.
    func rejectedRows(around instant: Instant) throws -> [RejectedRow] {
        try history.rejectedRows(since: dayBefore(instant)).ordered { $0.date > $1.date }
    }

    /// The row with its reason.
    func rejectLine(of row: RejectedRow) throws -> RejectLine? {
        try history.newestRejects(20_000).first { $0.source == row.source && $0.reject.line == row.line }
    }

    /// A day is added because clocks differ.
    private func dayBefore(_ instant: Instant) -> BusinessDate { policy.zone.date(of: instant).advanced(by: -1) }

    /// Whole days from the last business date to today. Negative if the clock is wrong.
    var daysSinceLastNight: Int { LookupStaleness.days(since: run.businessDate, now: now, zone: policy.zone) }
}
