extension LossReport {
    /// The number of dates in a report that is asked for without dates.
    private static let datesAsked = 28
    /// How many values are listed of the dimension that was asked for.
    private static let valuesAsked = 1000

    /// What the counted purchases of some dates say, from the history alone.
    ///
    /// - Parameters:
    ///   - dates: both nil: the last four weeks.
    ///   - name: lists this dimension alone, and more of its values. Nil lists all dimensions.
    /// - Returns: the report, and the dates that it covers. Nil if the history has no night.
    public static func asked(
        _ history: some MonthHistory, _ settings: NightSettings, from first: BusinessDate?, to last: BusinessDate?,
        by name: String?, threads: Int
    ) throws -> (report: LossReport, dates: ClosedRange<BusinessDate>)? {
        guard let run = try history.head().lastRun else { return nil }
        let basis = Basis(settings, try history.head(asOf: run), of: run)
        let last = last ?? run.businessDate
        let first = min(first ?? last.advanced(by: 1 - datesAsked), last)
        let before = first.advanced(by: -RateLimits.span)
        var sources = LossSources(
            zone: basis.policy.zone, horizon: basis.horizon.instant,
            purchases: try history.purchases(since: before), delays: [:])
        for (key, delays) in try history.delays(in: before...last) {
            sources.delays[key.date, default: DelayHistogram()].add(delays)
        }
        var report = LossReport(of: first...last, from: sources)
        let window = try history.tables(in: first...last).decoded(threads: threads)
        report.explain(window, as: .asked, usual: sources.usualDelays(before: first), threads: threads)
        report.count(window, by: name, limit: name == nil ? valuesMax : valuesAsked, threads: threads)
        return (report, first...last)
    }

    /// What the purchases of a month say.
    /// - Parameter pieces: of the month's dates and the dates before them that limits look at.
    init?(
        of month: Period, _ pieces: TablePieces, _ purchases: PurchaseTally, basis: Basis, threads: Int
    ) throws {
        var sources = LossSources(
            zone: basis.policy.zone, horizon: basis.horizon.instant, purchases: purchases, delays: [:])
        var window: [DateTable] = []
        for (key, tables) in pieces.tables.ordered() {
            for table in tables {
                sources.delays[key.date, default: DelayHistogram()].add(table.delays)
                if month.contains(key.date) { window.append(try table.table(of: key.date)) }
            }
        }
        self.init(of: month.first...month.last, from: sources)
        if days.isEmpty { return nil }
        explain(window, as: .month, usual: sources.usualDelays(before: month.first), threads: threads)
        count(window, threads: threads)
    }
}

extension [TableKey: EncodedTable] {
    /// The tables, in the order of their keys.
    /// - Throws: `EngineError` where bytes are damaged.
    func decoded(threads: Int) throws -> [DateTable] {
        let tables = sorted { $0.key < $1.key }
        return try concurrently(threads: threads, tables.count) { index in
            Result { try tables[index].value.table(of: tables[index].key.date) }
        }.map { try $0.get() }
    }
}
