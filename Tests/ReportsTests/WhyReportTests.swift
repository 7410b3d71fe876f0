import Base
import Domain
import Foundation
import Testing

@testable import Engine
@testable import Reports

/// What lost orders have in common in page, workbook, metrics and month.
@Suite struct WhyReportTests {
    let scratch: ScratchBuffer

    init() throws { scratch = try ScratchBuffer() }

    private func night(_ loss: LossReport?) -> NightReport {
        var report = SampleNight().report
        report.loss = loss
        return report
    }

    @Test(arguments: Language.allCases)
    func thePageDrawsRatesAndDelays(language: Language) throws {
        let page = String(
            decoding: try #require(try scratch.render(night(.sample), language)["report.html"]), as: UTF8.self)
        #expect(page.components(separatedBy: "class=\"plot\"").count == 3)
        // Rate, usual and limit with the marks of three bad dates, because the fourth lacks a file; p90 and p50.
        #expect(page.components(separatedBy: "<path class=\"worth\"").count == 3)
        let marks = try #require(page.firstMatch(of: /class="worth mark" d="([^"]*)"/)).output.1
        #expect(marks.components(separatedBy: "h0").count == 4, "\(marks)")
        let label =
            language == .english
            ? "Lost-order rate by date, 2025-09-20 to 2025-11-17; highest 1.24% on" : "每日掉单率；最高 1.24%"
        #expect(page.contains(label))
        #expect(
            !String(decoding: try scratch.render(night(nil))["report.html"]!, as: UTF8.self).contains("class=\"plot\""))
    }

    /// One lost order of one purchase is no rate of 100 %.
    @Test func aDateWithFewPurchasesHasNeitherRateNorDelay() throws {
        var loss = LossReport.sample
        (loss.days[0].purchases, loss.days[0].lost) = (49, 49)
        let files = try scratch.render(night(loss))
        let page = String(decoding: files["report.html"]!, as: UTF8.self)
        #expect(page.contains("Lost-order rate by date, 2025-09-21 to 2025-11-17; highest 1.24% on"))
        #expect(page.components(separatedBy: ">2025-09-21<").count == 3, "both plots begin there")
        let sheet = try #require(try scratch.sheets(files["reconciliation.xlsx"]!).first { $0.name == "In common" })
        let first = try #require(sheet.cells.first { $0.value.text == "2025-09-20" }).key.dropFirst()
        #expect(sheet.cells["B\(first)"]?.text == "too few purchases")
        #expect(["E", "H", "I", "J"].allSatisfy { sheet.cells["\($0)\(first)"]?.text ?? "" == "" }, "rate and delays")
    }

    /// The page's search knows open exceptions by their labels. Late goods are no exceptions.
    @Test func anExplanationWithALabelFindsItsExceptions() throws {
        let page = String(decoding: try scratch.render(night(.sample))["report.html"]!, as: UTF8.self)
        #expect(page.contains("<a href=\"#server%3Dzone_17\">Find open exceptions with zone_17</a>"))
        #expect(!page.contains("#channel%3D") && !page.contains("#app_version%3D"))
    }

    @Test(arguments: ["=1+1", "</script><b>", "\u{202E}gpj", "\u{1B}[2J", String(repeating: "=", count: 64)])
    func aHostileLabelDoesNoHarm(text: String) throws {
        let report = night(.hostile(text))
        let files = try scratch.render(report)
        for (name, isJSON) in [("report.html", false), ("summary.txt", false), ("summary.json", true)] {
            let shown = String(decoding: files[name]!, as: UTF8.self)
            #expect(!shown.unicodeScalars.contains("\u{202E}") && !shown.unicodeScalars.contains("\u{1B}"), "\(name)")
            if !isJSON { #expect(name == "summary.txt" || !shown.contains("</script><b>"), "\(name)") }
        }
        let sheet = try #require(try scratch.sheets(files["reconciliation.xlsx"]!).first { $0.name == "In common" })
        #expect(sheet.cells.values.contains { $0.isText && $0.text == display(text) })
        // The only formulas are the totals of purchases and lost orders.
        #expect(sheet.cells.values.count(where: \.isFormula) == 2)
        let screen = lossText(
            report.loss!, of: report.businessDate...report.businessDate, by: "channel",
            texts: try Texts(language: .english), screen: Screen(columns: 60, isColored: false))
        #expect(screen.split(separator: "\n").allSatisfy { displayWidth(String($0)) <= 60 }, "\(screen)")
    }

    @Test func theSheetHasExplanationsDatesAndValues() throws {
        let files = try scratch.render(night(.sample))
        let sheet = try #require(try scratch.sheets(files["reconciliation.xlsx"]!).first { $0.name == "In common" })
            .cells
        let texts = sheet.values.map(\.text)
        #expect(texts.contains("app version 3.2.1") && texts.contains("hour 14:00–14:59 and channel 华为应用市场"))
        #expect(
            texts.count { $0 == "ABOVE THE LIMIT" } == 4 && texts.contains("not settled yet")
                && texts.contains("all others"))
        let total = try #require(sheet.first { $0.value.text == "Total" && $0.key.hasPrefix("A") })
        let row = total.key.dropFirst()
        #expect(sheet["C\(row)"]?.text == "187790" && sheet["D\(row)"]?.text == "415", "\(row)")
        let file = scratch.path + "/charts.xlsx"
        try files["reconciliation.xlsx"]!.write(to: URL(fileURLWithPath: file))
        let charts = try (1...3).map {
            String(decoding: try scratch.member("xl/charts/chart\($0).xml", of: file), as: UTF8.self)
        }
        #expect(charts.count { $0.contains("<c:lineChart>") } == 2)
    }

    @Test func datesWithFewPurchasesHaveNoCharts() throws {
        var loss = LossReport.sample
        for index in loss.days.indices { (loss.days[index].purchases, loss.days[index].lost) = (3, 1) }
        let workbook = try scratch.render(night(loss))["reconciliation.xlsx"]!
        let names = String(decoding: workbook, as: UTF8.self)
        #expect(names.contains("xl/charts/chart1.xml") && !names.contains("xl/charts/chart2.xml"))
    }

    @Test func metricsAreLeftOutWhereNothingIsKnown() {
        func text(_ loss: LossReport?) -> String {
            metricsText(
                NightMetrics(at: .init(milliseconds: 0), exitCode: 0, ledgerBytes: 0, stages: []), of: night(loss))
        }
        for line in [
            "lost_order_rate 0.012500", "lost_order_rate_usual 0.001400", "lost_order_rate_limit 0.004000",
            "lost_order_rate_above{rule=\"above_limit\"} 1", "lost_order_rate_above{rule=\"eight_above_usual\"} 0",
            "goods_delay_p90_seconds 720.000", "goods_delay_p90_usual_seconds 40.000",
            "goods_delay_p90_limit_seconds 80.000",
        ] { #expect(text(.sample).contains("\nreconcile_\(line)\n"), "\(line)") }
        #expect(text(.quiet).contains("reconcile_lost_order_rate_above{rule=\"above_limit\"} 0\n"))
        for text in [text(nil), text(LossReport())] {
            #expect(!text.contains("lost_order_rate") && !text.contains("goods_delay"))
        }
    }

    @Test func aMonthSaysItInShort() throws {
        var report = MonthReport(
            Period(calendarMonth: "2025-11")!, timeZone: "Asia/Shanghai",
            asOf: Instant(milliseconds: 1_764_600_000_000),
            run: 1, lastNight: BusinessDate("2025-11-30")!, version: "1")
        let texts = try Texts(language: .english)
        #expect(!monthJSON(report).page.contains("explanations"))
        report.loss = .sample
        report.loss?.explanations = [
            LossReport.line(.lost, .month, [("server", "zone_17", true)], 38, 41, 1800, 0.0001)
        ]
        #expect(monthJSON(report).page.contains("\"period\": \"month\""))
        #expect(
            monthText(report, texts: texts).contains(
                "  2025-11-01 – 2025-11-30: 38 of 41 lost orders have server zone_17"))
    }
}
