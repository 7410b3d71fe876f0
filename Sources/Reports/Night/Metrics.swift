public import Domain
internal import Foundation
public import Glibc
public import Engine

/// What a stage of a run took, for `metrics.prom`.
public struct StageFigures: Sendable {
    /// The name of the stage.
    public var stage: String
    /// Elapsed time and the processor time of all threads, in milliseconds.
    public var wall: Int64
    public var processor: Int64
    /// The number of items that the stage counts, and of bytes; 0 if it counts none.
    public var items: Int
    public var bytes: Int64

    public init(stage: String, wall: Int64, processor: Int64, items: Int, bytes: Int64) {
        self.stage = stage
        self.wall = wall
        self.processor = processor
        self.items = items
        self.bytes = bytes
    }

    fileprivate mutating func add(_ other: StageFigures) {
        wall += other.wall
        processor += other.processor
        items += other.items
        bytes += other.bytes
    }
}

/// What monitoring gets in addition to the night's figures. `metrics.prom` is the only file of a night with wall-clock
/// times.
public struct NightMetrics: Sendable {
    /// The real time at which the reports were written.
    public var at: Instant
    /// 0, or 3 if the night needs attention.
    public var exitCode: Int32
    /// The size of the ledger's file, in bytes.
    public var ledgerBytes: Int64
    /// What each stage took.
    public var stages: [StageFigures]

    public init(at: Instant, exitCode: Int32, ledgerBytes: Int64, stages: [StageFigures]) {
        self.at = at
        self.exitCode = exitCode
        self.ledgerBytes = ledgerBytes
        self.stages = stages
    }
}

/// Writes `metrics.prom` into a night's folder, without adding it to SHA256SUMS, and syncs both.
/// See docs/spec/interfaces.md#metrics.
public func writeMetrics(
    _ metrics: NightMetrics, of report: NightReport, into folder: String, fileMode: mode_t
) throws(ReportError) {
    let folder = try ReportFolder(folder, fileMode: fileMode)
    try folder.add(
        ReportPart("metrics.prom") { file throws(ReportError) in
            try file.append(metricsText(metrics, of: report).utf8)
        })
}

/// Copies a night's metrics, if there are any, into the folder to which its reports were written again.
public func copyMetrics(from old: String, into folder: String, fileMode: mode_t) throws(ReportError) {
    guard let content = FileManager.default.contents(atPath: old + "/metrics.prom") else { return }
    let folder = try ReportFolder(folder, fileMode: fileMode)
    try folder.add(ReportPart("metrics.prom") { file throws(ReportError) in try file.append(content) })
}

/// The metrics in the text format of Prometheus. Counts of zero are included, so that alerts can refer to them.
func metricsText(_ metrics: NightMetrics, of report: NightReport) -> String {
    var page = MetricsPage()
    page.add(
        "run_info", "The program's version and the business date",
        [
            ([("version", report.version), ("business_date", report.businessDate.text)], "1")
        ])
    page.add("last_run_timestamp_seconds", "When the last published night was run", seconds(metrics.at.milliseconds))
    page.add("horizon_timestamp_seconds", "The horizon of that night", seconds(report.horizon.milliseconds))
    page.add("exit_code", "0, or 3 if attention is needed", String(metrics.exitCode))
    page.add("ledger_bytes", "Size of the ledger's file", String(metrics.ledgerBytes))
    page.addStages(metrics.stages)
    page.addFeeds(report)
    page.addExceptions(report)
    page.addPurchases(report)
    let retry = report.retry
    let retries = [("emitted", retry.emitted), ("waiting", retry.waiting), ("held", retry.held), ("dead", retry.dead)]
    page.add("retry_entries", "Retry entries by state", retries.map { ([("state", $0.0)], String($0.1)) })
    page.add(
        "retry_answers", "The consumer's answers that came with this night, by outcome",
        AckOutcome.allCases.map { ([("outcome", $0.rawValue)], String(report.retryAnswers?[$0.rawValue] ?? 0)) })
    let (alive, dead) = (report.detectorsAlive, report.detectors - report.detectorsAlive)
    page.add(
        "self_test_detectors", "Rules that passed (alive) and failed (dead) the self-test",
        [
            ([("state", "alive")], String(alive)), ([("state", "dead")], String(dead)),
        ])
    return page.text
}

private struct MetricsPage {
    typealias Sample = (labels: [(name: String, value: String)], value: String)
    private(set) var text = ""

    mutating func add(_ name: String, _ help: String, _ value: String) { add(name, help, [([], value)]) }

    /// Every metric is a gauge: it gives the state after the night.
    mutating func add(_ name: String, _ help: String, _ samples: [Sample]) {
        text += "# HELP reconcile_\(name) \(help).\n# TYPE reconcile_\(name) gauge\n"
        for sample in samples {
            let labels = sample.labels.map { "\($0.name)=\"\(escaped($0.value))\"" }.joined(separator: ",")
            text += "reconcile_\(name)" + (labels.isEmpty ? "" : "{\(labels)}") + " \(sample.value)\n"
        }
    }

    private func escaped(_ value: String) -> String {
        value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }

    mutating func addStages(_ stages: [StageFigures]) {
        // A night with a second pass has the same stage twice. A series may occur only once.
        var sums: [StageFigures] = []
        for stage in stages {
            if let known = sums.firstIndex(where: { $0.stage == stage.stage }) {
                sums[known].add(stage)
            } else {
                sums.append(stage)
            }
        }
        func samples(_ value: (StageFigures) -> String) -> [Sample] {
            sums.map { ([("stage", $0.stage)], value($0)) }
        }
        add("stage_seconds", "Elapsed time of each stage", samples { seconds($0.wall) })
        add("stage_processor_seconds", "Processor time of each stage", samples { seconds($0.processor) })
        add("stage_items", "Rows, cases or subjects of each stage", samples { String($0.items) })
        add("stage_bytes", "Bytes that each stage read or wrote", samples { String($0.bytes) })
    }

    mutating func addFeeds(_ report: NightReport) {
        let rows = report.conservation.sorted { $0.key.rawValue < $1.key.rawValue }.flatMap { feed, counts in
            [("accepted", counts.accepted), ("duplicate", counts.duplicates), ("rejected", counts.rejected)].map {
                ([("feed", feed.rawValue), ("fate", $0.0)], String($0.1))
            }
        }
        add("rows", "Rows read by feed and what became of them", rows)
        let feeds = report.feedRows
        add(
            "feed_rows", "Usable rows of required feeds on the business date",
            feeds.map { ([("name", $0.feed)], String($0.rows)) })
        let usual = feeds.flatMap { feed in
            zip(["least", "most"], [feed.usual.first, feed.usual.last]).compactMap { bound, rows in
                rows.map { ([("name", feed.feed), ("bound", bound)], String($0)) }
            }
        }
        add("feed_rows_usual", "The same of up to seven earlier deliveries", usual)
        add(
            "files", "Files read, and files skipped because they were read before",
            [
                ([("fate", "read")], String(report.files.count)), ([("fate", "skipped")], String(report.filesSkipped)),
            ])
        add(
            "blind_spots", "Days of each feed without data",
            FeedKind.allCases.map { kind in
                ([("feed", kind.rawValue)], String(report.coverageGaps.count { $0.feed == kind }))
            })
        add("accepted_gaps", "Days without data that people accepted", String(report.acceptedGaps?.count ?? 0))
        add(
            "guard_findings", "Inputs so unusual that retry entries are held",
            GuardFinding.Kind.allCases.map { kind in
                ([("kind", kind.rawValue)], String(report.guarded?.count { $0.kind == kind } ?? 0))
            })
    }

    mutating func addPurchases(_ report: NightReport) {
        let orders = LostOrders(report)
        func samples(_ count: LostOrders.Count) -> [Sample] {
            Fulfilment.allCases.map { ([("fulfilment", $0.name)], String(count[$0])) }
        }
        func ratio(_ count: LostOrders.Count) -> String { decimal(Int64(count.ratio ?? 0), exponent: 4) }
        add("purchases", "Purchases of the business date by how their goods came", samples(orders.today))
        add("purchases_30d", "Purchases of the last 30 dates by how their goods came", samples(orders.total))
        add("lost_order_ratio", "Lost orders as a share of the business date's purchases", ratio(orders.today))
        add("lost_order_ratio_30d", "Lost orders as a share of the last 30 dates' purchases", ratio(orders.total))
    }

    mutating func addExceptions(_ report: NightReport) {
        let figures = NightFigures(report.exceptions)
        func samples(_ value: (Verdict) -> Int) -> [Sample] {
            exceptionVerdicts.map { ([("verdict", $0.rawValue)], String(value($0))) }
        }
        add("exceptions", "Open exceptions by verdict", samples { figures.open[$0]?.count ?? 0 })
        add("exceptions_new", "New exceptions by verdict", samples { figures.open[$0]?.new ?? 0 })
        add(
            "exception_age_seconds_max", "Age of the oldest open exception, in whole days",
            samples { verdict in
                figures.aging.filter { $0.verdict == verdict }.map(\.ageDaysMax).max().map { $0 * 86_400 } ?? 0
            })
        add(
            "exceptions_amount", "Value of open exceptions, in units of the currency",
            figures.aging.filter { $0.currency != .absent }.map {
                (
                    [("verdict", $0.verdict.rawValue), ("currency", $0.currency.text)],
                    Money(minor: $0.total.minor, currency: $0.currency).text
                )
            })
        add(
            "exceptions_by_state", "Exceptions of the night by state",
            ExceptionState.allCases.map {
                ([("state", $0.rawValue)], String(figures.states[$0] ?? 0))
            })
        add(
            "subjects", "All subjects by verdict and cause",
            report.verdicts.map {
                ([("verdict", $0.verdict.rawValue), ("cause", $0.cause.rawValue)], String($0.subjects))
            })
    }
}

/// Seconds with three decimals: `1763500000.250`.
private func seconds(_ milliseconds: Int64) -> String {
    decimal(milliseconds, exponent: 3)
}
