import Foundation
import SQLite
import Testing

@testable import Ledger
@testable internal import Reconcile

/// Ledgers of every released version of the schema, stored in Tests/Fixtures. They are opened and judged again, and the
/// next night is run on them. The newest is recorded with `RECORD=1 scripts/test --filter LedgerVersionTests`, and
/// never again once it is released.
@Suite struct LedgerVersionTests {
    private static let versions = 1...Schema.migrations.count

    private static func fixture(_ version: Int) -> String {
        Program.repository + "/Tests/Fixtures/ledger-\(version).sqlite.gz"
    }

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
        let path = fixture(versions.upperBound)
        let ended = try Program.shell(
            "$R backup copy.sqlite --config reconcile.json && gzip -9nc copy.sqlite >'\(path)'", in: shop.folder.path)
        #expect(ended.code == 0, "\(ended.errors)")
    }

    /// The files of two nights, and the ledger of this version that was recorded after them.
    private static func unpacked(_ version: Int) throws -> ShopFolder {
        let shop = try shop()
        let unpacked = try Program.shell("zcat '\(fixture(version))' >ledger.sqlite", in: shop.folder.path)
        #expect(unpacked.code == 0, "the fixture of version \(version) is missing")
        return shop
    }

    /// The rows of the first night once more: a purchase that the ledger no longer finds would be a new one.
    private static func deliverAgain(_ shop: ShopFolder) throws {
        for name in ["orders-DATE.csv", "transactions-DATE.jsonl"] {
            let rows = try shop.folder.read("inbox/" + name.replacing("DATE", with: shop.date(0)))
            try shop.folder.write(rows + "\n", to: "inbox/" + name.replacing("DATE", with: shop.date(2)))
        }
    }

    @Test func aLedgerOfEveryVersionIsGoneOnFrom() throws {
        try Self.recordIfAsked()
        let fresh = try Self.played()
        try Self.deliverAgain(fresh)
        try fresh.night(2)
        for version in Self.versions {
            let shop = try Self.unpacked(version)
            // Its last night is rebuilt from it, and is the same as what was published.
            #expect(try shop.night(1).code == 0)
            let check = try shop.run(["check"])
            #expect(check.code == 0, "\(version): \(check.output)")
            try Self.deliverAgain(shop)
            #expect(try shop.night(2).code == 0)
            for night in 1...2 {
                for name in ["exceptions.csv", "retry-manifest.jsonl", "dead-letter.jsonl", "rejected.jsonl"] {
                    #expect(shop.report(name, night) == fresh.report(name, night), "\(version): \(name) of \(night)")
                }
            }
            let brought = try Ledger.reading(path: shop.folder.path + "/ledger.sqlite")
            #expect(
                try brought.storedVerdicts(ofCases: 0..<0x40_0000_0000)
                    == Ledger.reading(path: fresh.folder.path + "/ledger.sqlite").storedVerdicts(
                        ofCases: 0..<0x40_0000_0000))
        }
    }

    /// What only reads may have no right to write. It says what brings the ledger to this version.
    @Test(
        arguments: versions.dropLast(),
        [
            "check", "lookup ORD1", "monthly 2025-11", "nightly --dry-run --as-of 2025-11-03T02:00:00Z",
        ])
    func anOlderLedgerIsOnlyReadOnceItIsBroughtToThisVersion(_ version: Int, _ line: String) throws {
        let shop = try Self.unpacked(version)
        let ended = try shop.run(line.split(separator: " ").map(String.init))
        #expect(ended.code == 78 && ended.errors.contains("run 'reconcile nightly'"), "\(ended)")
        let ledger = try Connection(path: shop.folder.path + "/ledger.sqlite", mode: .readOnly)
        #expect(try ledger.integer("PRAGMA user_version") == Int64(version))
    }

    /// A backup made before the first night of a newer program is brought to its version, and can be restored.
    @Test(arguments: versions.dropLast()) func anOlderLedgerIsBackedUpAndRestored(_ version: Int) throws {
        let shop = try Self.unpacked(version)
        let old = try Data(contentsOf: URL(fileURLWithPath: shop.folder.path + "/ledger.sqlite"))
        #expect(try shop.run(["backup", "copy.sqlite"]).code == 0)
        #expect(try Ledger.reading(path: shop.folder.path + "/copy.sqlite").problems() == [])
        try old.write(to: URL(fileURLWithPath: shop.folder.path + "/old.sqlite"))
        let restored = try shop.run(["restore", "old.sqlite", "--by", "Li"])
        #expect(restored.code == 0, "\(restored)")
        #expect(try shop.night(1).code == 0)
        #expect(try shop.run(["check"]).code == 0)
    }

    /// A night that is killed while it brings the ledger to its version leaves the ledger as it was, and the next one
    /// does it again.
    @Test(arguments: versions.dropLast()) func aNightThatIsKilledLeavesTheLedgerInItsVersion(_ version: Int) throws {
        let shop = try Self.unpacked(version)
        let path = shop.folder.path + "/ledger.sqlite"
        do {
            let ledger = try Ledger(path: path)
            try ledger.begin()
        }
        #expect(throws: LedgerError.self) { try Ledger.reading(path: path) }
        #expect(try shop.night(1).code == 0)
        #expect(try shop.run(["check"]).code == 0)
    }

    /// Up to version 4, an upgrade writes the keys again, and their new sums would hide what was edited before. Later
    /// versions keep their sums.
    @Test(
        arguments: versions.dropLast(),
        ["identifier_block SET first = first + 1", "identifier_block SET entries = x'0101'"])
    func anUpgradeHidesNoEditedKeys(_ version: Int, _ edit: String) throws {
        let shop = try Self.unpacked(version)
        let path = shop.folder.path + "/ledger.sqlite"
        try Connection(path: path, mode: .readWrite).execute("UPDATE " + edit)
        let ended = try shop.night(2)
        if version < 5 {
            #expect(ended.code == 74 && ended.errors.contains("rows of identifier_block were changed"), "\(ended)")
            #expect(try Connection(path: path, mode: .readOnly).integer("PRAGMA user_version") == Int64(version))
        } else {
            let checked = try shop.run(["check"])
            #expect(checked.code == 1 && checked.output.contains("rows of identifier_block were changed"), "\(checked)")
        }
    }

    @Test(arguments: [
        "check", "nightly", "lookup 1", "backup copy.sqlite", "prune --older-than 1", "waive E1 --by a --note b",
    ])
    func aNewerLedgerIsRefusedAndLeftAsItIs(_ line: String) throws {
        let shop = try ShopFolder()
        try shop.sell(1..<2, night: 0)
        try shop.night(0)
        let path = shop.folder.path + "/ledger.sqlite"
        do {
            let ledger = try Ledger(path: path)
            try ledger.connection.execute("PRAGMA user_version = \(Schema.migrations.count + 1)")
            try ledger.checkpoint()
        }
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        let ended = try shop.run(line.split(separator: " ").map(String.init))
        #expect(ended.code == 78 && ended.errors.contains("Install the newer program"), "\(ended.errors)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }
}
