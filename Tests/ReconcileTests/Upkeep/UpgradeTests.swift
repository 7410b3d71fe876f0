import Domain
import Foundation
import Testing

@testable import Console
@testable import Ledger
@testable internal import Reconcile

/// A ledger of an older release is brought to this version in one transaction, or left as it is. No release is older than
/// the first, so an older version is made up here: it lacks a column, stores two columns in another way, and has other
/// views and indexes. `scripts/soak.d/upgrade` does the same with two programs.
@Suite struct UpgradeTests {
    private static let old = Schema.version - 1
    private static let step: UpgradeSteps.Step = { connection in
        let text = try Ledger.inMemory().objects()["table exception"]!
        try connection.execute(
            """
            UPDATE packed_transaction SET quantity = quantity / 10;
            UPDATE loose_end SET hash = hash + 1;
            ALTER TABLE exception RENAME TO former;
            \(text)
            """)
        var row = try connection.prepare(
            "SELECT group_concat(iif(name = 'labels', 'NULL', name)) FROM pragma_table_info('exception')")
        var columns = ""
        while try row.step() { columns = row.text(0) }
        try connection.execute("INSERT INTO exception SELECT \(columns) FROM former; DROP TABLE former")
    }
    private static let steps = UpgradeSteps(steps: [step])

    private let shop: ShopFolder
    private var path: String { shop.folder.path + "/ledger.sqlite" }
    private var copy: String { path + ".version-\(Self.old)-\(shop.date(0))" }

    /// A night with a ledger of the older version.
    init() throws {
        shop = try Self.played()
        let ledger = try Ledger(path: path)
        try ledger.begin()
        for view in try ledger.objects().keys where view.hasPrefix("view ") {
            try ledger.connection.execute("DROP " + view)
        }
        try ledger.connection.execute(
            """
            UPDATE packed_transaction SET quantity = quantity * 10; UPDATE loose_end SET hash = hash - 1;
            DROP INDEX exception_open; ALTER TABLE exception DROP COLUMN labels; DROP INDEX run_business_date;
            CREATE VIEW v_retry AS SELECT * FROM exception; CREATE INDEX "an ""own"" one" ON delivery (name);
            PRAGMA user_version = \(Self.old)
            """)
        try ledger.connection.execute("DELETE FROM table_sum; DELETE FROM case_sum")
        try ledger.sumAnew()
        try ledger.commit()
        try ledger.checkpoint()
    }

    private static func played() throws -> ShopFolder {
        let shop = try ShopFolder()
        try shop.sell(1..<6, night: 0)
        try shop.credit([2], night: 0)
        #expect(try shop.night(0).code == 0)
        return shop
    }

    private func upgrade(_ steps: UpgradeSteps = steps) throws {
        var context = CommandContext.process()
        context.log.descriptor = open("/dev/null", O_WRONLY)
        try Upgrade.perform(on: path, context, by: steps)
    }

    /// Everything in a ledger but the record of the upgrade.
    private func contents(_ path: String) throws -> [String: [String]] {
        let ledger = try Connection(path: path, mode: .readOnly)
        var contents: [String: [String]] = [:]
        for table in SummedTable.allCases.map(\.rawValue) + ["loose_end", "token_owner", "sqlite_schema"] {
            let isSchema = table == "sqlite_schema"
            var row = try ledger.prepare("SELECT \(isSchema ? "type, name, sql" : "*") FROM \(table)")
            var rows: [String] = []
            while try row.step() {
                rows.append((0..<row.columns).map { row.optionalText($0) ?? "-" }.joined(separator: "|"))
            }
            contents[table] = table == "upkeep" ? [] : rows.sorted()
        }
        return contents
    }

    @Test func anOlderLedgerBecomesOneThatWasNeverOld() throws {
        let before = try contents(path)
        // Left by an upgrade that was killed.
        try shop.folder.write("half", to: "ledger.sqlite.version-\(Self.old)-\(shop.date(0)).new")
        try shop.folder.write("half", to: "ledger.sqlite.version-\(Self.old)-\(shop.date(0))")
        try upgrade()
        #expect(try contents(copy) == before)
        let fresh = try Self.played()
        var (found, wanted) = try (contents(path), contents(fresh.folder.path + "/ledger.sqlite"))
        // They name the files' inodes and times.
        for table in ["delivery", "run"] { (found[table], wanted[table]) = (nil, nil) }
        #expect(found == wanted)
        #expect(try shop.run(["check"]).code == 0)
        for shop in [shop, fresh] {
            try shop.sell(1..<9, night: 1)
            try shop.credit([3, 7], night: 1)
            #expect(try shop.night(1).code == 0)
        }
        #expect(try shop.files(1).keys.sorted() == fresh.files(1).keys.sorted())
        #expect(shop.report("retry-manifest.jsonl", 1) == fresh.report("retry-manifest.jsonl", 1))
        #expect(shop.report("exceptions.csv", 1) == fresh.report("exceptions.csv", 1))
        // A second one has nothing to do.
        try FileManager.default.removeItem(atPath: copy)
        try upgrade()
        #expect(!exists(copy))
    }

    /// What a step may get wrong, and what may be wrong before.
    @Test(
        arguments: [
            ("it fails", "SELECT * FROM nowhere", true), ("it changes no table", "SELECT 1", false),
            (
                "it loses a record",
                "DELETE FROM packed_transaction WHERE id = (SELECT max(id) FROM packed_transaction)", true
            ),
            ("it changes a retry key", "UPDATE retry_entry SET entry_key = 'R' || entry_key", true),
            ("it leaves a table behind", "CREATE TABLE left_over (a)", true),
        ])
    func aStepThatGoesWrongChangesNothing(_ what: String, _ sql: String, _ isBesideTheRightOne: Bool) throws {
        let before = try contents(path)
        let wrong = UpgradeSteps(steps: [
            { connection in
                if isBesideTheRightOne { try Self.step(connection) }
                try connection.execute(sql)
            }
        ])
        #expect(throws: (any Error).self, "\(what)") { try upgrade(wrong) }
        #expect(try contents(path) == before && !exists(copy) && !exists(copy + ".new"))
        try upgrade()
    }

    @Test func anEditedLedgerIsNotUpgraded() throws {
        try Connection(path: path, mode: .readWrite).execute("UPDATE packed_order SET line = line + 1")
        let before = try contents(path)
        #expect(throws: LedgerError.self) { try upgrade() }
        #expect(try contents(path) == before && !exists(copy) && !exists(copy + ".new"))
    }

    @Test func anUpgradeWaitsForNoRun() throws {
        let other = try Connection(path: path, mode: .readWrite)
        try other.execute("BEGIN IMMEDIATE")
        #expect(throws: SQLiteError.self) { try upgrade() }
        #expect(!exists(copy))
    }

    /// The way back that the older program names, once this program has run.
    @Test func theOlderProgramRestoresTheCopy() throws {
        let shop = try Self.played()
        let wanted = shop.report("exceptions.csv", 0)
        let path = shop.folder.path + "/ledger.sqlite"
        #expect(try shop.run(["backup", "ledger.sqlite.version"]).code == 0)
        try Connection(path: path, mode: .readWrite).execute("PRAGMA user_version = \(Schema.version + 1)")
        #expect(try shop.run(["check"]).code == 78)
        #expect(try shop.run(["restore", "ledger.sqlite.version", "--by", "Li"]).code == 0)
        #expect(try shop.night(0).code == 0 && shop.report("exceptions.csv", 0) == wanted)
        #expect(try shop.run(["check"]).code == 0)
    }

    @Test func aLedgerOfThisVersionIsUpToDate() throws {
        let shop = try Self.played()
        let ended = try shop.run(["upgrade"])
        #expect(ended.code == 0 && ended.output.contains("this program's version (\(Schema.version))"))
        #expect(try shop.run(["upgrade", "--ledger", "none.sqlite"]).code == 66)
    }
}
