import Domain
import Engine
import Foundation
import Reports
import Testing

@Suite struct TextsTests {
    let scratch: ScratchBuffer

    init() throws { scratch = try ScratchBuffer() }

    @Test(arguments: Language.allCases)
    func everyVerdictAndCauseIsExplained(language: Language) throws {
        let texts = try Texts(language: language)
        for verdict in Verdict.allCases {
            let general = texts.explanation(verdict)
            for cause in verdict.causes {
                let words = texts.explanation(verdict, cause)
                #expect(
                    ![words.title, words.meaning, words.customer, words.next, words.approval].contains(""),
                    "\(verdict)/\(cause)")
                guard cause != .none else { continue }
                #expect(words.title != cause.rawValue && words.meaning != general.meaning, "\(verdict)/\(cause)")
            }
        }
    }

    @Test(arguments: Language.allCases)
    func everyCodeHasAWord(language: Language) throws {
        let texts = try Texts(language: language)
        let codes: [(Texts.Group, [String])] = [
            (.state, ExceptionState.allCases.map(\.rawValue)), (.severity, Severity.allCases.map(\.rawValue)),
            (.short, ["customer", "company"]), (.flag, Flags.names.map(\.name)),
            (.action, Action.allCases.map(\.rawValue)),
            (.feed, FeedKind.allCases.map(\.rawValue)), (.refund, RefundLine.Kind.allCases.map(\.rawValue)),
            (.event, ExceptionEvent.Code.allCases.map(\.rawValue)),
            (.setting, ["grace.credit", "grace.refund", "historyFrom", "timeZone", "compare", "finance.tolerance"]),
        ]
        for (group, codes) in codes {
            for code in codes {
                // In English, a single word may equal its code. A code with an underscore is not a word.
                let word = texts.word(group, code)
                #expect(!word.isEmpty && !word.contains("_"), "\(group).\(code)")
                if language == .chinese { #expect(word != code, "\(group).\(code)") }
            }
        }
        #expect(Set(codes.map(\.0)) == Set(Texts.Group.allCases))
    }

    @Test func bothLanguagesHaveTheSameTexts() throws {
        #expect(try paths("en.json") == paths("zh-Hans.json"))
    }

    /// docs/glossary.md: goods are 发放; agents do 补单, and customers, or what they are asked, have 补发.
    @Test func oneWordForGivingGoods() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "../../templates")
        let texts = try String(contentsOf: folder.appendingPathComponent("zh-Hans.json"), encoding: .utf8)
        for line in texts.split(separator: "\n") {
            #expect(!line.contains(/发货|再发一次|再次发放/), "\(line)")
            if line.contains("补发") { #expect(line.contains(/"customer|用户/), "\(line)") }
        }
    }

    /// The paths of a template's texts, each with its placeholders.
    private func paths(_ name: String) throws -> Set<String> {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "../../templates")
        let data = try Data(contentsOf: folder.appendingPathComponent(name))
        var paths: Set<String> = []
        func walk(_ value: Any, _ path: String) {
            if let members = value as? [String: Any] {
                for (key, member) in members { walk(member, path + "." + key) }
            } else if let text = value as? String {
                paths.insert(path + (0...5).filter { text.contains("{\($0)}") }.map(String.init).joined(separator: ","))
            }
        }
        walk(try JSONSerialization.jsonObject(with: data), "")
        return paths
    }

    @Test func ownTextsReplaceTheBuiltInOnes() throws {
        try write("{ verdict: { paid_not_credited: { title: 'Missing goods' } }, }", "en.json")
        let texts = try Texts(language: .english, folder: scratch.path)
        #expect(texts.explanation(.paidNotCredited).title == "Missing goods")
        #expect(texts.explanation(.closed) == (try Texts(language: .english)).explanation(.closed))
    }

    @Test(arguments: [
        ("en.json", "{\"verdict\": {\"paid_not_kredited\": {\"title\": \"x\"}}}", "paid_not_kredited"),
        ("en.json", "{\"sheet\": {\"aging\": \"a/b\"}}", "is the name of a sheet"),
        ("en.json", "{\"sheet\": {\"aging\": \"summary\"}}", "is the name of a sheet"),
        ("en.json", "{\"label\": {\"title\": 3}}", "texts in quotes"),
        ("en.json", "{", "texts in quotes"),
        ("layout.json", "{}", "is not a layout"),
    ])
    func ownTextsThatCannotBeUsedAreRefused(name: String, text: String, reason: String) throws {
        try write(text, name)
        let error = #expect(throws: TextsError.self) { try Texts(language: .english, folder: scratch.path) }
        #expect(error?.description.contains(name) == true && error?.problem.contains(reason) == true)
    }

    @Test func aLayoutWithAnUnknownColumnIsRefused() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "../../templates")
        let layout = try String(contentsOf: folder.appendingPathComponent("layout.json"), encoding: .utf8)
        try write(layout.replacing("\"age_days\"", with: "\"age\""), "layout.json")
        let error = #expect(throws: TextsError.self) { try Texts(language: .english, folder: scratch.path) }
        #expect(error?.problem.contains("“age”; use one of account_id") == true)
    }

    private func write(_ text: String, _ name: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: scratch.path + "/" + name))
    }
}
