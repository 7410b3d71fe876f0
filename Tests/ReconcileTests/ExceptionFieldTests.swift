import Foundation
import Ledger
import Reference
import Testing

@testable import Engine
@testable import Reports

/// `ExceptionFields.list` is the one description of what an exception says. Whatever each field needs is there; what was
/// forgotten is named.
@Suite struct ExceptionFieldTests {
    @Test func everyFieldIsDescribed() {
        let members = Mirror(reflecting: ExceptionFields.blank).children.compactMap(\.label)
        #expect(ExceptionFields.list.map { "\($0.stored)" }.sorted() == members.sorted())
    }

    @Test func everyFieldIsAtEveryPlaceThatNeedsIt() throws {
        let page = try file("docs/spec/interfaces.md").components(separatedBy: "<a id=\"exceptions-csv\">")[1]
        let rows = page.prefix(upTo: try #require(page.range(of: "<a id=\"formula-guard\">")).lowerBound)
        let places: [(name: String, columns: Set<String>)] = [
            ("a value in Sources/Engine/Register/ExceptionFacts.swift that the demo has", try shownByTheDemo()),
            ("a column in templates/layout.json", Set(Layout.builtIn.exceptions.columns.map(\.column))),
            ("a title in templates/en.json", try titles("en")),
            ("a title in templates/zh-Hans.json", try titles("zh-Hans")),
            ("words for its codes in templates/en.json", try worded("en")),
            ("words for its codes in templates/zh-Hans.json", try worded("zh-Hans")),
            ("its meaning in docs/spec/interfaces.md", Set(rows.matches(of: /`(\w+)`/).map { String($0.output.1) })),
        ]
        let missing = ExceptionFields.list.map(\.name).filter { $0 != "labels" }.flatMap { field in
            places.filter { !$0.columns.contains(field) }.map { "\(field) lacks \($0.name)" }
        }
        #expect(missing == [])
    }

    private func file(_ name: String) throws -> String {
        try String(contentsOfFile: Program.repository + "/" + name, encoding: .utf8)
    }

    private func template(_ language: String) throws -> [String: Any] {
        let data = Data(try file("templates/\(language).json").utf8)
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    private func titles(_ language: String) throws -> Set<String> {
        Set(try #require(try template(language)["column"] as? [String: String]).keys)
    }

    /// The fields that need no words, and those for whose codes the template has words.
    private func worded(_ language: String) throws -> Set<String> {
        Set(ExceptionFields.list.filter { !$0.isCode }.map(\.name)).union(try template(language).keys)
    }

    /// The columns of the fields that an exception of the demo has.
    private func shownByTheDemo() throws -> Set<String> {
        let demo = try DemoRun("--orders 1")
        let ledger = try Connection(path: demo.folder.path + "/night/ledger.sqlite", mode: .readOnly)
        var rows = try ledger.prepare("SELECT facts FROM exception")
        var seen: Set<String> = []
        while try rows.step() {
            let facts = try ExceptionFacts(recordText: rows.text(0))
            seen.formUnion(ExceptionFields.list.filter { $0.shown(facts) != $0.shown(.blank) }.map(\.name))
        }
        return seen
    }
}
