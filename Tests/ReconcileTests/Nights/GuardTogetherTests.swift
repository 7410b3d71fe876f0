import Domain
import Testing

@testable import Ledger
@testable import Reconcile

/// Lost orders that have something in common are held, and no others.
@Suite struct GuardTogetherTests {
    /// Five of ten purchases of a date lack their goods, and one of an earlier date.
    private func shop(retry: String) throws -> DeskFolder {
        let desk = try DeskFolder(retry: retry)
        for night in 0..<3 {
            try desk.sell(night * 20..<night * 20 + 20, credited: night * 20..<night * 20 + 20, night: night)
            try desk.night(night)
        }
        try desk.sell(60..<80, credited: 61..<80, night: 3)
        try desk.night(3)
        try desk.sell(80..<90, credited: 80..<85, night: 4)
        try desk.night(4)
        return desk
    }

    private func keys(_ name: String, _ desk: DeskFolder) throws -> Int {
        try desk.folder.read("out/latest/" + name).split(separator: "\n").count
    }

    private func answer(_ number: Int, _ desk: DeskFolder) throws -> String? {
        try desk.subjects(DeskFolder.sold(number)).first?["safe_reason"] as? String
    }

    @Test func otherEntriesGoOut() throws {
        let desk = try shop(retry: "{}")
        let summary = try desk.folder.read("out/latest/summary.txt")
        #expect(summary.contains("credits \(desk.date(4)): 5 of 10 purchases of coins lack goods"), "\(summary)")
        #expect(try keys("retry-manifest.jsonl", desk) == 1 && keys("held.jsonl", desk) == 5)
        #expect(try answer(60, desk)?.hasPrefix("retry_") == true && answer(87, desk) == "held")
        // The goods that a machine gave lack no more, and were lost.
        try desk.sell(90..<100, credited: 90..<100, night: 5)
        let late = "CR60,ORD960,\(DeskFolder.sold(60)),acct60,credit,auto,\(desk.noon(5))"
        let file = "inbox/credits-\(desk.date(5)).csv"
        try desk.folder.write(desk.folder.read(file) + late + "\n", to: file)
        try desk.night(5)
        let ledger = try Ledger(path: desk.folder.path + "/ledger.sqlite")
        let given = try ledger.lostOrdersAsked(since: Instant(milliseconds: 0))
        #expect(given.map(\.facts.transactions) == [[DeskFolder.sold(60)]])
        #expect(try ledger.lostOrdersAsked(since: desk.now) == [])
        // Those of which a person said to ask are as that person said.
        try ledger.writeRelease(of: try #require(given[0].facts.retryKey), run: 1, by: "Li", at: desk.now, note: "")
        #expect(try ledger.lostOrdersAsked(since: Instant(milliseconds: 0)) == [])
    }

    @Test func theDeskMayGiveOthers() throws {
        let desk = try shop(retry: "{ enabled: false }")
        #expect(try answer(60, desk) == "safe" && answer(87, desk) == "guarded")
        // So are other cases of another date what they are.
        try desk.sell(90..<100, credited: 90..<100, night: 5)
        let second = "CR91b,ORD991,\(DeskFolder.sold(91)),acct91,credit,auto,\(desk.noon(5))"
        let file = "inbox/credits-\(desk.date(5)).csv"
        try desk.folder.write(desk.folder.read(file) + second + "\n", to: file)
        try desk.night(5)
        #expect(try answer(91, desk) == "verdict" && answer(87, desk) == "guarded")
    }
}
