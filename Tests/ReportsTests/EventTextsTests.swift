import Domain
import Testing

@testable import Engine
@testable import Reports

/// What nights did to an exception, in the words of the templates.
@Suite struct EventTextsTests {
    let scratch: ScratchBuffer

    init() throws { scratch = try ScratchBuffer() }

    static let events: [(ExceptionEvent, english: String, chinese: String)] = [
        (.firstSeen, "first seen", "首次发现"),
        (
            .changedFrom(.paidNotCredited, .creditFailed), "before: Paid not credited · Delivery failed",
            "之前为：掉单（已付款未发放） · 发放失败"
        ),
        (
            .mergedInto(ExceptionID(bits: 1)), "merged into E0000000000000001", "并入 E0000000000000001"
        ),
        (.evidenceMoved, "its records now belong to another purchase", "相关记录已归入另一笔购买"),
        (.resolvedAs(.matched, .none, evidence: []), "now: Matched", "现为：对账一致"),
        (
            .resolvedAs(.matched, .none, evidence: ["in/a.csv:1", "in/b.csv:2"]),
            "now: Matched, because of in/a.csv:1, in/b.csv:2", "现为：对账一致，依据 in/a.csv:1，in/b.csv:2"
        ),
        (.returned, "the problem is back", "问题再次出现"),
        (.changedAfterWaiver, "the facts changed after it was waived", "豁免后情况有变"),
        (.waiverWithdrawn, "the waiver was withdrawn", "豁免已撤回"),
        (.waived, "waived", "已豁免"),
    ]

    @Test func everyEventHasWordsInBothLanguages() throws {
        let (english, chinese) = (try Texts(language: .english), try Texts(language: .chinese))
        for (event, inEnglish, inChinese) in Self.events {
            #expect(english.sentence(event) == inEnglish)
            #expect(chinese.sentence(event) == inChinese)
        }
        #expect(Set(Self.events.map(\.0.code)) == Set(ExceptionEvent.Code.allCases))
    }

    /// The history of a look-up: nights are worded by the templates, people's notes stay as they are.
    @Test(arguments: Language.allCases)
    func aHistoryIsWordedByTheTemplates(language: Language) throws {
        let texts = try Texts(language: language)
        var steps: [LookupException.Step] = []
        for (event, _, _) in Self.events {
            var step = LookupException.Step(
                date: BusinessDate("2025-11-18")!, state: .changed, verdict: .orderMissing, cause: .none)
            step.event = event
            steps.append(step)
        }
        var decision = LookupException.Step(
            date: BusinessDate("2025-11-18")!, state: .waived, verdict: .orderMissing, cause: .none)
        (decision.by, decision.note) = ("Li", "merged into E9")
        let facts = ExceptionFacts(
            verdict: .orderMissing, cause: .none, severity: .low, eventAt: Instant(milliseconds: 0))
        var subject = LookupSubject(facts: facts, safety: .verdict)
        subject.exception = LookupException(
            id: ExceptionID(bits: 2), state: .changed, firstSeen: BusinessDate("2025-11-17")!,
            history: steps + [decision])
        let history = LookupWording(subject, zone: Zone("UTC")!, texts: texts).sections[2].lines
        #expect(history.count == Self.events.count + 1)
        for (line, event) in zip(history, Self.events) where event.0 != .firstSeen {
            #expect(line.text.hasSuffix(language == .english ? event.1 : event.2), "\(line.text)")
        }
        #expect(history.last?.text.contains("Li") == true && history.last?.text.contains("merged into E9") == true)
    }

    @Test(arguments: Language.allCases)
    func theWorkbooksLatestStepIsInItsLanguage(language: Language) throws {
        let workbook = try scratch.render(SampleNight().report, language)["reconciliation.xlsx"]!
        let texts = try scratch.sheets(workbook).flatMap { $0.cells.values.map(\.text) }
        let expected = language == .english ? "resolved; now: Matched, because of" : "已解决；现为：对账一致，依据"
        #expect(texts.contains { $0.hasPrefix(expected) })
        #expect(language == .english || !texts.contains { $0.contains("resolved") && $0.contains("inbox/") })
    }
}
