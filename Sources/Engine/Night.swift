public import Domain
public import Exceptions
public import Matching
public import Parallel
public import ReportData

/// One night: everything that the delivered files change, and the report about it. Creating a night writes nothing; a
/// ledger applies the result as a whole.
public struct Night {
    /// The record of this run.
    public var run: RunRecord
    /// What the night was judged by.
    public let basis: Basis
    /// Tonight's deliveries, with their accepted and duplicate rows counted.
    public let deliveries: [Delivery]
    /// The rest of what the files contained. Orders, credits, transactions and receipts are in `cases`.
    public let delivered: Delivered
    /// The cases, stored evidence first. They take most of a night's memory: once they are written, the caller may
    /// replace them with an empty set.
    public var cases: CaseSet
    /// The ledger's number of each case, and which cases to write.
    public let numbering: CaseNumbering
    /// The verdicts of all cases judged tonight: those of `cases`, then of cases judged apart.
    public let verdicts: Verdicts
    /// The history's cases that were judged again.
    public let judgedAgain: Set<CaseID>
    /// Whether every case of the history was judged again.
    public let isRebuilt: Bool
    /// The verdicts on record of the cases that were judged again. Empty if every case was.
    public let recorded: [CaseID: [StoredVerdict]]
    /// The owners of tokens after tonight.
    public let owners: TokenOwners
    /// Facts about the whole history after tonight.
    public let facts: LedgerFacts
    /// The product list from tonight on.
    public let products: [Product]
    /// How many subjects there are of each verdict after tonight, the whole history included.
    public let tally: Tally
    /// What tonight changes in the counts of purchases; all of them, if every case was judged again.
    public let purchases: PurchaseTally
    /// What tonight does to the exception register.
    public let transitions: [ExceptionTransition]
    /// Acknowledgements that no earlier night read.
    public let answers: [Acknowledgement]
    /// The retry entries that tonight changed.
    public let retries: [RetryEntry]
    /// The report. Its conservation, its cases and its roll-forward are proven.
    public var report: NightReport
    /// What the operator should know apart from the report.
    public let warnings: [NightWarning]

    /// Matches and judges what was delivered.
    ///
    /// - Parameters:
    ///   - delivered: what tonight's files contain.
    ///   - time: the business date and "now".
    ///   - history: what earlier nights left behind.
    ///   - threads: the number of cores to use. The result does not depend on it.
    /// - Throws: `EngineError.unproven` where rows, cases or balances do not add up; `Interrupted`; whatever the
    ///   history throws.
    public init(
        _ delivered: consuming Delivered, at time: RunTime, _ settings: NightSettings, _ history: some History,
        threads: Int = 1, timer: some StageTimer = Untimed()
    ) throws {
        var delivered = consume delivered
        let head = try history.head()
        var basis = Basis(settings, head, delivered, at: time)
        run = RunRecord(
            id: head.lastRun?.id.next ?? 1, businessDate: time.businessDate, asOf: time.asOf,
            horizon: basis.horizon.instant, policy: basis.policyText, version: settings.version)
        products = basis.products
        let (unnamed, news) = (delivered.deskCreditsWithoutTransaction, delivered.takeRows())
        let hasNewFacts = basis.policy.facts.note(news.orders)
        self.basis = basis
        let change = BasisChange(from: head, to: basis, hasNewFacts: hasNewFacts)
        let tonight = try NightCases(history, head, news, basis, change, delivered, threads: threads, timer)
        (cases, numbering, verdicts) = (tonight.cases, tonight.numbering, tonight.verdicts)
        (owners, facts) = (tonight.owners, tonight.facts)
        judgedAgain = tonight.ids
        isRebuilt = tonight.prior.isEverything
        recorded = isRebuilt ? [:] : try history.verdicts(of: tonight.ids)
        tally = try Tally(verdicts, except: recorded, of: isRebuilt ? Tally() : history.tally())
        purchases = PurchaseTally(verdicts, except: recorded)
        var carried = try timer.time("carry", of: "exceptions") { work in
            let carried = try CarryForward(
                tonight, delivered, at: time, horizon: basis.horizon.instant, settings, head, history)
            work.add(rows: carried.transitions.count)
            return carried
        }
        let (guarded, rows) = try InputGuard(settings, head, history).findings(
            cases, verdicts, loaded: tonight.prior.ids, delivered, on: time.businessDate)
        let conservation = Conservation(cases, delivered, tonight.prior.stored, carried.answers)
        deliveries = try delivered.deliveries.map { try conservation.counted($0) }
        let findings = NightFindings(
            run: run, zone: settings.policy.zone, delivered: delivered, deliveries: deliveries, cases: cases.count,
            verdicts: verdicts, tally: tally, transitions: carried.transitions, clearedToday: carried.clearedToday,
            rollForward: carried.rollForward, basis: basis)
        report = try timer.time("prove", of: "cases") { [findings] work in
            work.add(rows: findings.cases)
            // The two do not depend on each other.
            let proven = BackgroundTask(isConcurrent: threads > 1) { try NightReport(findings) }
            let played = Result { try carried.playRetries(guarded, history) }
            let report = try proven.value()
            try played.get()
            return report
        }
        if !guarded.isEmpty { report.guarded = guarded }
        report.feedRows = rows
        report.purchases = try purchases.lines(through: time.businessDate, after: isRebuilt ? nil : history)
        let changes = head.settingChanges(to: basis)
        if !changes.isEmpty { report.settingsChanged = changes }
        if settings.retry.isEnabled { report.add(carried.retries, carried.answers.fresh) }
        (transitions, answers, retries) = (carried.transitions, carried.answers.fresh, carried.retries.changes)
        let crowded = tonight.facts.crowdedTokens.subtracting(head.facts.crowdedTokens).sorted()
        warnings =
            BasisChange.rules(from: head.lastRun, to: run) + changes.map { .settingChanged($0) }
            + crowded.map { .crowdedToken($0, limit: settings.policy.tokenFanOut) } + basis.unseenWarnings
            + report.flagWarnings + delivered.warning(of: unnamed, tonight.verdicts.observations) + carried.warnings
        self.delivered = delivered
    }

    /// Records in the report the result of the self-test that ran before the night.
    public mutating func note(_ test: SelfTest) {
        report.detectors = test.total
        report.detectorsAlive = test.passed
    }
}

/// How tonight's basis differs from the last night's.
struct BasisChange {
    /// Every case must be judged again.
    let isForAll: Bool
    /// A day of Apple's transactions that counted as covered now has a gap.
    let hasNewTransactionGap: Bool

    init(from head: HistoryHead, to basis: Basis, hasNewFacts: Bool) {
        let known = head.coverageGaps
        isForAll =
            head.lastRun.map { last in
                hasNewFacts || last.policy != basis.policyText
                    || basis.hasNewGap(in: .credits, upTo: last.businessDate, except: known)
            } ?? false
        hasNewTransactionGap = basis.hasNewGap(in: .transactions, upTo: basis.horizon.businessDate, except: known)
    }
}

extension BasisChange {
    /// A warning where other rules judged the last run.
    fileprivate static func rules(from last: RunRecord?, to run: RunRecord) -> [NightWarning] {
        guard let last, let now = run.rulesVersion, last.rulesVersion != now else { return [] }
        return [.rulesChanged(from: last.rulesVersion, to: now)]
    }
}

extension Tally {
    /// The tally of the whole history: the known one, with tonight's verdicts in place of those on record for the same
    /// cases.
    fileprivate init(_ verdicts: Verdicts, except recorded: [CaseID: [StoredVerdict]], of known: Tally) {
        self = known
        for record in recorded.values.joined() { remove(record.verdict, record.cause, record.amount) }
        // There are few keys, so a linear search beats hashing.
        var sums: [(key: Tally.Key, sum: CountAndAmount)] = []
        for verdict in verdicts.all {
            let key = Tally.Key(verdict.verdict, verdict.cause, verdict.amount)
            let known = sums.firstIndex { $0.key == key }
            if known == nil { sums.append((key, CountAndAmount())) }
            sums[known ?? sums.count - 1].sum += CountAndAmount(of: verdict.amount)
        }
        for (key, sum) in sums { add(sum, to: key) }
    }
}
