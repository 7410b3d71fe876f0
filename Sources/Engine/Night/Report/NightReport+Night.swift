struct ReportParts: Sendable {
    var plan: NightPlan
    var findings: Findings
    var delivered: Delivered
    /// Tonight's deliveries, with their accepted and duplicate rows counted.
    var deliveries: [Delivery]
    var tally: SubjectTally
    var transitions: [ExceptionTransition]
    var clearedToday: [ExceptionRow]
    var rollForward: [RollForwardLine]
}

extension NightReport {
    /// The report of a night, proven to add up.
    /// - Throws: `EngineError.unproven` where the roll-forward does not add up.
    init(_ night: ReportParts) throws(EngineError) {
        let (run, basis) = (night.plan.run, night.plan.basis)
        self.init(
            businessDate: run.businessDate, asOf: run.asOf, horizon: run.horizon,
            timeZone: night.plan.settings.policy.zone.name, run: run.id, version: run.version)
        files = night.deliveries.map { FileLine($0, businessDate: run.businessDate) }
            .ordered { $0.name.isBefore($1.name) }
        for delivery in night.deliveries { conservation[delivery.kind, default: RowCounts()].add(delivery) }
        filesSkipped = night.delivered.filesSkipped
        coverageGaps = basis.coverageGaps
        acceptedGaps = basis.acceptedGaps
        feeds = basis.feeds
        verdicts = night.tally.lines
        judged = night.findings.judged
        flags = night.findings.flagCounts
        if night.findings.statusOnlyAwaited > 0 { statusOnlyAwaited = night.findings.statusOnlyAwaited }
        exceptions = (night.transitions.compactMap(\.row) + night.clearedToday).inReportOrder()
        rollForward = night.rollForward
        refunds = night.findings.refunds.ordered { ($0.revokedAt, $0.transaction) < ($1.revokedAt, $1.transaction) }
        rejects = night.delivered.rejects
        for line in rollForward where !line.isProven {
            throw .unproven("the roll-forward of \(line.verdict.rawValue) \(line.currency) does not add up")
        }
    }

    /// Adds the night's retry entries, and the answers to them.
    mutating func add(_ retries: RetryRegister, _ answers: [Acknowledgement]) {
        retry = retries.counts
        if !feeds.contains(where: { $0.kind == .acks }) { retry.unanswered = nil }
        retryAnswers = answers.reduce(into: [:]) { $0[$1.outcome.rawValue, default: 0] += 1 }
        retryLists = retries.lists
    }
}

extension RowCounts {
    fileprivate mutating func add(_ delivery: Delivery) {
        rows += delivery.totals.rows
        accepted += delivery.accepted
        duplicates += delivery.duplicates
        rejected += delivery.totals.rejected
    }
}

extension FileLine {
    public init(_ delivery: Delivery, businessDate: BusinessDate) {
        var counts = RowCounts()
        counts.add(delivery)
        let totals = delivery.totals
        self.init(
            name: delivery.name, feed: delivery.kind, digest: delivery.digest.hex,
            fileDate: delivery.fileDate, counts: counts, firstEvent: totals.firstEvent,
            lastEvent: totals.lastEvent,
            amounts: totals.amounts.ordered().map {
                Money(minor: $0.value, currency: $0.key)
            },
            hashTotal: hexadecimal(totals.hashTotal), isLate: delivery.fileDate < businessDate)
    }
}
