import Foundation
import Reference
import Testing

@testable import Demo
@testable import Reconcile

@Test func theDemoShowsEveryVerdictAndEveryCause() throws {
    let demo = try DemoRun("--orders 1")
    #expect(demo.ended.code == 0, "\(demo.ended.errors)")
    #expect(try demo.rulings().symmetricDifference(DemoRun.possibleRulings).sorted() == [])
}

@Test(arguments: 1...Trials.count(2, long: 5))
func everyScenarioEndsAsItsPageSays(_ seed: Int) throws {
    let demo = try DemoRun("--orders 400 --seed \(seed)")
    let verdicts = try demo.verdicts()
    let rows = try demo.text("STORIES.md").matches(of: /\n\| (.+?) \| .+? \| `(.+?)` \| `(.+?)` \|/)
    #expect(rows.count == ScenarioGroup.all.map(\.scenarios.count).reduce(0, +))
    for row in rows {
        let (scenario, id) = (row.output.1, String(row.output.2))
        let expected = row.output.3.contains("/") ? String(row.output.3) : row.output.3 + "/"
        #expect(verdicts[id] == [expected], "seed \(seed): \(scenario)")
    }
}

/// A shop that loses most of its orders would be held.
@Test func whatAPageLeavesToTheRepairJobIsInTheManifest() throws {
    let demo = try DemoRun("--orders 300")
    let manifest = try demo.text("out/latest/retry-manifest.jsonl")
    let rows = try demo.text("STORIES.md").split(separator: "\n").filter { $0.contains(Scenario.repairJob) }
    #expect(rows.count == 6)
    for row in rows {
        let id = try #require(row.firstMatch(of: /`(\d{16})`/)).output.1
        #expect(manifest.contains("\"transaction_id\":\"\(id)\""), "\(row)")
    }
}

@Test func exceptionsComeStayChangeReturnAndGo() throws {
    let demo = try DemoRun("--orders 1")
    var counts: [String: Int] = [:]
    for day in 16...18 {
        let states = try #require(try demo.summary(day)["exceptions"] as? [String: Int])
        counts.merge(states, uniquingKeysWith: +)
    }
    for state in ["new", "open", "changed", "reopened", "resolved"] {
        #expect(counts[state, default: 0] > 0, "\(state)")
    }
}

@Test func theSameSeedGivesTheSameBytesAndAnotherOneOthers() throws {
    let one = try DemoRun("--orders 300 --seed 7")
    let same = try DemoRun("--orders 300 --seed 7")
    let other = try DemoRun("--orders 300 --seed 8")
    #expect(one.ended == same.ended && one.ended.code == 0)
    expectRejectedRowsAlone(one.ended.errors)
    for name in ["inbox", "out/2025-11-16", "out/2025-11-17", "out/2025-11-18"] {
        #expect(try one.files(name) == same.files(name), "\(name)")
        #expect(try one.files(name) != other.files(name), "\(name)")
    }
    for name in ["STORIES.md", "products.csv", "reconcile.json"] { #expect(try one.text(name) == same.text(name)) }
}

@Test func aSampleHasAboutAsManyOrdersAsAskedFor() throws {
    let demo = try DemoRun("--orders 1000")
    let names = ["16", "17", "18"].flatMap { ["orders-2025-11-\($0).csv", "orders-jp-2025-11-\($0).csv"] }
    let rows = try names.flatMap { try demo.text("inbox/" + $0).split(separator: "\n").dropFirst() }
    let ids = Set(rows.map { $0.prefix { $0 != "," } })
    #expect((980...1001).contains(ids.count), "\(ids.count)")
    for currency in Market.allCases.map(\.currency.text) { #expect(rows.contains { $0.contains(",\(currency),") }) }
}

@Test func theDemosLastAdviceWorks() throws {
    let demo = try DemoRun("--orders 300")
    let advice = try #require(demo.ended.output.firstMatch(of: /reconcile (nightly .+)\n/)).output.1
    let again = try Program.shell("$R \(advice)", in: demo.folder.path)
    #expect(again.code == 0, "\(again.errors)")
    #expect(again.output == (try demo.text("out/latest/summary.txt")))
    #expect(try demo.text("out/latest/rejected.jsonl").split(separator: "\n").count == 4)
}

@Test func aFolderThatHoldsSomethingIsLeftAlone() throws {
    let folder = TestFolder()
    try folder.write("mine", to: "notes.txt")
    let ended = try Program.shell("$R demo .", in: folder.path)
    #expect(ended.code == 73 && ended.errors.contains("is not empty"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["notes.txt"])
}

@Test func aDemoThatFailsLeavesNothing() throws {
    let folder = TestFolder()
    let ended = try Program.shell("ulimit -f 64; $R demo night", in: folder.path)
    #expect(ended.code == 74, "\(ended.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/night").isEmpty)
}

@Test func theDemosSummaryIsTheGolden() throws {
    let demo = try DemoRun("--orders 300 --seed 1")
    try expectGolden(try demo.text("out/latest/summary.txt"), "examples/demo/summary.txt")
    // The app's newest version loses orders. The page says so, and finds them.
    let page = try demo.text("out/latest/report.html")
    #expect(page.contains("of 14 lost orders have version 3.2.1 in common") && page.contains("\"#version%3D3.2.1\""))
}
