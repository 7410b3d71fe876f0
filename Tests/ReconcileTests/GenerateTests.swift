import Console
import Foundation
import Testing

@testable import Reconcile

/// Manual page and completions are generated from the parser's table, so both are as complete as the parser.
@Suite struct GenerateTests {
    private static let kinds: [(String, @Sendable ([Command]) -> String)] = [
        ("man", { manual(of: .reconcile($0)) }), ("bash", bashCompletions), ("zsh", zshCompletions),
        ("fish", fishCompletions),
    ]

    @Test func eachNamesEveryCommandAndOption() {
        for (kind, make) in Self.kinds {
            let text = make(Command.all).replacing("\\-", with: "-")
            for command in Command.all {
                #expect(text.contains(command.name), "\(kind) \(command.name)")
                for option in command.options + Option.common {
                    let name = kind == "fish" ? "-l \(option.name) " : option.dashed
                    #expect(text.contains(name), "\(kind) \(option.name)")
                }
            }
        }
    }

    @Test func theManualHasNoLineThatTroffWouldTakeForItsOwn() {
        let known = [".TH", ".SH", ".SS", ".TP", ".PP", ".br", ".B", ".BR", ".RS", ".RE", ".nf", ".fi"]
        for line in manual(of: .reconcile(Command.all)).split(separator: "\n")
        where line.hasPrefix(".") || line.hasPrefix("'") {
            #expect(known.contains(String(line.prefix { $0 != " " })), "\(line)")
        }
    }

    @Test(arguments: [
        ("reconcile nig", "nightly"), ("reconcile nightly --dry", "--dry-run"), ("reconcile --quiet unw", "unwaive"),
        ("reconcile nightly --color a", "auto always"), ("reconcile lookup --lang zh", "zh-Hans"),
        ("reconcile nightly --as-of ", ""), ("reconcile verify recei", "receipt.b64"), ("reconcile gen", ""),
        ("reconcile nightly --output o", "out"), ("reconcile gap ", "accept reopen"), ("reconcile gap accept ", ""),
        ("reconcile generate z", "zsh"),
    ])
    func bashCompletesWhatTheTableKnows(_ typed: String, _ found: String) throws {
        let folder = TestFolder()
        try folder.write("", to: "receipt.b64")
        try FileManager.default.createDirectory(atPath: folder.path + "/out", withIntermediateDirectories: false)
        let words = typed.split(separator: " ", omittingEmptySubsequences: false).map { "'\($0)'" }
        let ended = try Program.shell(
            """
            compopt() { :; }
            source <($R generate bash)
            COMP_WORDS=(\(words.joined(separator: " "))); COMP_CWORD=\(words.count - 1)
            _reconcile; echo "${COMPREPLY[*]}"
            """, in: folder.path)
        #expect(ended == Ended(code: 0, output: found + "\n", errors: ""))
    }

    @Test func generateIsInNoListAndNeverSuggested() throws {
        #expect(try !Program.shell("$R --help").output.contains("generate"))
        let wrong = try Program.shell("$R generat")
        #expect(wrong.code == 64 && !wrong.errors.contains("'generate'"))
        #expect(try Program.shell("$R generate perl").code == 64)
    }

    /// The version is defined in Sources/Reconcile/Main.swift. Every other place that states it must agree.
    @Test func theNewestChangesAreOfThisVersion() throws {
        let changes = try String(contentsOfFile: Program.repository + "/CHANGELOG.md", encoding: .utf8)
        let heading = changes.split(separator: "\n").first { $0.hasPrefix("## ") }
        #expect(heading?.hasPrefix("## \(version)") == true)
    }
}
