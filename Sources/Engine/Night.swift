public import Domain
public import Exceptions
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
    /// The rest of what the files contained. Orders, credits, transactions and receipts are in
    /// `records`.
    public let delivered: Delivered
    /// What the history keeps about tonight's cases.
    public var records: NightRecords
    /// The product list from tonight on.
    public let products: [Product]
    /// How many subjects there are of each verdict after tonight, the whole history included.
    public let tally: Tally
    /// What tonight changes in the counts of purchases; all of them, if every case was judged again.
    public let purchases: PurchaseTally
    /// What tonight does to the exception register.
    public let transitions: [ExceptionTransition]
    /// For a night of parts judged in memory: the keys of all evidence of the cases of known exceptions.
    public let caseKeys: [ExceptionID: [SubjectKey]]
    /// Acknowledgements that no earlier night read.
    public let answers: [Acknowledgement]
    /// The retry entries that tonight changed.
    public let retries: [RetryEntry]
    /// The report. Its conservation, its cases and its roll-forward are proven.
    public var report: NightReport
    /// What the operator should know apart from the report.
    public let warnings: [NightWarning]

    /// Plays a night, stage by stage: plan, cases, findings; then the second half.
    ///
    /// - Parameters:
    ///   - delivered: what tonight's files contain.
    ///   - time: the business date and "now".
    ///   - history: what earlier nights left behind.
    ///   - threads: the number of cores to use. The result does not depend on it.
    /// - Throws: `EngineError.unproven` where rows, cases or balances do not add up; `Interrupted`; whatever the
    ///   history throws.
    public init(
        _ delivered: consuming Delivered, at time: RunTime, by settings: NightSettings, after history: some History,
        threads: Int = 1, timer: some StageTimer = Untimed()
    ) throws {
        var delivered = consume delivered
        var plan = NightPlan(delivered, at: time, by: settings, after: try history.head())
        let unnamed = delivered.unnamedDeskCredits
        let news = delivered.takeRows()
        plan.note(news.orders)
        let night = NightContext(plan: plan, history: history, threads: threads, timer: timer)
        var tonight = NightCases(news, in: night)
        try tonight.recall()
        try tonight.judge()
        try tonight.judgeNeighbours()
        try tonight.joinDeskOrders()
        try tonight.addNamesakes()
        var findings = try tonight.findings(lookups: delivered.evidence.orderLookups)
        findings.deskCredits = unnamed
        let records = try NightRecords(tonight, history)
        try self.init(findings, records: records, exceptions: tonight.exceptions, delivered: delivered, in: night)
    }

    /// The night's second half: what the findings of tonight's cases mean for the totals, the register, the retry
    /// entries and the report.
    ///
    /// - Parameter exceptions: the known exceptions that the register must see.
    init(
        _ findings: consuming Findings, records: consuming NightRecords, exceptions: [ExceptionRecord],
        delivered: consuming Delivered, in night: NightContext
    ) throws {
        var findings = consume findings
        let delivered = consume delivered
        let (plan, history) = (night.plan, night.history)
        run = plan.run
        basis = plan.basis
        products = basis.products
        self.records = consume records
        self.records.verdicts.take(findings.takeSuggestions(window: basis.policy.suggestionWindow))
        let (recorded, isRebuilt) = (self.records.recorded, self.records.isRebuilt)
        tally = try Tally(findings.tally, except: recorded, of: isRebuilt ? Tally() : history.tally())
        purchases = PurchaseTally(findings.purchases, except: recorded)

        var carried = try night.carry(findings, exceptions, delivered: delivered)
        let (guarded, rows) = try InputGuard(plan.settings, after: plan.head, in: history).findings(
            findings, loaded: self.records.loaded, delivered: delivered, on: run.businessDate)
        findings.rows.settle(news: Set(delivered.evidence.orderLookups.map(\.source)))
        let conservation = Conservation(of: findings.rows, delivered: delivered, answers: carried.answers)
        deliveries = try delivered.deliveries.map { try conservation.counted($0) }
        let parts = ReportParts(
            plan: plan, findings: findings, delivered: delivered, deliveries: deliveries, tally: tally,
            transitions: carried.transitions, clearedToday: carried.clearedToday, rollForward: carried.rollForward)
        report = try night.prove(parts, while: &carried, guarded: guarded)

        if !guarded.isEmpty { report.guarded = guarded }
        report.feedRows = rows
        report.purchases = try purchases.lines(through: run.businessDate, after: isRebuilt ? nil : history)
        let changes = plan.head.settingChanges(to: basis)
        if !changes.isEmpty { report.settingsChanged = changes }
        if plan.settings.retry.isEnabled { report.add(carried.retries, carried.answers.fresh) }
        transitions = carried.transitions
        answers = carried.answers.fresh
        retries = carried.retries.changes
        caseKeys = exceptions.caseKeys(after: transitions, findings.caseKeys)
        let crowded = self.records.facts.crowdedTokens.subtracting(plan.head.facts.crowdedTokens).sorted()
        warnings =
            BasisChange.rules(from: plan.head.lastRun, to: run) + changes.map { .settingChanged($0) }
            + crowded.map { .crowdedToken($0, limit: plan.settings.policy.tokenFanOut) } + basis.unseenWarnings
            + report.flagWarnings + findings.unlinkedWarnings(of: deliveries)
            + delivered.warning(of: findings.deskCredits, findings.observations)
            + carried.warnings
        self.delivered = delivered
    }

    /// Records in the report the result of the self-test that ran before the night.
    public mutating func note(_ test: SelfTest) {
        report.detectors = test.total
        report.detectorsAlive = test.passed
    }
}

/// Stages of the second half that are timed.
extension NightContext {
    /// Carries the exceptions forward to tonight.
    fileprivate func carry(
        _ findings: Findings, _ exceptions: [ExceptionRecord], delivered: Delivered
    ) throws -> CarryForward {
        try timer.time("carry", of: "exceptions") { work in
            var carried = try CarryForward(findings.observations, in: self)
            try carried.withhold(findings.strayCredits, delivered: delivered)
            try carried.hear(delivered)
            try carried.play(exceptions)
            work.add(rows: carried.transitions.count)
            return carried
        }
    }

    /// Proves the report while the retry entries are carried forward. The two do not depend on each other.
    fileprivate func prove(
        _ parts: ReportParts, while carried: inout CarryForward, guarded: [GuardFinding]
    ) throws -> NightReport {
        try timer.time("prove", of: "cases") { work in
            work.add(rows: parts.findings.cases)
            let proven = BackgroundTask(isConcurrent: threads > 1) { try NightReport(parts) }
            let played = Result { try carried.playRetries(guarded) }
            let report = try proven.value()
            try played.get()
            return report
        }
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
    /// The tally of the whole history: the known one, with tonight's subjects in place of those on record for the same
    /// cases.
    fileprivate init(_ tonights: Tally, except recorded: [CaseID: [StoredVerdict]], of known: Tally) {
        self = known
        for record in recorded.values.joined() { remove(record.verdict, record.cause, worth: record.amount) }
        for (key, sum) in tonights.entries { add(sum, to: key) }
    }
}
