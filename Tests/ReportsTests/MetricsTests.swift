import Base
import Domain
import Testing

@testable import Engine
@testable import Reports

/// `metrics.prom`: a file for the node exporter's textfile collector.
@Suite struct MetricsTests {
    private static func text(_ change: (inout NightReport) -> Void = { _ in }) -> String {
        var report = SampleNight().report
        change(&report)
        // A night with a second pass has its stages twice.
        let stages = [
            StageTime(stage: "read", unit: "rows", wall: 1204, processor: 2310, items: 4_000_000, bytes: 1_097_000_000),
            StageTime(stage: "match", unit: "cases", wall: 1000, processor: 10, items: 1, bytes: 0),
            StageTime(stage: "match", unit: "cases", wall: 500, processor: 20, items: 2, bytes: 7),
        ]
        let metrics = NightMetrics(
            at: Instant(milliseconds: 1_763_500_000_250), exitCode: 3, ledgerBytes: 8192, stages: stages)
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
                of: /(reconcile_[a-z0-9_]+)(\{([a-z_]+="([^"\\\n]|\\["\\n])*",?)+\})? (-?[0-9]+(\.[0-9]+)?)/)
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

    /// A collector drops a file with the same series twice, and a push gateway refuses it.
    @Test func noSeriesOccursTwice() {
        let series = Self.text().split(separator: "\n").filter { !$0.hasPrefix("#") }.map { $0.prefix { $0 != " " } }
        #expect(Set(series).count == series.count)
        for line in [
            "stage_seconds{stage=\"match\"} 1.500", "stage_items{stage=\"match\"} 3", "stage_bytes{stage=\"match\"} 7",
        ] {
            #expect(Self.text().contains("reconcile_\(line)\n"), "\(line)")
        }
    }

    @Test func theGuardIsCounted() {
        #expect(Self.text { $0.guarded = [] }.contains("reconcile_guard_findings{kind=\"rows\"} 0\n"))
        let finding = GuardFinding(kind: .rows, feed: .credits, date: BusinessDate("2025-11-18")!, count: 0, total: 9)
        #expect(Self.text { $0.guarded = [finding] }.contains("reconcile_guard_findings{kind=\"rows\"} 1\n"))
    }

    @Test func whatIsNotThereIsZeroAndNeverMissing() {
        let empty = Self.text { report in
            report.exceptions = []
            report.coverageGaps = []
        }
        #expect(empty.contains("reconcile_exceptions{verdict=\"paid_not_credited\"} 0\n"))
        #expect(empty.contains("reconcile_blind_spots{feed=\"credits\"} 0\n"))
    }

    @Test func rowsStandBesideTheUsualOnesAndAnswersByOutcome() {
        let text = Self.text { report in
            report.feedRows = [
                FeedRows(feed: "credits", rows: 19, usual: [185, 240, 537]),
                FeedRows(feed: "orders", rows: 7, usual: []),
            ]
            report.retryAnswers = ["applied": 4]
        }
        for line in [
            "feed_rows{name=\"credits\"} 19", "feed_rows_usual{name=\"credits\",bound=\"least\"} 185",
            "feed_rows_usual{name=\"credits\",bound=\"most\"} 537", "feed_rows{name=\"orders\"} 7",
            "retry_answers{outcome=\"applied\"} 4", "retry_answers{outcome=\"permanent_error\"} 0",
        ] { #expect(text.contains("\nreconcile_\(line)\n"), "\(line)") }
        #expect(!text.contains("name=\"orders\",bound"))
    }

    @Test func aLabelCannotEndItself() {
        let text = Self.text { $0.version = "1\"} 0\n\\" }
        #expect(text.contains(#"{version="1\"} 0\n\\",business_date="#))
    }
}
