/// Makes a month's report from a history as it was known at some "now".
public struct Month {
    private let history: any MonthHistory
    private let settings: NightSettings
    /// The last run that was known then.
    public let run: RunRecord
    private let isLatest: Bool
    /// The months that were closed by the same calendar up to that run, in the order of closing.
    public let seals: [MonthSeal]
    /// The months that were closed by the other calendar.
    private let closedByOther: [String]

    /// - Parameters:
    ///   - isLatest: whether `run` is the history's last run.
    ///   - closedByOther: the months that were closed by the other calendar.
    public init(
        _ history: some MonthHistory, _ settings: NightSettings, run: RunRecord, isLatest: Bool, seals: [MonthSeal],
        closedByOther: [String] = []
    ) {
        self.history = history
        self.settings = settings
        self.run = run
        self.isLatest = isLatest
        self.seals = seals
        self.closedByOther = closedByOther.ordered()
    }

    /// How the settings that decide verdicts differ from those by which the run judged. A closing would record the run's.
    public func settingChanges() throws -> [SettingChange] {
        run.settingChanges(to: Basis(settings, try history.head(asOf: run), of: run))
    }

    /// The month's report, made from all evidence that was known, and compared with Apple's reports.
    ///
    /// - Parameters:
    ///   - period: the month.
    ///   - apple: Apple's financial reports for it, and earlier ones; nil for none.
    ///   - asOf: "now", for the report.
    ///   - sink: receives each purchase and refund of the month; nil if they are not listed.
    /// - Throws: `EngineError.unproven` where the figures do not add up; `Interrupted`; whatever the history throws.
    public func report(
        _ period: Period, apple: AppleMonths?, asOf: Instant,
        purchases sink: (any PurchaseSink)? = nil, threads: Int, timer: some StageTimer
    ) throws -> MonthReport {
        let head = try history.head(asOf: run)
        let basis = Basis(settings, head, of: run)
        let zone = basis.policy.zone
        let closed = try ClosedMonths(
            history, settings: settings, head: head, basis: basis, seals: seals, except: period)
        let scope = MonthScope(
            period, policy: basis.policy, windows: closed.months.map(\.window), days: apple?.days(with: period),
            closed: seals.compactMap(\.month))
        let sum = try timer.time("judge", of: "cases") { work in
            let stream = CaseStream(
                open: history.openReader, pieces: try history.ranges(ofCases: CaseStream.pieceSize),
                lastDelivery: try history.lastDelivery(through: run.id), threads: threads, work: work)
            let pass = MonthPass(stream: stream, scope: scope, basis: basis, closed: closed, sink: sink)
            return try pass.run(history, isLatest: isLatest)
        }
        var report = MonthReport(
            period, timeZone: zone.name, asOf: asOf, run: run.id, lastNight: run.businessDate,
            version: settings.version)
        report.bundles = basis.policy.bundles.map(\.text).ordered()
        report.environment = basis.policy.environment.name
        report.closedByOther = closedByOther
        sum.tally.fill(&report)
        report.subLedger?.rows = sum.entryRows.rows
        report.fulfilment = sum.outcomes.lines(in: period.first...period.last)
        report.loss = try LossReport(of: period, sum.tables, sum.outcomes, basis: basis, threads: threads)
        for line in report.money { if let problem = line.problem { throw EngineError.unproven(problem) } }
        report.coverageGaps = basis.coverageGaps.filter { period.contains($0.date) }
        report.acceptedGaps = basis.acceptedGaps.filter { period.contains($0.date) }
        let recordsFrom = basis.policy.historyFrom ?? basis.horizon.coverage.firstDate
        report.recordsFrom = recordsFrom.flatMap { $0 > period.first ? $0 : nil }
        try report.addRollForward(of: history, through: run)
        try report.addExceptions(of: history, through: run)
        report.register = RegisterTie(report, isWithin: scope.span.contains).lines
        try addRestated(to: &report, sum, closed, basis)
        report.completeness = sum.completeness.lines(files: try filedAmounts(), money: report.money)
        if let apple {
            report.apple =
                BridgeMaker(
                    apple, month: period, days: sum.tally.days,
                    known: sum.tally.products.union(basis.products.map(\.id))
                ).bridge
        }
        return report
    }

    /// Adds what closed months changed by, and what is known of the causes.
    private func addRestated(
        to report: inout MonthReport, _ sum: MonthSum, _ closed: ClosedMonths, _ basis: Basis
    ) throws {
        let names = closed.months.map(\.name)
        report.restated = restated(sum.tally.windows, names)
        let runs = try history.runs(through: run.id)
        let each = closed.former.enumerated().map { number, former in
            (name: former.name, part: sum.bySetting.isEmpty ? nil : sum.bySetting[number])
        }
        report.restatedSubjects = try sum.changes.lines(
            months: names, bySettings: sum.bySettings, each: each, products: Set(closed.settingsChanged.map(\.setting))
        ) { delivery in
            guard let file = try history.files(of: [delivery])[delivery],
                let run = try runs.first(where: { try history.lastDelivery(through: $0.id) >= delivery })
            else { return nil }
            return (file.name, run.businessDate)
        }
        report.hasSameGaps = closed.reported.map { $0.basis.coverageGaps == basis.coverageGaps }
        report.hasSameRules = closed.reported.map { _ in closed.hasSameRules }
        report.gapDecisions = closed.gapDecisions
        report.gapChanges = try gapChanges(closed, basis, nights: runs)
        if !report.gapDecisions.isEmpty || !report.acceptedGaps.isEmpty {
            let alone = Dictionary(grouping: basis.feeds, by: \.kind).values.filter { $0.count == 1 }.joined()
            report.feedKinds = Dictionary(alone.map { ($0.name, $0.kind) }) { $1 }
        }
        // A new product is listed only if it restates a month.
        let touched = Set(report.restatedSubjects.compactMap(\.product).map { SettingChange.ofProduct + $0 })
            .union(report.restatedSubjects.flatMap { $0.settings.values.joined() })
        report.settingsChanged = closed.settingsChanged.filter {
            $0.old != nil || $0.product == nil || touched.contains($0.setting)
        }
        report.addUntracedChanges()
    }

    /// Which gaps began or ended since a month was closed last, and how.
    private func gapChanges(_ closed: ClosedMonths, _ basis: Basis, nights: [RunRecord]) throws -> [GapChange] {
        guard let reported = closed.reported, let last = seals.last?.run else { return [] }
        let kinds = Dictionary(
            (reported.basis.coverageGaps + basis.coverageGaps).map { ($0.day, $0.feed) }
        ) { first, _ in first }
        let (then, now) = (Set(reported.basis.coverageGaps.map(\.day)), Set(basis.coverageGaps.map(\.day)))
        if then == now { return [] }
        let since = try nights.filter { $0.id > last }.map { run in
            let outline = try history.outline(of: run)
            return (date: run.businessDate, gaps: Set(outline.coverageGaps.map(\.day)), files: outline.files)
        }
        return then.symmetricDifference(now).map { day in
            let (hasBegun, kind) = (now.contains(day), kinds[day]!)
            let isDecided = closed.gapDecisions.contains { $0.feed == day.feed && $0.date == day.date }
            var change = GapChange(feed: kind, date: day.date, hasBegun: hasBegun, isDecided: isDecided)
            change.night = since.reversed().prefix { $0.gaps.contains(day) == hasBegun }.last?.date
            for night in since where !hasBegun && !isDecided {
                guard let file = night.files.last(where: { $0.feed == kind && $0.fileDate == day.date }) else {
                    continue
                }
                (change.file, change.night) = (file.name, night.date)
            }
            return change
        }.ordered { ($0.date, $0.feed.rawValue) < ($1.date, $1.feed.rawValue) }
    }

    /// What the control totals of all files add up to, by feed.
    private func filedAmounts() throws -> [FeedKind: MoneySum] {
        var sums: [FeedKind: MoneySum] = [:]
        for run in try history.runs(through: run.id) {
            for file in try history.outline(of: run).files {
                for amount in file.amounts { sums[file.feed, default: MoneySum()].add(amount) }
            }
        }
        return sums
    }

    /// The closed months whose figures differ from those last reported.
    private func restated(_ tables: [SalesTable], _ names: [String]) -> [RestatedLine] {
        let known = known
        return zip(names, tables).flatMap { name, table in
            let now = table.movements
            let before = known[name] ?? [:]
            return Set(now.keys).union(before.keys).ordered().map { currency in
                RestatedLine(
                    period: name, currency: currency, reported: before[currency] ?? Movements(),
                    now: now[currency] ?? Movements())
            }.filter { $0.change != Movements() }
        }
    }
}

extension MonthReport {
    /// Adds a line without a subject for each change of a closed month that no subject explains. Such a change comes from
    /// rules that are newer than the month's report: "then" is judged by the rules of today.
    fileprivate mutating func addUntracedChanges() {
        var rest: [String: [Currency: Movements]] = [:]
        for line in restated { rest[line.period, default: [:]][line.currency] = line.change }
        for subject in restatedSubjects {
            let known = rest[subject.period]?[subject.currency] ?? Movements()
            rest[subject.period, default: [:]][subject.currency] = known - subject.change
        }
        for (period, changes) in rest.ordered() {
            for (currency, change) in changes.ordered() where change != Movements() {
                restatedSubjects.append(
                    RestatedSubject(period: period, subject: "", product: nil, currency: currency, change: change))
            }
        }
    }
}
