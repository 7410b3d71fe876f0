import Domain
import Foundation
import Reference
import Testing

@testable import Engine
@testable import Rules

/// `Verdict.causes` is the one list of causes. Whatever each of them needs is there; what was forgotten is named.
@Suite struct CauseTests {
    @Test func everyCauseIsAtEveryPlaceThatNeedsIt() throws {
        let demo = try DemoRun("--orders 1")
        let seen = try demo.rulings().union(Set(Verdict.allRulings).subtracting(DemoRun.possibleRulings))
        let places: [(name: String, rulings: Set<String>)] = [
            ("a specimen in Sources/Engine/Night/Proof/SelfTestCases.swift", Set(SelfTestCase.all.map(\.ruling))),
            ("a scenario in Tests/RulesTests/*Tables.swift", try scenarios()),
            ("its texts in templates/en.json", try texts("en")),
            ("its texts in templates/zh-Hans.json", try texts("zh-Hans")),
            ("a story in Sources/Demo/Scenarios", seen),
            ("its meaning in docs/spec/rules.md", try specified()),
        ]
        let missing = Verdict.allRulings.flatMap { ruling in
            places.filter { !$0.rulings.contains(ruling) }.map { "\(ruling) lacks \($0.name)" }
        }
        #expect(missing == [])
    }

    @Test func everyCauseBelongsToAVerdict() {
        #expect(Set(Cause.allCases).subtracting(Verdict.allCases.flatMap(\.causes)).isEmpty)
    }

    /// The causes of each version of the rules: `RECORD=1 scripts/test --filter CauseTests` records those of a new one.
    @Test func otherCausesAreAnotherVersionOfTheRules() throws {
        let name = "Tests/Fixtures/rulings.txt"
        let recorded = try file(name)
        let list = Verdict.allRulings.joined(separator: "\n") + "\n"
        let title = { (version: Int) in "The rules, version \(version):\n" }
        let isNew = !recorded.hasPrefix(title(RuleSet.version))
        #expect(isNew || recorded == title(RuleSet.version) + list, "raise RuleSet.version in Sources/Rules")
        if isNew { try expectGolden(title(RuleSet.version) + list, name) }
    }

    /// The list in docs/use/rules.md is written from `Verdict.causes`: `RECORD=1 scripts/test --filter CauseTests`.
    @Test func theUsersPageListsTheCauses() throws {
        let name = "docs/use/rules.md"
        let page = try file(name)
        let (start, end) = ("<!-- written by CauseTests from Verdict.causes -->\n", "<!-- end -->\n")
        let head = try #require(page.range(of: start))
        let tail = try #require(page.range(of: end))
        let rows = Verdict.allCases.filter { $0 != .waiting && $0.causes != [.none] }.map { verdict in
            "| `\(verdict.rawValue)` | \(verdict.causes.map { "`\($0.rawValue)`" }.joined(separator: ", ")) |\n"
        }
        let list = "| verdict | causes |\n|---|---|\n" + rows.joined()
        try expectGolden(page[..<head.upperBound] + list + page[tail.lowerBound...], name)
    }

    private func file(_ name: String) throws -> String {
        try String(contentsOfFile: Program.repository + "/" + name, encoding: .utf8)
    }

    /// What the scenario tables expect.
    private func scenarios() throws -> Set<String> {
        let folder = "Tests/RulesTests"
        let names = try FileManager.default.contentsOfDirectory(atPath: Program.repository + "/" + folder)
        let tables = try names.filter { $0.hasSuffix("Tables.swift") }.map { try file(folder + "/" + $0) }.joined()
        return Set(tables.matches(of: /[a-z_]+(\/[a-z_]+)?/).map { String($0.output.0) })
    }

    /// The verdicts and causes that a template has words for.
    private func texts(_ language: String) throws -> Set<String> {
        let data = Data(try file("templates/\(language).json").utf8)
        let template = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let (verdicts, causes) = (template["verdict"] as? [String: Any], template["cause"] as? [String: Any])
        return Set((verdicts ?? [:]).keys).union((causes ?? [:]).keys)
    }

    /// The verdicts that have a section in the specification, and the causes named there.
    private func specified() throws -> Set<String> {
        let sections = try file("docs/spec/rules.md").split(separator: "<a id=\"")
        return Set(
            Verdict.allCases.flatMap { verdict in
                let anchor = "verdict-" + verdict.rawValue.replacing("_", with: "-")
                let own = sections.filter { $0.hasPrefix(anchor + "\"") || $0.hasPrefix(anchor + "-") }.joined()
                return verdict.causes.filter { own.contains("`\($0 == .none ? verdict.rawValue : $0.rawValue)`") }
                    .map { verdict.ruling($0) }
            })
    }
}
