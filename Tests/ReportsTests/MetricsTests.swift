import Domain
import ReportData
import Testing

@testable import Reports

/// `metrics.prom`: a file for the node exporter's textfile collector.
@Suite struct MetricsTests {
    private static func text(_ change: (inout NightReport) -> Void = { _ in }) -> String {
        var report = SampleNight().report
        change(&report)
        let stage = StageFigures(stage: "read", wall: 1204, processor: 2310, items: 4_000_000, bytes: 1_097_000_000)
        let metrics = NightMetrics(
            at: Instant(milliseconds: 1_763_500_000_250), exitCode: 3, ledgerBytes: 8192, stages: [stage])
        return metricsText(metrics, of: report)
    }

    @Test func everyLineIsASampleOfTheMetricAboveIt() {
        var name = ""
        for line in Self.text().split(separator: "\n") {
            if line.hasPrefix("# ") {
                name = String(line.split(separator: " ")[2])
                continue
            }
            let sample = line.wholeMatch(
                of: /(reconcile_[a-z_]+)(\{([a-z_]+="([^"\\\n]|\\["\\n])*",?)+\})? (-?[0-9]+(\.[0-9]+)?)/)
            #expect(sample != nil && sample.map { String($0.output.1) } == name, "\(line)")
        }
        #expect(name == "reconcile_self_test_detectors")
    }

    @Test func itTellsTimesRowsAndExceptions() {
        let lines = Set(Self.text().split(separator: "\n").map(String.init))
        for line in [
            "reconcile_last_run_timestamp_seconds 1763500000.250", "reconcile_exit_code 3",
            "reconcile_stage_seconds{stage=\"read\"} 1.204", "reconcile_stage_bytes{stage=\"read\"} 1097000000",
            "reconcile_rows{feed=\"receipts\",fate=\"accepted\"} 100003", "reconcile_blind_spots{feed=\"credits\"} 1",
            "reconcile_blind_spots{feed=\"orders\"} 0", "reconcile_retry_entries{state=\"dead\"} 1",
        ] { #expect(lines.contains(line), "\(line)") }
    }

    @Test func whatIsNotThereIsZeroAndNeverMissing() {
        let empty = Self.text { report in
            report.exceptions = []
            report.coverageGaps = []
        }
        #expect(empty.contains("reconcile_exceptions{verdict=\"paid_not_credited\"} 0\n"))
        #expect(empty.contains("reconcile_blind_spots{feed=\"credits\"} 0\n"))
    }

    @Test func aLabelCannotEndItself() {
        let text = Self.text { $0.version = "1\"} 0\n\\" }
        #expect(text.contains(#"{version="1\"} 0\n\\",business_date="#))
    }
}
