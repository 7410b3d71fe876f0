import Foundation
import Testing

@Test func theTinyNightGivesTheReportsOfTheExample() throws {
    let folder = TestFolder()
    let line =
        ": >told; RECONCILE_REASONS=told $R nightly --config \(Program.repository)/examples/tiny-night/in/reconcile.json --output out "
        + "--ledger ledger.sqlite --date 2025-11-18 --as-of 2025-11-19T04:00:00+08:00"
    let ended = try Program.shell(line, in: folder.path)
    #expect(ended.code == 0)
    expectRejectedRowsAlone(ended.errors)
    #expect(try folder.read("told") == ended.errors.replacing("reconcile: warning: ", with: "rows "))
    for name in ["exceptions.csv", "summary.txt", "summary.json", "rejected.jsonl", "retry-manifest.jsonl"] {
        try expectGolden(try folder.read("out/2025-11-18/" + name), "examples/tiny-night/out/" + name)
    }
    #expect(ended.output == (try folder.read("out/2025-11-18/summary.txt")))
}

/// The log of a quiet night names the first rejected row of each kind of feed, and nothing else.
func expectRejectedRowsAlone(_ errors: String, _ location: SourceLocation = #_sourceLocation) {
    let lines = errors.split(separator: "\n")
    let named = lines.filter { $0.contains(/row of [a-z]+ is rejected; the first is \S+:[0-9]+: .* Correct the row/) }
    #expect(named == lines && !lines.isEmpty, "\(errors)", sourceLocation: location)
}
