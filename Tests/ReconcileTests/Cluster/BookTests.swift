import Domain
import Foundation
import Reports
import Testing

@testable import Console
@testable import Ledger
@testable import Reconcile

/// What the other commands do with a ledger of nights in stages, which holds no evidence. See
/// docs/spec/cluster.md#book.
@Suite struct BookTests {
    private let folder: NightFolder

    init() throws {
        folder = try StagedShop.folder()
        try StagedShop.deliver(0, into: folder)
        try #require(try StagedNights(folder, parts: 2).run(moment(0)).code == .done)
    }

    /// An answer without evidence would deny purchases that exist.
    @Test(arguments: ["lookup 20000000000101", "given 200000000000101 --by li", "monthly 2025-11"])
    func whatNeedsEvidenceIsRefused(_ command: String) throws {
        let before = try folder.contents("ledger.sqlite")
        let ended = try folder.run(command.split(separator: " ").map(String.init))
        #expect(ended.code == .configuration && ended.output.isEmpty, "\(ended)")
        #expect(ended.errors.contains("holds no evidence: its nights run in stages"))
        #expect(try folder.contents("ledger.sqlite") == before)
    }

    /// Nothing can be judged here, so the rows have no answer.
    @Test func theQueueIsShownAllTheSame() throws {
        let path = folder.folder.path + "/reconcile.json"
        let app = DeskApp(name: nil, configuration: try Configuration.read(path, shownAs: path))
        let now = Instant(milliseconds: 1_763_000_000_000)
        let queue = try app.queue(QueueFilter(), isFile: false, user: "li", now: now, log: Log(clock: { now }))
        #expect(queue.count > 0 && queue.rows.count == min(queue.count, 50))
    }

    @Test func checkProvesWhatTheLedgerHolds() throws {
        let good = try folder.run(["check"])
        #expect(good.code == .done && good.output.contains("ok     chain of 1 run"), "\(good)")
        #expect(good.output.contains("verdicts: not checked, because the ledger holds no evidence"))
        let ledger = try Ledger(path: folder.folder.path + "/ledger.sqlite")
        try ledger.connection.execute("UPDATE run SET evidence = replace(evidence, '2025-11-10', '2025-11-09')")
        let bad = try folder.run(["check"])
        #expect(bad.code == .no && bad.output.contains("WRONG  chain of 1 run"), "\(bad)")
    }

    @Test func aBackupIsRestoredAndTheNextNightGoesOn() throws {
        #expect(try folder.run(["backup", "copy.sqlite"]).code == .done)
        let first = try folder.reports("2025-11-10")
        try StagedShop.deliver(1, into: folder)
        #expect(try StagedNights(folder, parts: 2).run(moment(1)).code == .done)
        let second = try folder.reports("2025-11-11")
        let restored = try folder.run(["restore", "copy.sqlite", "--by", "li"])
        #expect(restored.code == .done && restored.output.contains("then the night in stages"), "\(restored)")
        // The evidence of the night that was lost is still in its folder. It does not count.
        #expect(try StagedNights(folder, parts: 3).run(moment(1)).code == .done)
        #expect(try folder.reports("2025-11-10") == first)
        // The chain, which summary.json shows, covers the restoration.
        let again = try folder.reports("2025-11-11").filter { !["summary.json", "SHA256SUMS"].contains($0.key) }
        #expect(again == second.filter { again.keys.contains($0.key) })
    }

    @Test func reportsThatWereRemovedAreRenderedAgain() throws {
        let reports = try folder.reports("2025-11-10")
        try FileManager.default.removeItem(atPath: folder.folder.path + "/out/2025-11-10")
        #expect(try StagedNights(folder, parts: 2).run(moment(0)).code == .done)
        #expect(try folder.reports("2025-11-10") == reports)
    }
}
