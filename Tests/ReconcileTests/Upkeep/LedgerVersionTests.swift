import Foundation
import Testing

@testable import Ledger
@testable internal import Reconcile

/// A ledger of each release, stored in Tests/Recorded. The next night is run on it, which brings it to this version, and it is
/// checked. So a change of the schema or of what its rows contain fails here. Such a change raises `Schema.version`, and
/// `UpgradeSteps.all` gets a step.
@Suite struct LedgerVersionTests {

    /// The files of two nights with lost orders and credits.
    private static func shop() throws -> ShopFolder {
        let shop = try ShopFolder()
        try shop.sell(1..<6, night: 0)
        try shop.credit([2], night: 0)
        try shop.sell(6..<9, night: 1)
        try shop.credit([1, 7], night: 1)
        return shop
    }

    private static func played() throws -> ShopFolder {
        let shop = try shop()
        try shop.night(0)
        try shop.night(1)
        let id = try #require(shop.exceptions(1).first { $0["state"] == "new" }?["exception_id"])
        let ended = try shop.run(["waive", id, "--by", "Li", "--note", "ok", "--as-of", "2025-11-03T09:00:00Z"])
        #expect(ended.code == 0)
        return shop
    }

    private static func recordIfAsked() throws {
        guard isRecording else { return }
        let shop = try played()
        let ended = try Program.shell(
            "$R backup copy.sqlite --config reconcile.json && gzip -9nc copy.sqlite >'\(Release.this.path)/ledger.sqlite.gz'",
            in: shop.folder.path)
        #expect(ended.code == 0, "\(ended.errors)")
    }

    /// The files of two nights, and the ledger that was recorded after them.
    private static func unpacked(_ release: Release) throws -> ShopFolder {
        let shop = try shop()
        let unpacked = try Program.shell("zcat '\(release.path)/ledger.sqlite.gz' >ledger.sqlite", in: shop.folder.path)
        #expect(unpacked.code == 0)
        return shop
    }

    /// The rows of the first night once more: a purchase that the ledger no longer finds would be a new one.
    private static func deliverAgain(_ shop: ShopFolder) throws {
        for name in ["orders-DATE.csv", "transactions-DATE.jsonl"] {
            let rows = try shop.folder.read("inbox/" + name.replacing("DATE", with: shop.date(0)))
            try shop.folder.write(rows + "\n", to: "inbox/" + name.replacing("DATE", with: shop.date(2)))
        }
    }

    @Test(arguments: Release.all) func theRecordedLedgerIsGoneOnFrom(_ release: Release) throws {
        if release == .this { try Self.recordIfAsked() }
        let fresh = try Self.played()
        try Self.deliverAgain(fresh)
        try fresh.night(2)
        let shop = try Self.unpacked(release)
        // Its last night is rebuilt from it, and is the same as what was published.
        #expect(try shop.night(1).code == 0)
        let check = try shop.run(["check"])
        #expect(check.code == 0, "raise Schema.version where the schema has changed: \(check.output)")
        try Self.deliverAgain(shop)
        #expect(try shop.night(2).code == 0)
        for night in 1...2 {
            for name in ["exceptions.csv", "retry-manifest.jsonl", "dead-letter.jsonl", "rejected.jsonl"] {
                #expect(shop.report(name, night) == fresh.report(name, night), "\(name) of \(night)")
            }
        }
        let (found, wanted) = try (
            Ledger.reading(path: shop.folder.path + "/ledger.sqlite"),
            Ledger.reading(path: fresh.folder.path + "/ledger.sqlite")
        )
        #expect(
            try found.storedVerdicts(ofCases: 0..<0x40_0000_0000) == wanted.storedVerdicts(ofCases: 0..<0x40_0000_0000))
    }

    private static let lines = [
        "check", "nightly", "lookup 1", "monthly 2025-11", "backup copy.sqlite", "prune --older-than 1",
        "waive E1 --by a --note b", "restore ledger.sqlite --by a", "upgrade",
    ]

    /// A later version, and one of an earlier commit.
    @Test(arguments: lines, [Schema.version + 1, 1])
    func aLedgerOfAnotherVersionIsRefusedAndLeftAsItIs(_ line: String, _ version: Int64) throws {
        let shop = try ShopFolder()
        try shop.sell(1..<2, night: 0)
        try shop.night(0)
        let path = shop.folder.path + "/ledger.sqlite"
        do {
            let ledger = try Ledger(path: path)
            try ledger.connection.execute("PRAGMA user_version = \(version)")
            try ledger.checkpoint()
        }
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        let ended = try shop.run(line.split(separator: " ").map(String.init))
        let said = version == 1 ? "(1) is from before the first release" : ".version-\(Schema.version)-DATE"
        #expect(ended.code == 78 && ended.errors.contains(said), "\(ended.errors)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }

    /// The way back that the message names.
    @Test func theNightsAreRunAgainFromTheFeeds() throws {
        let shop = try Self.played()
        let path = shop.folder.path + "/ledger.sqlite"
        let wanted = shop.report("retry-manifest.jsonl", 1)
        try Connection(path: path, mode: .readWrite).execute("PRAGMA user_version = 1")
        #expect(try shop.night(1).errors.contains("the first with --new-ledger"))
        try FileManager.default.moveItem(atPath: path, toPath: path + ".old")
        let first = try shop.run([
            "nightly", "--date", shop.date(0), "--as-of", shop.date(1) + "T04:00:00Z", "--new-ledger",
        ])
        #expect(first.code == 0, "\(first.errors)")
        #expect(try shop.night(1).code == 0)
        #expect(shop.report("retry-manifest.jsonl", 1) == wanted)
    }
}
