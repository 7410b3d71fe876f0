/// The counted purchases after tonight: the tables that change, and what the night's report says of them.
struct NightTables: Sendable {
    /// The dates that a night's report shows the rate and the delays of.
    static let datesShown = 60

    private let date: BusinessDate
    private let pieces: TablePieces
    private let judged: Set<CaseID>
    private let changed: ChangedCases
    /// The tables on record of the blocks that hold a changed case.
    private let stored: [TableKey: EncodedTable]
    /// Those of the last week.
    private let recent: [TableKey: EncodedTable]
    /// The delays on record by table, so that those of changed tables can be left out.
    private let known: [TableKey: DelayHistogram]
    private var sources: LossSources
    /// Files of the last week are missing, so its dates cannot be compared with each other.
    private let hasGaps: Bool

    /// Reads what the history knows. It is not read afterwards, so `merge` may run beside other stages.
    ///
    /// - Parameters:
    ///   - purchases: tonight's changes in the counts of purchases.
    ///   - history: nil if nothing on record counts any more.
    init(
        _ pieces: TablePieces, _ purchases: PurchaseTally, of records: NightRecords, by plan: NightPlan,
        after history: (any History)?
    ) throws {
        date = plan.run.businessDate
        let week = date.advanced(by: 1 - NightReport.week)...date
        hasGaps = plan.basis.coverageGaps.contains { week.contains($0.date) }
        self.pieces = pieces
        judged = records.judgedAgain
        changed =
            history == nil
            ? ChangedCases(known: [], firstNew: 0)
            : ChangedCases(known: records.changedCases, firstNew: plan.head.nextCase)
        stored = try history?.tables(ofBlocks: changed.blocks) ?? [:]
        recent = try history?.tables(in: date.advanced(by: 1 - NightReport.week)...date) ?? [:]
        let first = date.advanced(by: 1 - Self.datesShown - RateLimits.span)
        sources = LossSources(
            zone: plan.basis.policy.zone, horizon: plan.basis.horizon.instant,
            purchases: try history?.purchases(since: first) ?? PurchaseTally(),
            delays: [:])
        sources.purchases.add(purchases)
        known = try history?.delays(in: first...date) ?? [:]
    }

    /// The tables to keep, and what they say. Nil if no purchase is on record for the dates shown.
    func merged(threads: Int) throws -> (tables: [TableKey: EncodedTable], report: LossReport?) {
        let tables = try pieces.merged(with: stored, judged: judged, changed: changed, threads: threads)
        var sources = sources
        for (key, delays) in known.merging(tables.mapValues(\.delays), uniquingKeysWith: { $1 }) {
            sources.delays[key.date, default: DelayHistogram()].add(delays)
        }
        var report = LossReport(of: date.advanced(by: 1 - Self.datesShown)...date, from: sources)
        if report.days.isEmpty { return (tables, nil) }
        let days = date.advanced(by: 1 - NightReport.week)...date
        let week = try recent.merging(tables.filter { days.contains($0.key.date) }) { $1 }.decoded(threads: threads)
        report.explain(
            week.filter { $0.date == date }, as: .night, usual: sources.usualDelays(before: date), threads: threads)
        report.explain(week, as: .week, usual: sources.usualDelays(before: days.lowerBound), threads: threads)
        if hasGaps { report.explanations.removeAll(where: \.namesWeekday) }
        report.count(week, threads: threads)
        return (tables, report)
    }
}
