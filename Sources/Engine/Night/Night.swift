/// One night: everything that the delivered files change, and the report about it. Playing a night writes nothing; a
/// ledger applies the result as a whole.
public struct Night {
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
    /// How many subjects there are of each verdict after tonight, the whole history included.
    public let tally: SubjectTally
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

    /// Records in the report the result of the self-test that ran before the night.
    public mutating func record(_ test: SelfTest) {
        report.detectors = test.total
        report.detectorsAlive = test.passed
    }

    /// The product list from tonight on.
    public var products: [Product] { basis.products }
}

extension Night {
    /// Reconciles a night: plan, cases, findings, then what the findings mean.
    ///
    /// - Parameters:
    ///   - delivered: what tonight's files contain.
    ///   - time: the business date and "now".
    ///   - history: what earlier nights left behind.
    ///   - threads: the number of cores to use. The result does not depend on it.
    /// - Throws: `EngineError.unproven` where rows, cases or balances do not add up; `Interrupted`; whatever the
    ///   history throws.
    public static func reconcile(
        _ delivered: consuming Delivered, at time: RunTime, by settings: NightSettings, after history: some History,
        threads: Int = 1, timer: some StageTimer = Untimed()
    ) throws -> Night {
        var delivered = consume delivered
        var plan = NightPlan(delivered, at: time, by: settings, after: try history.head())
        let unnamed = delivered.unnamedDeskCredits
        let news = delivered.evidence.takePurchaseRows()
        plan.note(news)
        let night = NightContext(plan: plan, history: history, threads: threads, timer: timer)
        var tonight = NightCases(news, in: night)
        try tonight.recall()
        try tonight.judge()
        try tonight.judgeNeighbours()
        try tonight.joinDeskOrders()
        try tonight.addNamesakes()
        let rejected = try night.rejectedRows(of: delivered, for: tonight.verdicts.findings.observations)
        var findings = try tonight.findings(lookups: delivered.evidence.orderLookups, rejected: rejected)
        findings.unnamedDeskCredits = unnamed
        let exceptions = tonight.exceptions
        let records = try NightRecords(of: consume tonight, in: history)
        return try night.conclude(
            findings, records: records, exceptions: exceptions, delivered: delivered, rejected: rejected)
    }
}

/// The stages of a night's second half.
extension NightContext {
    /// The rejected rows that may concern what a machine would credit.
    func rejectedRows(of delivered: Delivered, for observations: [Observation]) throws -> RejectedRows {
        try RejectedRows(of: delivered, after: history, for: observations, by: plan.settings)
    }

    /// What the findings of tonight's cases mean for the register, the retry entries, the totals and the report.
    ///
    /// - Parameters:
    ///   - exceptions: the known exceptions that the register must see.
    ///   - rejected: rows that may concern a purchase that a machine would credit.
    func conclude(
        _ findings: consuming Findings, records: consuming NightRecords, exceptions: [ExceptionRecord],
        delivered: Delivered, rejected: RejectedRows
    ) throws -> Night {
        var findings = consume findings
        var records = consume records
        records.verdicts.add(findings.drainSuggestions(window: plan.basis.policy.suggestionWindow))
        let known = records.isRebuilt ? nil : history
        var tally = try known?.tally() ?? SubjectTally()
        tally.add(findings.tally)
        var purchases = findings.purchases
        var statusOnly = findings.statusOnly - findings.statusOnlyAwaited + (known == nil ? 0 : plan.head.statusOnlyAll)
        for verdict in records.recorded.values.joined() {
            tally.remove(verdict)
            purchases.add(verdict.outcome, verdict.amount, times: -1)
            if verdict.flags.contains(.statusOnly) { statusOnly -= 1 }
        }
        let tables = try NightTables(findings.tables, purchases, of: records, by: plan, after: known)
        let counted = BackgroundTask(isConcurrent: threads > 1) { [threads] in try tables.merged(threads: threads) }
        var carried = try carry(exceptions, by: findings, records.facts, delivered: delivered, rejected: rejected)
        let deliveries = try account(for: &findings, delivered: delivered, answers: carried.answers)
        let inputGuard = InputGuard(
            settings: plan.settings, history: history, head: plan.head, demands: carried.demands,
            asked: carried.retries.entries, purchases: findings.purchases, known: exceptions,
            statusOnlyChange: statusOnly - plan.head.statusOnly, renamed: delivered.renamed,
            tables: { try counted.value().tables })
        let (guarded, rows) = try inputGuard.findings(
            findings, loaded: records.loaded, deliveries: deliveries, arrivals: delivered.arrivals,
            on: plan.run.businessDate)
        var report = try prove(
            ReportParts(
                plan: plan, findings: findings, delivered: delivered, deliveries: deliveries, tally: tally,
                transitions: carried.transitions, clearedToday: carried.clearedToday, rollForward: carried.rollForward),
            while: &carried, guarded: guarded)
        report.guarded = guarded
        if statusOnly != 0 { report.statusOnlyOnRecord = statusOnly }
        report.goodsBreak = goodsBreak(findings, by: records.facts)
        report.labels = plan.settings.labels
        for case .customersWithheld(_, let place) in carried.warnings { report.withholdingRow = place }
        report.note(
            withheld: carried.warnings.compactMap(\.withheld), after: plan.head.renewalDoubts,
            isWhole: !lacksCredits && plan.basis.creditsUnseen.isEmpty, lacking: records.facts.renewals.lackingLately)
        report.purchases = try purchases.lines(through: plan.run.businessDate, after: known)
        (records.tables, report.loss) = try counted.value()
        report.settingsChanged = plan.head.settingChanges(to: plan.basis, plan.settings)
        (report.watched, report.feedRows) = (plan.settings.watched, rows)
        report.noteSamples(of: delivered, after: plan.head, by: plan.basis, feeds: plan.settings.feeds)
        if plan.settings.retry.isEnabled { report.add(carried.retries, carried.answers.fresh) }
        let warnings =
            warnings(of: records.facts, report.settingsChanged) + report.rejectWarnings + report.flagWarnings
            + report.doubtWarnings
            + findings.unlinkedWarnings(of: deliveries, but: delivered.ordersLeftOut)
            + delivered.warning(of: findings.unnamedDeskCredits, findings.observations)
            + carried.warnings.filter(report.tells)
        return Night(
            run: plan.run, basis: plan.basis, deliveries: deliveries, delivered: delivered, records: records,
            tally: tally, purchases: purchases, transitions: carried.transitions,
            caseKeys: exceptions.caseKeys(after: carried.transitions, findings.caseKeys),
            answers: carried.answers.fresh, retries: carried.retries.changes, report: report, warnings: warnings)
    }

    /// A file of a required credits feed is missing.
    private var lacksCredits: Bool { plan.basis.coverageGaps.contains { $0.feed == .credits } }

    /// The purchases in a break of the goods on record. Such cases are open, so every night counts all of them.
    private func goodsBreak(_ findings: Findings, by facts: LedgerFacts) -> GoodsBreak? {
        var policy = plan.basis.policy
        policy.facts = facts
        let count = findings.dates.values.reduce(0) { $0 + $1.inBreak }
        let firstDate = plan.basis.horizon.coverage.firstDate
        guard !policy.breaks(firstDate).isEmpty,
            let oldest = facts.goods.spans.first.map({ policy.zone.date(of: $0.lowerBound) }),
            let end = policy.recordsFrom(firstDate)
        else { return nil }
        let former = plan.head.goodsBreak
        // Without a file of credits, the payments are undetermined.
        if count == 0, lacksCredits, let former { return former }
        // Where other goods are the oldest, the row is surely at hand.
        let place =
            (former?.oldest == oldest ? former?.place : nil)
            ?? findings.oldestGoods.map { "\(plan.files[$0.delivery]?.name ?? ""):\($0.line)" }
        // A gap with other bounds is a new doubt only where more payments are in it.
        let last = former.flatMap { ($0.oldest, $0.end) == (oldest, end) || count <= $0.count ? $0 : nil }
        return GoodsBreak(
            count: count, oldest: oldest, end: end, place: place,
            span: DoubtSpan.updated(last?.span, isWrong: count > 0, on: plan.run.businessDate))
    }

    /// Carries the exceptions forward to tonight.
    private func carry(
        _ exceptions: [ExceptionRecord], by findings: Findings, _ facts: LedgerFacts, delivered: Delivered,
        rejected: RejectedRows
    ) throws -> CarryForward {
        try timer.time("carry", of: "exceptions") { work in
            var carried = try CarryForward(findings.observations, in: self)
            try carried.withhold(by: findings, facts, rejected, delivered.handOuts, exceptions)
            try carried.recordAnswers(in: delivered)
            try carried.updateExceptions(exceptions)
            work.add(rows: carried.transitions.count)
            return carried
        }
    }

    /// Proves that every row is accounted for.
    ///
    /// - Returns: the deliveries, with their accepted and duplicate rows counted.
    private func account(
        for findings: inout Findings, delivered: Delivered, answers: Answers
    ) throws -> [Delivery] {
        findings.rows.settle(news: Set(delivered.evidence.orderLookups.map(\.source)))
        let conservation = Conservation(of: findings.rows, delivered: delivered, answers: answers)
        return try delivered.deliveries.map { try conservation.counted($0) }
    }

    /// Proves the report while the retry entries are carried forward. The two do not depend on each other.
    private func prove(
        _ parts: ReportParts, while carried: inout CarryForward, guarded: [GuardFinding]
    ) throws -> NightReport {
        try timer.time("prove", of: "cases") { work in
            work.add(rows: parts.findings.cases)
            let proven = BackgroundTask(isConcurrent: threads > 1) { try NightReport(parts) }
            let played = Result { try carried.updateRetries(guarded) }
            let report = try proven.value()
            try played.get()
            return report
        }
    }

    /// Warnings where tonight is judged by something else than the last night.
    private func warnings(of facts: LedgerFacts, _ changes: [SettingChange]) -> [NightWarning] {
        var warnings: [NightWarning] = []
        if let last = plan.head.lastRun, let rules = plan.run.rulesVersion, last.rulesVersion != rules {
            warnings.append(.rulesChanged(from: last.rulesVersion, to: rules))
        }
        warnings += changes.map { .settingChanged($0) }
        let crowded = facts.crowdedTokens.subtracting(plan.head.facts.crowdedTokens).ordered()
        warnings += crowded.map { .crowdedToken($0, limit: plan.settings.policy.tokenFanOut) }
        return warnings + plan.basis.unseenWarnings(configured: Set(plan.settings.feeds.map(\.record.name)))
    }
}

extension HistoryHead {
    fileprivate var statusOnlyAll: Int { statusOnly + statusOnlyAwaited }
}
