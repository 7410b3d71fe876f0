import Console
import Engine
import Foundation
import Reports
import Testing

@testable import Reconcile

/// docs/use/operations.md lists the messages that the program really prints.
@Suite struct RunbookTests {
    private let page: String
    private let sources: String

    init() throws {
        page = try String(contentsOfFile: Program.repository + "/docs/use/operations.md", encoding: .utf8)
        let ended = try Program.shell("cat $(find Sources cron templates -type f)", in: Program.repository)
        let findings = try GuardFinding.Kind.allCases.flatMap { kind in
            try [#""credits""#, #""credits","ends":["19:00","20:00"]"#, #""transactions""#].compactMap { feed in
                let json =
                    #"{"kind":"\#(kind.rawValue)","feed":\#(feed),"date":"2025-11-18","count":2,"total":9,"usual":[]}"#
                return Texts.english.advice([try JSONDecoder().decode(GuardFinding.self, from: Data(json.utf8))])
            }
        }
        sources = Self.withPlurals(ended.output) + findings.joined(separator: "\n")
    }

    /// The sources, with what `counted` says of several in its place: `\(counted(rows, "row", "rows"))` is `… rows`.
    private static func withPlurals(_ sources: String) -> String {
        sources.replacing(/\\\(counted\([^"\n]*"[^"\n]*", "([^"\n]*)"\)\)/) { "\\(count) " + $0.output.1 }
    }

    /// The first cells of the tables under "When it says": the fixed words of each message.
    private var messages: [String] {
        let part = page.components(separatedBy: "## When it says")[1].components(separatedBy: "\n## ")[0]
        return part.split(separator: "\n").filter { $0.hasPrefix("| `") }.flatMap { row in
            String(row.split(separator: "|")[0]).matches(of: /`([^`]+)`/).map { String($0.output.1) }
        }
    }

    @Test func everyMessageOfTheRunbookIsOneOfTheProgram() {
        #expect(messages.count > 20)
        for message in messages where message != "No space left on device" {
            for words in message.components(separatedBy: "…") where words.count > 5 {
                let isKnown = sources.contains(words.trimmingCharacters(in: .whitespaces))
                #expect(isKnown, "\(message)")
            }
        }
    }

    @Test func everyWarningOfANightIsInTheRunbook() throws {
        let warnings = sources.matches(of: /log\.(?:warning|notice)\(\s*"([^\n]*)"/).map { String($0.output.1) }
        let nights = Self.withPlurals(
            try String(
                contentsOfFile: Program.repository + "/Sources/Reconcile/Commands/Night/NightWarning+Text.swift",
                encoding: .utf8))
        let texts = nights.matches(of: /case \.\w+(?:\([^\n]*\))?:\s*"([^\n]*)"/).map { String($0.output.1) }
        #expect(warnings.count > 2 && texts.count == 21)
        for warning in warnings + texts {
            let fixed = warning.replacing(/\\\((?:[^()]|\([^()]*(?:\([^()]*\))*[^()]*\))*\)/, with: "…")
            let words = fixed.components(separatedBy: "…").map {
                $0.trimmingCharacters(in: CharacterSet(charactersIn: " :."))
            }
            let starts = words.filter { $0.count > 5 }.map { $0.prefix(18) }
            // The line about a rejected row has no fixed words.
            if starts.isEmpty { continue }
            #expect(starts.contains { start in messages.contains { $0.contains(start) } }, "\(warning)")
        }
    }

    @Test func everyExitCodeHasItsRow() {
        let told = page.split(separator: "\n").filter { $0.hasPrefix("| ") }.flatMap { row in
            row.dropFirst(2).prefix { $0 != "|" }.split(separator: ",").compactMap {
                Int32($0.trimmingCharacters(in: .whitespaces))
            }
        }
        #expect(Set(told) == Set(ExitCode.allCases.map(\.rawValue)))
    }
}
