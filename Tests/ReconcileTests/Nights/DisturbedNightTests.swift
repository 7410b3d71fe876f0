import Domain
import Foundation
import Testing

@testable import Ledger
@testable import Reconcile

/// Nights in which one system call fails (Tests/Faults). What remains is the state before or after the night, and the
/// next run gives the same result as without the failure. scripts/soak.d/faults tries every call; here are some of each
/// kind.
@Suite struct DisturbedNightTests {
    /// The reports of the second night of a small shop, without any failure.
    private let reports: [String: Data]
    private let calls: [String]

    init() throws {
        let night = try Self.eve()
        let ended = try night.disturbed("none", at: "0")
        try #require(ended.code == 0, "\(ended.errors)")
        calls = try night.calls()
        reports = try night.reports(day(1).text)
    }

    /// The state after the first night and before the second.
    private static func eve() throws -> NightFolder {
        let night = try NightFolder()
        try night.deliverLostOrders(0, count: 2)
        try #require(try night.night(moment(0)).code == .done)
        try night.deliverLostOrders(1, count: 3)
        return night
    }

    @Test(arguments: [("kill", 1), ("tear", 2), ("enospc", 3), ("eio+", 4), ("short", 5)] as [(String, UInt64)])
    func aCallThatGoesWrongChangesAllOrNothing(_ mode: String, _ seed: UInt64) throws {
        var chance = SplitMix64(seed: seed)
        for _ in 0..<2 {
            let number = Int.random(in: 1...calls.count, using: &chance)
            try survive(mode, number, "seed \(seed)")
        }
    }

    @Test func aPartOfTheWorkbookThatCannotBeWrittenIsAnError() throws {
        let parts = calls.indices.filter { calls[$0].contains(" write ") && calls[$0].contains("/tmp.") }
        try #require(parts.count > 10)
        for index in [parts[0], parts[parts.count / 2], parts[parts.count - 1]] {
            try survive("eio", index + 1, "a part", expecting: 74)
        }
    }

    @Test func aSyncThatFailsAtTheEndIsAnErrorAndTheNightAfterHeals() throws {
        // The syncs after the links belong to a checkpoint.
        let link = try #require(calls.firstIndex { $0.contains(" symlink ") })
        let commit = try #require(calls[..<link].lastIndex { $0.contains("sync ") && $0.hasSuffix("-wal") })
        try survive("eio+", commit + 1, "the ledger's sync", expecting: 74)
    }

    @Test func aNightKilledBetweenItsTwoLinksIsHealedByAnyRun() throws {
        let night = try Self.eve()
        let last = try #require(calls.lastIndex { $0.contains(" rename ") })
        #expect(try night.disturbed("kill", at: "\(last + 1)").code == 137)
        #expect(try night.target("latest") == day(0).text)
        // Any run will do, even one that fails by itself.
        #expect(try night.night(moment(-5)).code == .noInput)
        #expect(try night.target("latest") == day(1).text)
        #expect(try night.reports("latest") == reports)
    }

    private func survive(_ mode: String, _ number: Int, _ comment: String, expecting code: Int32? = nil) throws {
        let night = try Self.eve()
        let point = "\(mode) at \(calls[number - 1]), \(comment)"
        let ended = try night.disturbed(
            String(mode.prefix { $0 != "+" }), at: "\(number)" + (mode.hasSuffix("+") ? "+" : ""))
        #expect([0, 73, 74, 77, 137].contains(ended.code), "\(point): \(ended)")
        if let code { #expect(ended.code == code, "\(point): \(ended)") }
        let published = try? night.reports(day(1).text)
        #expect(published == nil || published == reports, "half published: \(point)")
        #expect(ended.code != 0 || published == reports, "done, and not published: \(point)")
        let ledger = try night.ledger()
        #expect(try ledger.fileProblems().isEmpty, "\(point)")
        #expect(try published == nil || ledger.lastRun()?.businessDate == day(1), "published, and not kept: \(point)")
        #expect(try night.night(moment(1)).code == .done, "the next run: \(point)")
        #expect(try night.reports(day(1).text) == reports, "the next run's reports: \(point)")
        let folders = try FileManager.default.contentsOfDirectory(atPath: night.folder.path + "/out/.nights")
        #expect(folders.count == 2, "left over: \(point)")
    }
}

extension NightFolder {
    /// Runs the second night as a separate process in which call number `point` fails.
    fileprivate func disturbed(_ mode: String, at point: String) throws -> Ended {
        let faults = URL(fileURLWithPath: Program.path).deletingLastPathComponent().path + "/Faults"
        let (now, date) = (moment(1).asOf.text, moment(1).businessDate.text)
        return try Program.shell(
            """
            RECONCILE_THREADS=1 \(faults) -r "$PWD" -l calls \(mode) \(point) \
            $R nightly --config reconcile.json --as-of \(now) --date \(date) >/dev/null
            """, in: folder.path)
    }

    /// The calls that `disturbed` counted: number, call and path, one on each line.
    fileprivate func calls() throws -> [String] {
        try folder.read("calls").split(separator: "\n").dropLast().map(String.init)
    }

    fileprivate func target(_ name: String) throws -> String {
        try FileManager.default.destinationOfSymbolicLink(atPath: folder.path + "/out/" + name)
    }
}
