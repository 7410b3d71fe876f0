import Domain
import Testing

@testable import Engine
@testable import Reports

/// The lost-order rate in summary, page, workbook, JSON and metrics.
@Suite struct LostOrdersTests {
    private static let date = BusinessDate("2025-11-18")!

    private static func line(_ days: Int, _ way: Fulfilment, _ count: Int, _ amounts: [Money]) -> PurchaseLine {
        PurchaseLine(date: date.advanced(by: days), fulfilment: way, count: count, amounts: amounts)
    }

    private static func report(_ change: (inout NightReport) -> Void = { _ in }) -> NightReport {
        var report = SampleNight().report
        report.purchases = [
            line(-1, .withinHour, 90, [Money(minor: 54_000, currency: "CNY")]),
            line(-1, .withinDay, 4, [Money(minor: 2_400, currency: "CNY")]),
            line(-1, .later, 3, [Money(minor: 1_800, currency: "CNY"), Money(minor: 99, currency: "EUR")]),
            line(-1, .byHand, 2, [Money(minor: 1_200, currency: "CNY"), Money(minor: 230, currency: "JPY")]),
            line(-1, .lost, 1, []),
            line(0, .withinHour, 198, [Money(minor: 118_800, currency: "CNY")]),
            line(0, .lost, 1, [Money(minor: 600, currency: "CNY")]),
            line(0, .waiting, 1, [Money(minor: 600, currency: "CNY")]),
        ]
        change(&report)
        return report
    }

    private let texts: Texts

    init() throws { texts = try Texts(language: .english) }

    @Test func theSummaryHasTheDateAndAllDatesOnRecord() {
        #expect(
            texts.lostOrders(in: Self.report()) == [
                "2025-11-18: 1 of 200 purchases (0.50%), worth CNY 6.00",
                "2025-11-17 – 2025-11-18: 7 of 300 purchases (2.33%), worth CNY 36.00, EUR 0.99, other currencies: 1",
            ])
        #expect(summaryText(Self.report(), texts: texts).contains("Lost-order rate\n  2025-11-18: 1 of 200"))
    }

    @Test func withoutPurchasesThereIsNoRate() {
        let report = Self.report { $0.purchases = [] }
        #expect(texts.lostOrders(in: report) == [])
        #expect(!summaryText(report, texts: texts).contains("Lost-order"))
        let before = Self.report { $0.purchases = [Self.line(-1, .lost, 1, [])] }
        #expect(
            texts.lostOrders(in: before) == [
                "2025-11-18: 0 of 0 purchases (none)", "2025-11-17 – 2025-11-18: 1 of 1 purchase (100.00%)",
            ])
    }

    /// While files are missing, the sentence gives the counts and no rate.
    @Test func missingFilesTakeTheRateAway() throws {
        func report(_ days: Int) -> NightReport {
            Self.report {
                let gap = CoverageGap(
                    feed: .credits, date: Self.date.advanced(by: days), reason: .missing(feed: "credits"))
                $0.coverageGaps = [gap]
            }
        }
        let known = texts.lostOrders(in: Self.report())
        #expect(texts.lostOrders(in: report(-2)) == known)
        #expect(
            texts.lostOrders(in: report(-1)) == [
                known[0],
                "2025-11-17 – 2025-11-18: 7 of 300 purchases known so far, worth CNY 36.00, EUR 0.99, other currencies: 1. "
                    + "Files are missing, so more may be lost.",
            ])
        let chinese = try Texts(language: .chinese)
        #expect(
            chinese.lostOrders(in: report(0))[0]
                == "2025-11-18：目前已知 200 笔付款中掉单 1 笔，金额 CNY 6.00。数据尚未到齐，实际掉单可能更多。")
        func sheet(_ days: Int) -> String {
            "\(Page(lostOrders: report(days).purchases, gaps: report(days).coverageGaps, texts).rows)"
        }
        #expect(sheet(0).contains("Files are missing") && !sheet(-2).contains("Files are missing"))
    }

    @Test func ratesAreRounded() {
        #expect(LostOrders.percent(2, of: 3) == "66.67%" && LostOrders.percent(1, of: 0) == nil)
    }

    @Test func metricsAndJSONHaveTheSameFigures() throws {
        let metrics = metricsText(
            NightMetrics(at: .init(milliseconds: 0), exitCode: 0, ledgerBytes: 0, stages: []), of: Self.report())
        for line in [
            "purchases{fulfilment=\"within_hour\"} 198", "purchases{fulfilment=\"by_hand\"} 0",
            "purchases_30d{fulfilment=\"by_hand\"} 2", "lost_order_ratio 0.0050", "lost_order_ratio_30d 0.0233",
        ] { #expect(metrics.contains("\nreconcile_\(line)\n"), "\(line)") }
        let json = summaryJSON(Self.report()).page
        #expect(json.contains("\"lost_order_ratio\": \"0.0600\""), "\(json.suffix(2000))")
        #expect(json.contains("\"lost_orders\": 6"))
    }
}
