internal import Foundation
public import Glibc

/// What monitoring gets in addition to the night's figures. `metrics.prom` is the only file of a night with wall-clock
/// times.
public struct NightMetrics: Sendable {
    /// The real time at which the reports were written.
    public var at: Instant
    /// 0, or 3 if the night needs attention.
    public var exitCode: Int32
    /// The size of the ledger's file, in bytes.
    public var ledgerBytes: Int64
    public var stages: [StageTime]

    public init(at: Instant, exitCode: Int32, ledgerBytes: Int64, stages: [StageTime]) {
        (self.at, self.exitCode, self.ledgerBytes, self.stages) = (at, exitCode, ledgerBytes, stages)
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
        "run_info", help: "The program's version and the business date",
        samples: [([("version", report.version), ("business_date", report.businessDate.text)], "1")])
    page.add(
        "last_run_timestamp_seconds", help: "When the last published night was run",
        seconds(metrics.at.milliseconds))
    page.add("horizon_timestamp_seconds", help: "The horizon of that night", seconds(report.horizon.milliseconds))
    page.add("exit_code", help: "0, or 3 if attention is needed", metrics.exitCode)
    page.add("ledger_bytes", help: "Size of the ledger's file", metrics.ledgerBytes)
    page.addStages(metrics.stages)
    page.addFeeds(report)
    page.addExceptions(report)
    page.addPurchases(report)
    if let loss = report.loss { page.addLoss(loss) }
    let retry = report.retry
    page.add(
        "retry_entries", help: "Retry entries by state", by: "state",
        [("emitted", retry.emitted), ("waiting", retry.waiting), ("held", retry.held), ("dead", retry.dead)])
    page.add(
        "retry_answers", help: "The consumer's answers that came with this night, by outcome", by: "outcome",
        AckOutcome.allCases.map { ($0.rawValue, report.retryAnswers?[$0.rawValue] ?? 0) })
    page.add(
        "self_test_detectors", help: "Rules that passed (alive) and failed (dead) the self-test", by: "state",
        [("alive", report.detectorsAlive), ("dead", report.detectors - report.detectorsAlive)])
    return page.text
}

private struct MetricsPage {
    typealias Sample = (labels: [(name: String, value: String)], value: String)
    private(set) var text = ""

    mutating func add(_ name: String, help: String, _ value: some CustomStringConvertible) {
        add(name, help: help, samples: [([], value.description)])
    }

    /// Adds a metric with a sample for each value of one label.
    mutating func add(
        _ name: String, help: String, by label: String, _ samples: [(String, some CustomStringConvertible)]
    ) {
        add(name, help: help, samples: samples.map { ([(label, $0.0)], $0.1.description) })
    }

    /// Every metric is a gauge: it gives the state after the night.
    mutating func add(_ name: String, help: String, samples: [Sample]) {
        text += "# HELP reconcile_\(name) \(help).\n# TYPE reconcile_\(name) gauge\n"
        for sample in samples {
            let labels = sample.labels.map { "\($0.name)=\"\(escaped($0.value))\"" }.joined(separator: ",")
            text += "reconcile_\(name)" + (labels.isEmpty ? "" : "{\(labels)}") + " \(sample.value)\n"
        }
    }

    private func escaped(_ value: String) -> String {
        value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }

    mutating func addStages(_ stages: [StageTime]) {
        // A night with a second pass has the same stage twice. A series may occur only once.
        var sums: [StageTime] = []
        for stage in stages {
            if let known = sums.firstIndex(where: { $0.stage == stage.stage }) {
                sums[known].wall += stage.wall
                sums[known].processor += stage.processor
                sums[known].items += stage.items
                sums[known].bytes += stage.bytes
            } else {
                sums.append(stage)
            }
        }
        func add(_ name: String, help: String, _ value: (StageTime) -> some CustomStringConvertible) {
            self.add(name, help: help, by: "stage", sums.map { ($0.stage, value($0)) })
        }
        add("stage_seconds", help: "Elapsed time of each stage") { seconds($0.wall) }
        add("stage_processor_seconds", help: "Processor time of each stage") { seconds($0.processor) }
        add("stage_items", help: "Rows, cases or subjects of each stage") { $0.items }
        add("stage_bytes", help: "Bytes that each stage read or wrote") { $0.bytes }
    }

    mutating func addFeeds(_ report: NightReport) {
        let rows = report.conservation.ordered { $0.key.rawValue < $1.key.rawValue }.flatMap { feed, counts in
            [("accepted", counts.accepted), ("duplicate", counts.duplicates), ("rejected", counts.rejected)].map {
                ([("feed", feed.rawValue), ("fate", $0.0)], String($0.1))
            }
        }
        add("rows", help: "Rows read by feed and what became of them", samples: rows)
        let feeds = report.feedRows
        add(
            "feed_rows", help: "Usable rows of required feeds on the business date", by: "name",
            feeds.map { ($0.feed, $0.rows) })
        let usual = feeds.flatMap { feed in
            zip(["least", "most"], [feed.usual.first, feed.usual.last]).compactMap { bound, rows in
                rows.map { ([("name", feed.feed), ("bound", bound)], String($0)) }
            }
        }
        add("feed_rows_usual", help: "The same of up to seven earlier deliveries", samples: usual)
        add(
            "files", help: "Files read, and files skipped because they were read before", by: "fate",
            [("read", report.files.count), ("skipped", report.filesSkipped)])
        add(
            "blind_spots", help: "Days of each feed without data", by: "feed",
            FeedKind.allCases.map { kind in (kind.rawValue, report.coverageGaps.count { $0.feed == kind }) })
        add("accepted_gaps", help: "Days without data that people accepted", report.acceptedGaps.count)
        add(
            "guard_findings", help: "Inputs so unusual that retry entries are held", by: "kind",
            GuardFinding.Kind.allCases.map { kind in
                (kind.rawValue, report.guarded.count { $0.kind == kind })
            })
    }

    mutating func addPurchases(_ report: NightReport) {
        let orders = LostOrders(report)
        func counts(_ count: LostOrders.Count) -> [(String, Int)] { Fulfilment.allCases.map { ($0.name, count[$0]) } }
        func ratio(_ count: LostOrders.Count) -> String { decimal(Int64(count.ratio ?? 0), exponent: 4) }
        add(
            "purchases", help: "Purchases of the business date by how their goods came", by: "fulfilment",
            counts(orders.today))
        add(
            "purchases_30d", help: "Purchases of the last 30 dates by how their goods came", by: "fulfilment",
            counts(orders.total))
        add(
            "lost_order_ratio", help: "Lost orders as a share of the business date's purchases", ratio(orders.today))
        add(
            "lost_order_ratio_30d", help: "Lost orders as a share of the last 30 dates' purchases",
            ratio(orders.total))
    }

    /// Left out where too little is known to say what is usual.
    mutating func addLoss(_ loss: LossReport) {
        if let rate = loss.rate {
            func add(_ name: String, help: String, _ share: Double) {
                self.add("lost_order_rate" + name, help: help, decimal(whole(share * 1_000_000), exponent: 6))
            }
            add("", help: "Lost orders as a share of the newest settled date's purchases", rate.rate)
            add("_usual", help: "The same of the dates before it, together", rate.usual)
            add("_limit", help: "What chance and the usual variation keep the rate below", rate.limit)
            self.add(
                "lost_order_rate_above", help: "Whether the rate is more than usual, by rule", by: "rule",
                RateLimits.Rule.allCases.map { ($0.rawValue, rate.rule == $0 ? 1 : 0) })
        }
        if let delay = loss.delay {
            func add(_ name: String, help: String, _ time: Milliseconds) {
                self.add("goods_delay_p90" + name, help: help, seconds(time.count))
            }
            add("_seconds", help: "Time from payment to goods that 90 of 100 customers did not exceed", delay.p90)
            add("_usual_seconds", help: "The same of the dates before it, their median", delay.usual)
            add("_limit_seconds", help: "From this time on it is more than usual", delay.limit)
        }
    }

    mutating func addExceptions(_ report: NightReport) {
        let figures = RegisterFigures(report.exceptions)
        func add(_ name: String, help: String, _ value: (Verdict) -> Int) {
            self.add(name, help: help, by: "verdict", exceptionVerdicts.map { ($0.rawValue, value($0)) })
        }
        add("exceptions", help: "Open exceptions by verdict") { figures.count(of: $0, where: \.isOpen) }
        add("exceptions_new", help: "New exceptions by verdict") { figures.count(of: $0) { $0 == .new } }
        add("exception_age_seconds_max", help: "Age of the oldest open exception, in whole days") { verdict in
            figures.aging.filter { $0.verdict == verdict }.map(\.ageDaysMax).max().map { $0 * 86_400 } ?? 0
        }
        self.add(
            "exceptions_amount", help: "Value of open exceptions, in units of the currency",
            samples: figures.aging.filter { $0.currency != .absent }.map {
                (
                    [("verdict", $0.verdict.rawValue), ("currency", $0.currency.text)],
                    Money(minor: $0.total.minor, currency: $0.currency).text
                )
            })
        self.add(
            "exceptions_by_state", help: "Exceptions of the night by state", by: "state",
            ExceptionState.allCases.map { ($0.rawValue, figures.count($0)) })
        self.add(
            "subjects", help: "All subjects by verdict and cause",
            samples: report.verdicts.map {
                ([("verdict", $0.verdict.rawValue), ("cause", $0.cause.rawValue)], String($0.subjects))
            })
    }
}

/// Seconds with three decimals: `1763500000.250`.
private func seconds(_ milliseconds: Int64) -> String {
    decimal(milliseconds, exponent: 3)
}
