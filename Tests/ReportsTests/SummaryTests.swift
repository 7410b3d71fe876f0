import Base
import Domain
import Foundation
import Testing

@testable import Engine
@testable import Reports

@Suite struct SummaryTests {
    let scratch: ScratchBuffer

    init() throws { scratch = try ScratchBuffer() }

    @Test(arguments: Language.allCases)
    func noLineIsWiderThanTheMail(language: Language) throws {
        var report = SampleNight().report
        report.coverageGaps.append(
            SampleNight.gap(
                .receipts,
                .refused(file: "receipts.jsonl", feed: "r", text: String(repeating: "拒绝 refused ", count: 20))))
        for (index, currency) in (["EUR", "GBP", "KRW", "TWD", "HKD"] as [Currency]).enumerated() {
            report.exceptions[index * 6].amount = Money(minor: 123_456_789_000, currency: currency)
        }
        for line in summaryText(report, texts: try Texts(language: language)).split(separator: "\n") {
            #expect(displayWidth(String(line)) <= 78, "\(line)")
        }
    }

    @Test func theFirstLineSaysWhatIsNewAndWhatItIsWorth() throws {
        var report = SampleNight().report
        report.retry.dead = 0
        report.coverageGaps = []
        for index in report.exceptions.indices { report.exceptions[index].state = index < 2 ? .new : .open }
        report.exceptions[0].amount = Money(minor: 600, currency: "CNY")
        report.exceptions[1].amount = Money(minor: 1200, currency: "CNY")
        report.exceptions[2].state = .new
        report.exceptions[2].amount = Money(minor: 230, currency: "JPY")
        let english = summaryText(report, texts: try Texts(language: .english))
        #expect(english.hasPrefix("3 new, worth CNY 18.00, JPY 230; all required feeds arrived\n"))
        let chinese = summaryText(report, texts: try Texts(language: .chinese))
        #expect(chinese.hasPrefix("新增异常 3 笔，金额 CNY 18.00，JPY 230；数据到齐\n"))
    }

    @Test func anAbsurdAmountDoesNotEndTheNight() throws {
        var report = SampleNight(exceptions: 4).report
        for index in report.exceptions.indices {
            report.exceptions[index].state = .new
            report.exceptions[index].verdict = .paidNotCredited
            report.exceptions[index].amount = Money(minor: .max, currency: "CNY")
        }
        report.verdicts[0].amounts = [Money(minor: .max, currency: "CNY"), Money(minor: .max, currency: "CNY")]
        report.rollForward[0].opening.minor = .max
        report.rollForward[0].new.minor = .max
        let files = try scratch.render(report)
        #expect(String(decoding: files["summary.txt"]!, as: UTF8.self).contains("92233720368547758.07"))
    }

    @Test func theFirstLineSaysWhatNobodyCouldLookAt() throws {
        var report = SampleNight(exceptions: 0).report
        report.retry.dead = 0
        report.coverageGaps = [SampleNight.gap(.credits), SampleNight.gap(.orders)]
        let text = summaryText(report, texts: try Texts(language: .english))
        #expect(text.hasPrefix("Nothing new; DATA MISSING: credits 2025-11-16, 1 more\n"))
    }

    @Test func theFirstLineSaysWhatIsUnusual() throws {
        var report = SampleNight(exceptions: 0).report
        report.coverageGaps = []
        report.guarded = [
            GuardFinding(
                kind: .rows, feed: .credits, path: "c", date: BusinessDate("2025-11-18")!, count: 0, total: 60,
                usual: [58, 63]),
            GuardFinding(kind: .uncredited, feed: .credits, date: BusinessDate("2025-11-18")!, count: 24, total: 30),
            GuardFinding(kind: .invalid, feed: .transactions, date: BusinessDate("2025-11-18")!, count: 9, total: 30),
        ]
        let english = summaryText(report, texts: try Texts(language: .english))
        #expect(
            english.hasPrefix("Nothing new; CHECK FIRST: credits 2025-11-18: 0 rows, usually 58–63"))
        #expect(english.contains("\n  credits 2025-11-18: 24 of 30 purchases without a credit\n"))
        #expect(english.contains("\n  Apple transactions 2025-11-18: 9 of 30 are of another app\n"))
        let chinese = summaryText(report, texts: try Texts(language: .chinese))
        #expect(chinese.hasPrefix("没有新增异常；请先核对："), "\(chinese)")
        let reason = "暂扣原因：发放记录 2025-11-18：0 行，通常 58–63 行；"
        #expect(chinese.split(separator: "\n  ").joined().contains(reason), "\(chinese)")
        let json = String(decoding: try scratch.render(report)["summary.json"]!, as: UTF8.self)
        #expect(json.contains("\"guarded\""))
        report.guarded = []
        #expect(!String(decoding: try scratch.render(report)["summary.json"]!, as: UTF8.self).contains("guarded"))
    }

    /// A report has one language, and its data files are English.
    @Test func whatHoldsANightIsWordedInEveryLanguage() throws {
        let chinese = try Texts(language: .chinese)
        for kind in GuardFinding.Kind.allCases {
            let details: [GuardFinding.Detail?] =
                switch kind {
                case .clock: [.shift(ClockShift(halfHours: -16)), .shift(ClockShift(halfHours: 16))]
                case .endsEarly: [.silence(1222..<1438)]
                case .lostTogether: [.hours(19..<20), .product("coins_60"), .ends]
                default: [nil]
                }
            for detail in details {
                let finding = GuardFinding(
                    kind: kind, feed: .transactions, date: SampleNight.date, count: 1, total: 30, usual: [30],
                    detail: detail)
                let (english, own) = (Texts.english.advice([finding])!, chinese.advice([finding])!)
                #expect(!(english + own).contains(/{[0-9]/) && english.contains(/[a-z]/), "\(english) \(own)")
                #expect(!own.contains(/[a-z]{2,} [a-z]{2,} [a-z]{2,}/), "\(own)")
            }
        }
        var report = SampleNight(exceptions: 0).report
        for code in HoldReason.Code.allCases {
            report.retry.holdReason = HoldReason(code, 7, 1)
            let (text, json) = (summaryText(report, texts: chinese), summaryJSON(report).page)
            #expect(text.contains("暂扣原因：") && !text.contains("more than"), "\(text)")
            #expect(json.contains("\"retry_held_because\": \"\(Texts.english.sentence(report.retry.holdReason!))\""))
        }
    }

    @Test func whatIsLostTogetherIsNamed() throws {
        var finding = GuardFinding(
            kind: .lostTogether, feed: .credits, date: SampleNight.date, count: 48, total: 49, usual: [1, 1])
        finding.detail = .hours(19..<20)
        var report = SampleNight(exceptions: 0).report
        report.guarded = [finding]
        let day = SampleNight.date.text
        let found = "credits \(day): 48 of 49 purchases"
        #expect(Texts.english.sentence(finding) == "\(found) from 19:00 to 20:00 lack goods, usually 1")
        let json = summaryJSON(report).page
        #expect(json.contains("\"from\": \"19:00\"") && json.contains("\"until\": \"20:00\""))
        finding.detail = .product("coins_60")
        report.guarded = [finding]
        #expect(Texts.english.sentence(finding) == "\(found) of coins_60 lack goods, usually 1")
        #expect(summaryJSON(report).page.contains("\"product_id\": \"coins_60\""))
    }

    /// Whoever delivers the files again needs all dates at once.
    @Test func theDatesBehindTheThirdFindingAreNamed() throws {
        let dates: [(FeedKind, Int)] = [
            (.credits, -3), (.credits, -2), (.credits, -1), (.orders, -3), (.orders, -1), (.orders, 0),
        ]
        let findings = dates.map { feed, days in
            GuardFinding(
                kind: .newRows, feed: feed, path: "x", date: SampleNight.date.advanced(by: days), count: 1, total: 2,
                usual: [30])
        }
        let day = { SampleNight.date.advanced(by: $0).text }
        let advice = try #require(Texts.english.advice([findings[0], findings[3], findings[0]] + findings))
        #expect(
            advice.hasSuffix(
                "; 6 more: credits \(day(-3)) – \(day(-1)), orders \(day(-3)), orders \(day(-1)) – \(day(0))"),
            "\(advice)")
        #expect(try #require(Texts.english.advice(Array(findings.prefix(3)))).contains(day(-1)))
        // What may be the cause comes first, and no kind hides another.
        let cause = GuardFinding(kind: .collisions, feed: .credits, date: SampleNight.date, count: 98, total: 101)
        let other = GuardFinding(kind: .parts, feed: .credits, date: SampleNight.date, count: 1, total: 2)
        let mixed = try #require(Texts.english.advice(findings + [other, cause]))
        #expect(mixed.hasPrefix(Texts.english.sentence(cause)), "\(mixed)")
        #expect(mixed.contains(Texts.english.sentence(other)), "\(mixed)")
        #expect(mixed.contains(Texts.english.sentence(findings[0])) && mixed.contains("; 5 more: "), "\(mixed)")
    }

    /// Money, missing data and held entries are what a bad night must show first.
    @Test func aBadNightsFirstLineKeepsMoneyGapsAndHeldEntries() throws {
        var report = SampleNight().report
        for index in report.exceptions.indices { report.exceptions[index].state = .new }
        for (index, currency) in (["EUR", "GBP", "KRW", "TWD", "HKD"] as [Currency]).enumerated() {
            report.exceptions[index].amount = Money(minor: 123_456_789_000, currency: currency)
        }
        report.coverageGaps = [SampleNight.gap(.transactions), SampleNight.gap(.orders)]
        report.retry.held = 926
        for language in Language.allCases {
            let texts = try Texts(language: language)
            let line = try #require(summaryText(report, texts: texts).split(separator: "\n").first)
            #expect(line.contains("CNY ") && line.contains("926") && displayWidth(String(line)) <= 78, "\(line)")
        }
        let english = summaryText(report, texts: try Texts(language: .english))
        #expect(english.hasPrefix("120 new, worth CNY "), "\(english)")
        #expect(english.contains("; DATA MISSING: 2; ON HOLD: 926\n"))
        report.retry.dead = 0
        report.retry.held = 0
        report.coverageGaps = []
        let complete = summaryText(report, texts: try Texts(language: .english))
        #expect(complete.contains("other currencies: ") && complete.contains("; all required feeds arrived\n"))
    }

    /// Nobody repairs what they name, or a change of the configuration hides it.
    @Test func theFirstLineSaysWhatNobodyRepairsAndWhatSettingsHide() throws {
        var report = SampleNight(exceptions: 0).report
        report.coverageGaps = []
        report.retry.dead = 49
        (report.retry.unanswered, report.retry.ineffective) = (12, 3)
        let line = { (language: Language) in
            String(summaryText(report, texts: try Texts(language: language)).split(separator: "\n")[0])
        }
        #expect(try line(.english) == "Nothing new; RETRY: 49 stopped, 12 unanswered, 3 without effect")
        #expect(try line(.chinese) == "没有新增异常；补单已停止 49 条，一直无回执 12 条，多次补单仍未到账 3 条")
        report.exceptions = Array(SampleNight().report.exceptions.prefix(2))
        for index in report.exceptions.indices {
            report.exceptions[index].state = .resolved
            report.exceptions[index].lastEvent = .resolvedAs(
                .outOfScope, .beforeHistory, evidence: index == 0 ? [] : ["orders.csv:2"])
        }
        report.settingsChanged = [
            SettingChange(setting: "feeds: a", old: "orders, required since 2025-11-01", new: "orders"),
            SettingChange(setting: "feeds: b", old: "credits, required", new: nil),
            SettingChange(setting: "feeds: c", old: nil, new: "credits, required"),
        ]
        // No room is left for the entries.
        #expect(try line(.english) == "Nothing new; CLOSED BY SETTINGS: 1; NO LONGER REQUIRED: orders")
        #expect(try line(.chinese).hasPrefix("没有新增异常；因配置改动不再列出的异常 1 笔；不再必需："))
        #expect(try !line(.english).contains("SETTINGS CHANGED"))
        report.settingsChanged.removeLast()
        report.exceptions = []
        #expect(try line(.english) == "Nothing new; FEED REMOVED: credits; NO LONGER REQUIRED: orders")
    }

    /// They are nobody's alarm, but a night with them is not one in which nothing happened.
    @Test func theSummarySaysWhatIsWithheldAndWhy() throws {
        var report = SampleNight(exceptions: 0).report
        (report.coverageGaps, report.retry.dead) = ([], 0)
        let yuan = Money(minor: 48_000, currency: "CNY")
        report.conservation[.transactions]?.rejected = 1
        report.withheld = WithheldCredits.Reason.allCases.map {
            WithheldCredits(reason: $0, count: 40, worth: [yuan], names: ["x1", "x2", "x3", "x4"])
        }
        let english = summaryText(report, texts: try Texts(language: .english))
        #expect(english.hasPrefix("Nothing new; 120 withheld; 1 row rejected\n"), "\(english)")
        let chinese = summaryText(report, texts: try Texts(language: .chinese))
        #expect(chinese.hasPrefix("没有新增异常；暂停补单 120 笔；未采用 1 行\n"), "\(chinese)")
        let words = english.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let told = "withheld: 40, worth CNY 480.00: too few renewals of x1, x2, x3, 1 more have goods on record"
        #expect(words.contains(told), "\(words)")
        #expect(chinese.contains("暂停补单：40 笔，金额 CNY 480.00。原因："), "\(chinese)")
        #expect(chinese.split(separator: "\n").allSatisfy { displayWidth(String($0)) <= 78 })
        let page = String(decoding: try scratch.render(report)["report.html"]!, as: UTF8.self)
        #expect(page.contains("withheld: 40, worth CNY 480.00") || page.contains("暂停补单：40 笔"))
        let json = summaryJSON(report).page.filter { !$0.isWhitespace }
        let member = #"{"amounts":{"CNY":"480.00"},"count":40,"names":["x1","x2","x3","x4"],"reason":"rejected_row"}"#
        #expect(json.contains(#""withheld":[\#(member),"#), "\(json)")
        // What is stopped does not hide it, and no alarm gives way to it.
        report.retry.dead = 4
        #expect(try headline(report) == "Nothing new; RETRY: 4 stopped; 120 withheld; 1 row rejected")
        report.retry.held = 926
        report.coverageGaps = [SampleNight.gap(.transactions), SampleNight.gap(.orders)]
        let full = try headline(report)
        #expect(full.contains("ON HOLD: 926") && !full.contains("withheld"), "\(full)")
        (report.coverageGaps, report.retry.held, report.retry.dead) = ([], 0, 0)
        // What clients send is never without rows of no use.
        report.withheld = []
        report.conservation[.transactions]?.rejected = 0
        report.conservation[.receipts]?.rejected = 2
        #expect(try headline(report) == "Nothing new; all required feeds arrived")
    }

    /// What a week's losses have in common is no weekday beside the date of one of them.
    @Test func theHeadlineNamesNoWeekdayBesideADate() throws {
        var report = SampleNight().report
        report.guarded = []
        report.coverageGaps = []
        report.loss = .sample
        report.loss?.explanations = [LossReport.line(.lost, .week, [("weekday", "3", false)], 88, 131, 7200, 0.0018)]
        let said = try headline(report)
        #expect(said.contains("LOST ORDERS 11-17") && !said.contains("weekday"), "\(said)")
    }

    private func headline(_ report: NightReport) throws -> Substring {
        summaryText(report, texts: try Texts(language: .english)).split(separator: "\n")[0]
    }

    @Test func reasonsAreNotCut() throws {
        var report = SampleNight().report
        let reason =
            "its header lacks the columns order_id, account_id and product_id, which every order needs; map them"
        report.coverageGaps = [
            SampleNight.gap(.receipts, .refused(file: "inbox/client-report-2025-11-18.jsonl", feed: "r", text: reason))
        ]
        report.retry.holdReason = HoldReason(.manyEntries, String(repeating: "9", count: 90), 12)
        let lines = summaryText(report, texts: try Texts(language: .english)).split(separator: "\n")
        let text = lines.map { $0.drop { $0 == " " } }.joined(separator: " ")
        #expect(text.contains("inbox/client-report-2025-11-18.jsonl is refused: " + reason), "\(text)")
        #expect(!text.contains("…"))
    }

    @Test func theSummarySaysWhetherTheNightAddedUp() throws {
        let report = SampleNight().report
        let lines = summaryText(report, texts: try Texts(language: .english)).split(separator: "\n")
            .map { $0.split(separator: " ").joined(separator: " ") }
        let matched = report.verdicts.filter { $0.verdict == .matched }.map(\.subjects).reduce(0, +)
        let all = report.verdicts.map(\.subjects).reduce(0, +)
        #expect(lines.contains("Matched \(matched)") && lines.contains("Total \(all)"))
        for title in ["Waiting", "Undetermined", "Closed", "Out of scope"] {
            #expect(lines.contains { $0.hasPrefix(title + " ") }, "\(title)")
        }
        // Those that are neither new nor changed were carried over: open are more.
        #expect(lines.contains { $0.hasPrefix("carried over ") } && !lines.contains { $0.hasPrefix("open ") })
        #expect(lines.contains("As of 2025-11-19 09:00:00 (Asia/Shanghai)"))
        #expect(lines.contains { $0.hasPrefix("Credited twice: To two accounts ") })
    }

    @Test func flagsOfAllSubjectsAreCounted() throws {
        var report = SampleNight(exceptions: 0).report
        report.judged = 200
        report.flags = ["clock_skew": 150, "cut_off": 3]
        let text = summaryText(report, texts: try Texts(language: .english))
        #expect(text.contains("credited before the purchase 150"))
        let json = try #require(
            try JSONSerialization.jsonObject(with: try scratch.render(report)["summary.json"]!) as? [String: Any])
        #expect(json["judged"] as? Int == 200)
        #expect(json["flags"] as? [String: Int] == ["clock_skew": 150, "cut_off": 3])
    }

    @Test(arguments: [
        "\u{1B}]0;pwn\u{7}", "\u{1B}[2J", "\u{9B}2J", "a\rb", "a\nb", "\u{202E}gpj", "\u{2028}", "\u{200B}",
    ])
    func whatSteersATerminalIsShownEscaped(text: String) throws {
        var report = SampleNight().report
        report.coverageGaps = [
            SampleNight.gap(.credits, .missing(feed: text)),
            SampleNight.gap(.orders, .refused(file: text, feed: text, text: text)),
        ]
        report.rejects = [RejectLine(Reject(line: 1, column: text, reason: text, row: Array(text.utf8)), source: text)]
        let files = try scratch.render(report)
        for name in ["summary.txt", "summary.json", "rejected.jsonl"] {
            let rest = String(decoding: files[name]!, as: UTF8.self).replacing("\n", with: "")
            #expect(!text.unicodeScalars.contains { !$0.isASCII || $0.value < 0x20 } || !rest.contains(text), "\(name)")
            #expect(!rest.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }, "\(name)")
        }
    }

    @Test func theJSONHasTheShapeOfTheInterface() throws {
        let report = SampleNight().report
        let data = try scratch.render(report)["summary.json"]!
        let json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let verdicts = try #require(json["verdicts"] as? [[String: Any]])
        #expect(verdicts.count == report.verdicts.count)
        #expect(verdicts[0]["verdict"] as? String == "invalid_transaction")
        #expect(verdicts[0]["cause"] as? String == "bad_signature" && verdicts[0]["subjects"] as? Int == 12)
        #expect(
            verdicts[0]["amounts"] as? [String: String]
                == ["CNY": "72.00", "JPY": "2760", "USD": "59.88", "KWD": "18.000"])
        let conservation = try #require(json["conservation"] as? [String: [String: Int]])
        #expect(conservation["receipts"] == ["rows": 100_022, "accepted": 100_003, "duplicates": 17, "rejected": 2])
        let counts = try #require(json["exceptions"] as? [String: Int])
        #expect(Set(counts.keys) == ["new", "open", "changed", "reopened", "resolved", "waived"])
        #expect(counts.values.reduce(0, +) == report.exceptions.count)
        #expect(
            json["blind_spots"] as? [[String: String]]
                == [["feed": "credits", "date": "2025-11-16", "why": "missing: inbox/credits-{date}.csv"]])
        #expect(json["retry"] as? [String: Int] == ["emitted": 12, "waiting": 0, "held": 0, "dead": 1])
    }

    @Test func keysAreSortedWhateverTheHashSeed() throws {
        let json = String(decoding: try scratch.render(SampleNight().report)["summary.json"]!, as: UTF8.self)
        let keys = json.split(separator: "\n").filter { $0.hasPrefix("  \"") }.map { $0.split(separator: "\"")[1] }
        #expect(keys.count == 20 && keys == keys.sorted())
    }

    @Test func rejectedBytesAreKeptExactly() throws {
        let report = SampleNight().report
        let lines = String(decoding: try scratch.render(report)["rejected.jsonl"]!, as: UTF8.self).split(
            separator: "\n")
        let parsed = try lines.map { try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:] }
        #expect(parsed[0]["row"] as? String == "{\"at\": \"2025-02-30\"}" && parsed[0]["line"] as? Int == 7)
        let bytes = Data(base64Encoded: parsed[1]["row_base64"] as? String ?? "")
        #expect(bytes.map { Array($0) } == report.rejects[1].reject.row)
    }
}
