public import Base
public import Domain
public import Exceptions
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
        var plan = NightPlan(delivered, at: time, settings, try history.head())
        let (unnamed, news) = (delivered.unnamedDeskCredits, delivered.takeRows())
        plan.note(news.orders)
        let tonight = try NightCases(history, plan, news, threads: threads, timer)
        var findings = try tonight.findings(lookups: delivered.evidence.orderLookups)
        findings.deskCredits = unnamed
        try self.init(
            plan, findings, NightRecords(tonight, history), exceptions: tonight.exceptions, delivered, history,
            threads: threads, timer)
    }

    /// The night's second half: what the findings of tonight's cases mean for the register, the retry entries, the
    /// totals and the report.
    ///
    /// - Parameter exceptions: the known exceptions that the register must see.
    init(
        _ plan: NightPlan, _ judged: consuming Findings, _ written: consuming NightRecords,
        exceptions: [ExceptionRecord], _ delivered: consuming Delivered, _ history: some History, threads: Int,
        _ timer: some StageTimer
    ) throws {
        var (findings, delivered) = (consume judged, consume delivered)
        let (time, settings, head, basis) = (plan.time, plan.settings, plan.head, plan.basis)
        (run, self.basis, products) = (plan.run, basis, basis.products)
        records = consume written
        records.verdicts.take(findings.takeSuggestions(window: basis.policy.suggestionWindow))
        tally = try Tally(findings.tally, except: records.recorded, of: records.isRebuilt ? Tally() : history.tally())
        purchases = PurchaseTally(findings.purchases, except: records.recorded)
        var carried = try timer.time("carry", of: "exceptions") { work in
            let carried = try CarryForward(
                findings.observations, exceptions, strayCredits: findings.strayCredits, delivered, plan, history,
                threads: threads)
            work.add(rows: carried.transitions.count)
            return carried
        }
        let (guarded, rows) = try InputGuard(settings, head, history).findings(
            findings.dates, findings.contradictions, findings.clockShifts, loaded: records.loaded, delivered,
            on: time.businessDate)
        findings.rows.settle(news: Set(delivered.evidence.orderLookups.map(\.source)))
        let conservation = Conservation(findings.rows, delivered, carried.answers)
        deliveries = try delivered.deliveries.map { try conservation.counted($0) }
        let parts = ReportParts(
            plan: plan, findings: findings, delivered: delivered, deliveries: deliveries, tally: tally,
            transitions: carried.transitions, clearedToday: carried.clearedToday, rollForward: carried.rollForward)
        report = try timer.time("prove", of: "cases") { [parts] work in
            work.add(rows: parts.findings.cases)
            // The two do not depend on each other.
            let proven = BackgroundTask(isConcurrent: threads > 1) { try NightReport(parts) }
            let played = Result { try carried.playRetries(guarded, history) }
            let report = try proven.value()
            try played.get()
            return report
        }
        if !guarded.isEmpty { report.guarded = guarded }
        report.feedRows = rows
        report.purchases = try purchases.lines(through: time.businessDate, after: records.isRebuilt ? nil : history)
        let changes = head.settingChanges(to: basis)
        if !changes.isEmpty { report.settingsChanged = changes }
        if settings.retry.isEnabled { report.add(carried.retries, carried.answers.fresh) }
        caseKeys = exceptions.caseKeys(after: carried.transitions, findings.caseKeys)
        (transitions, answers, retries) = (carried.transitions, carried.answers.fresh, carried.retries.changes)
        let crowded = records.facts.crowdedTokens.subtracting(head.facts.crowdedTokens).sorted()
        warnings =
            BasisChange.rules(from: head.lastRun, to: run) + changes.map { .settingChanged($0) }
            + crowded.map { .crowdedToken($0, limit: settings.policy.tokenFanOut) } + basis.unseenWarnings
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
        for record in recorded.values.joined() { remove(record.verdict, record.cause, record.amount) }
        for (key, sum) in tonights.entries { add(sum, to: key) }
    }
}
