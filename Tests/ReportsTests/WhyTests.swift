import Domain
import Foundation
import Testing

@testable import Engine
@testable import Reports

/// What lost orders have in common, in every report. The figures are those of `LossReport.sample`.
@Suite struct WhyTests {
    private static let date = BusinessDate("2025-11-18")!
    private static let dates = date.advanced(by: -59)...date
    private let english: Texts
    private let chinese: Texts

    init() throws {
        english = try Texts(language: .english)
        chinese = try Texts(language: .chinese)
    }

    private func night(_ loss: LossReport?) -> NightReport {
        var report = SampleNight().report
        report.coverageGaps = []
        report.retry.held = 0
        report.loss = loss
        return report
    }

    @Test func aSentenceSaysWhatIsInCommonAndNeverWhy() {
        let line = LossReport.sample.explanations[0]
        #expect(
            english.sentence(line, of: Self.date...Self.date)
                == "2025-11-18: 38 of 41 lost orders have app version 3.2.1 in common (of these purchases 2.11% are lost, of "
                + "the others 0.01%)")
        #expect(
            chinese.sentence(line, of: Self.date...Self.date)
                == "2025-11-18：41 笔掉单中有 38 笔的共同点是“应用版本 3.2.1”（此类付款的掉单率为 2.11%，其他付款为 0.01%）")
        for texts in [english, chinese] {
            let all = LossReport.sample.explanations.map { texts.sentence($0, of: Self.date...Self.date) }
            #expect(Set(all).count == 4)
            for text in all {
                #expect(!text.contains("because") && !text.contains("因为") && !text.contains("{"), "\(text)")
            }
        }
        #expect(
            english.sentence(LossReport.sample.explanations[2], of: Self.dates).hasPrefix(
                "2025-11-12 – 2025-11-18: 88 "))
        #expect(english.common(LossReport.sample.explanations[1]) == "hour 14:00–14:59 and channel 华为应用市场")
    }

    @Test(
        arguments: [
            (0, "0 s"), (400, "0.4 s"), (1999, "2 s"), (40_000, "40 s"), (78_000, "1.3 min"), (720_000, "12 min"),
            (7_200_000, "2 h"), (86_400_000, "1 day"), (-1, "0 s"),
        ] as [(Int64, String)])
    func aDurationHasOneUnit(milliseconds: Int64, text: String) {
        #expect(english.duration(Milliseconds(milliseconds)) == text)
    }

    @Test func smallSharesAreNotNothing() {
        #expect(
            [0, 0.00001, 0.0014, 1, .nan].map(english.percent) == ["0.00%", "<0.01%", "0.14%", "100.00%", "0.00%"])
    }

    /// Headline and exit code have one list.
    @Test func theHeadlineNamesWhyAPersonMustLook() throws {
        var report = NightReport(
            businessDate: SampleNight.date, asOf: Instant(milliseconds: 0), horizon: Instant(milliseconds: 0),
            timeZone: "UTC", run: 1, version: "1")
        #expect(!report.demandsAttention)
        report.withholdingRow = "credits.csv:7"
        let date = SampleNight.date
        report.goodsBreak = GoodsBreak(count: 6, oldest: date, end: date, span: DoubtSpan(since: date))
        #expect(report.demandsAttention)
        #expect(
            NightBlocks(report, english).headline
                == "Nothing new; REJECTED ROW: credits.csv:7; GAP IN GOODS RECORDS: 6")
        #expect(NightBlocks(report, chinese).headline.contains("未采用的行待处理：credits.csv:7；发放记录空档期付款 6 笔"))
        // A long name gives way to a number.
        report.withholdingRow = String(repeating: "x", count: 80)
        #expect(NightBlocks(report, english).headline == "Nothing new; REJECTED ROW: 1; GAP IN GOODS RECORDS: 6")
        (report.withholdingRow, report.goodsBreak) = (nil, nil)
        report.withheld = [WithheldCredits(reason: .renewals, count: 2, worth: [], names: ["plan"])]
        report.renewalDoubts = ["plan": try #require(DoubtSpan.updated(nil, isWrong: true, on: date))]
        #expect(report.demandsAttention)
        #expect(NightBlocks(report, english).headline == "Nothing new; RENEWALS WITHHELD: plan; 2 withheld")
        #expect(NightBlocks(report, chinese).headline == "没有新增异常；续费未自动补单：plan；暂停补单 2 笔")
        // Names that are numbers are counted, too.
        report.withheld = [WithheldCredits(reason: .renewals, count: 2, worth: [], names: ["1001", "1002"])]
        for name in ["1001", "1002"] { report.renewalDoubts[name] = report.renewalDoubts["plan"] }
        report.withholdingRow = String(repeating: "x", count: 80)
        let counted = NightBlocks(report, english).headline
        #expect(counted.hasPrefix("Nothing new; REJECTED ROW: 1; RENEWALS WITHHELD: 2"), "\(counted)")
        report.withholdingRow = nil
        report.businessDate = date.advanced(by: 7)
        #expect(!report.demandsAttention, "nobody is woken for what has been told for a week")
        report.settingsChanged = [SettingChange(setting: "grace.credit", old: "24h", new: "48h")]
        #expect(
            report.demandsAttention
                && NightBlocks(report, english).headline.hasSuffix("; SETTINGS CHANGED: 1; 2 withheld"))
    }

    @Test func headlineAndSummarySayWhatStandsOut() {
        var report = night(.sample)
        report.exceptions = []
        report.retry.dead = 0
        #expect(
            NightBlocks(report, english).headline
                == "Nothing new; LOST ORDERS 11-17: 1.25%, usually 0.14% (app version 3.2.1)")
        #expect(
            NightBlocks(report, chinese).headline
                == "没有新增异常；11-17 掉单率 1.25%，通常 0.14%（应用版本 3.2.1）")
        report.loss?.explanations[0].values[0].value = String(repeating: "3.2.1-", count: 10)
        #expect(
            NightBlocks(report, english).headline.hasSuffix("1.25% (app version 3.2.1-3.2.1-3.2.1-3.2.1…)"))
        report.loss?.rate?.rule = nil
        report.loss?.explanations[1].values.removeLast()
        #expect(
            NightBlocks(report, english).headline
                == "Nothing new; SLOW GOODS 11-17: 12 min, usually 40 s (hour 14:00–14:59)")
        report.loss?.explanations = []
        #expect(NightBlocks(report, chinese).headline == "没有新增异常；11-17 到账变慢 12 分钟，通常 40 秒")
        report.loss = .sample
        let text = summaryText(report, texts: english)
        #expect(text.contains("ABOVE THE LIMIT of\n    0.40%"), "\(text)")
        #expect(text.contains("\nWhat they have in common\n  2025-11-18: 38 of 41 lost orders"), "\(text)")
        #expect(text.split(separator: "\n").allSatisfy { displayWidth(String($0)) <= 78 })
    }

    @Test func aQuietNightSaysNothingNew() {
        let without = night(nil)
        let quiet = night(.quiet)
        for texts in [english, chinese] {
            #expect(summaryText(quiet, texts: texts) == summaryText(without, texts: texts))
        }
        // The figures themselves are there for programs.
        #expect(summaryJSON(quiet).page.contains("\"above\": null"))
        #expect(!summaryJSON(without).page.contains("explanations"))
    }

    @Test func unusualInputPutsItsFiguresInDoubt() {
        var report = night(.sample)
        report.guarded = [
            GuardFinding(kind: .uncredited, feed: .credits, date: Self.date, count: 24, total: 30)
        ]
        #expect(!NightBlocks(report, english).headline.contains("LOST ORDERS"))
    }

    @Test func aTerminalShowsRatesDelaysExplanationsAndValues() {
        let screen = Screen(columns: 80, isColored: false)
        let text = lossText(.sample, of: Self.dates, by: nil, texts: english, screen: screen)
        for part in [
            "Why orders get lost, 2025-09-20 to 2025-11-18\n\nLost-order rate\n",
            "415 of 187790 purchases are lost orders (0.22%)",
            "half within 1.9 s, 90% within 12 min, 99% within 5 h",
            "\n  3.2.1            45000            7            0.02%  CNY 42.00, USD 4.99\n", "\nBy server\n",
            "  21 more values: reconcile why --group-by server --json has all\n\nAlso with --group-by: cause, weekday\n",
        ] { #expect(text.contains(part), "\(part)\n\(text)") }
        let one = lossText(.sample, of: Self.dates, by: "weekday", texts: chinese, screen: screen)
        #expect(one.contains("维度：付款日\n") && one.contains("  周日       30000") && !one.contains("维度：server"), "\(one)")
        #expect(
            LossReport.sample.dimensions == [
                "product", "storefront", "app_version", "cause", "weekday", "channel", "server",
            ])
        for text in [text, one] { #expect(text.split(separator: "\n").allSatisfy { displayWidth(String($0)) <= 80 }) }
        let none = lossText(LossReport(), of: Self.dates, by: nil, texts: english, screen: screen)
        #expect(none.hasSuffix("\nNo purchase of these dates is on record.\n"))
    }

    @Test func numbersAreJSONNumbersWithFixedDecimals() throws {
        let text = lossJSON(.sample, of: Self.dates, by: "channel").page
        for part in [
            "\"support\": 0.9268,", "\"rate\": 0.021111,", "\"risk_ratio\": 211.11,", "\"p90\": 720.000,",
            "\"usual_p90\": 40.000", "\"limit\": 0.004000,",
        ] { #expect(text.contains(part), "\(part)") }
        let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let values = try #require(object["values"] as? [[String: Any]])
        #expect(values.map { $0["dimension"] as? String } == ["channel", "channel", "channel"])
        #expect(values[2]["value"] as? String == "" && values[0]["value"] as? String == "华为应用市场")
    }
}
