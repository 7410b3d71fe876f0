import Foundation
import Reference
import Testing

@testable import Ledger
@testable internal import Reconcile

/// Rows that were edited by hand, or damaged on disk, are noticed and never used, and no command crashes.
@Suite struct EditedLedgerTests {
    private let shop: ShopFolder
    private var ledger: String { shop.folder.path + "/ledger.sqlite" }

    /// Two nights with lost orders, credits, receipts, a rejected row, a waiver, a product list, tokens and a closed
    /// month.
    init() throws {
        shop = try ShopFolder(historyFrom: "2025-10-01")
        let configuration = try shop.folder.read("reconcile.json")
        try shop.folder.write(
            configuration.replacingOccurrences(of: "retry:", with: "maxRejectedShare: 0.9, retry:")
                .replacingOccurrences(
                    of: #"{ kind: "transactions""#,
                    with: #"{ kind: "receipts", path: "inbox/receipts-{date}.csv" }, "#
                        + #"{ kind: "products", path: "inbox/products-{date}.csv" }, { kind: "transactions""#),
            to: "reconcile.json")
        try shop.folder.write(
            "product_id,type,amount,currency\ncoins,consumable,6.00,CNY\n", to: "inbox/products-2025-10-30.csv")
        for night in 0...2 {
            let date = shop.date(night)
            try shop.sell(night * 4 + 1..<night * 4 + 5, night: night)
            try shop.credit(night == 2 ? [] : [night * 4 + 1, 900 + night], night: night)
            let (old, new) = (shop.transaction(night * 4 + 2), shop.transaction(800 + night))
            try shop.folder.write(
                """
                received_at,account_id,receipt_id,order_id,transaction_id,verify_status,device_id
                \(date)T12:00:05Z,acct\(night * 4 + 2),RC\(night),ORD\(night * 4 + 2),\(old),0,DEV\(night)
                \(date)T12:10:00Z,acct800,RX\(night),,\(new),0,DEV9
                yesterday,acct1,RY\(night),,1,0,

                """, to: "inbox/receipts-\(date).csv")
        }
        try token(of: 3, night: 0)
        #expect(try shop.night(0).code == 0)
        #expect(try shop.night(1).code == 0)
        #expect(try shop.run(["waive", exception(of: 4), "--by", "Li", "--note", "paid"]).code == 0)
    }

    /// The order of that number, and the purchase, carry one token.
    private func token(of number: Int, night: Int) throws {
        let token = "7e3fb204-2c49-4d7e-9dd2-1de1f2f5d003"
        let (orders, records) = ("inbox/orders-\(shop.date(night)).csv", "inbox/transactions-\(shop.date(night)).jsonl")
        let rows = try shop.folder.read(orders).split(separator: "\n").map(String.init)
        try shop.folder.write(
            rows.map { row in
                row
                    + (row.hasPrefix("order_id")
                        ? ",app_account_token" : row.hasPrefix("ORD\(number),") ? "," + token : ",")
                    + "\n"
            }.joined(), to: orders)
        let id = "{\"transactionId\":\"\(shop.transaction(number))\","
        try shop.folder.write(
            shop.folder.read(records).replacingOccurrences(of: id, with: id + "\"appAccountToken\":\"\(token)\","),
            to: records)
    }

    private func exception(of number: Int) throws -> String {
        try #require(
            shop.exceptions(0).first { $0["transaction_id"] == shop.transaction(number) }?["exception_id"])
    }

    private func edit(_ sql: String) throws { try Connection(path: ledger, mode: .readWrite).execute(sql) }

    /// Every file except the inbox, so that it can be restored.
    private func state() throws -> [String: Data] {
        var files: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: shop.folder.path) where name.hasPrefix("ledger")
        {
            files[name] = try Data(contentsOf: URL(fileURLWithPath: shop.folder.path + "/" + name))
        }
        return files
    }

    private func restore(_ files: [String: Data]) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: shop.folder.path)
        where name.hasPrefix("ledger") || name == "out" {
            try FileManager.default.removeItem(atPath: shop.folder.path + "/" + name)
        }
        for (name, content) in files { try content.write(to: URL(fileURLWithPath: shop.folder.path + "/" + name)) }
        try FileManager.default.copyItem(atPath: shop.folder.path + "/good", toPath: shop.folder.path + "/out")
    }

    @Test(arguments: [
        "UPDATE packed_order SET account_id = 'thief'", "UPDATE packed_receipt SET account_id = 'thief'",
        "UPDATE packed_transaction SET app_account_token = '7e3fb204-2c49-4d7e-9dd2-1de1f2f5d999'",
        "UPDATE token_owner SET account_id = 'thief'", "DELETE FROM token_owner",
        "UPDATE ledger_fact SET key = 'unused'",
        "UPDATE packed_credit SET transaction_id = NULL, order_id = NULL",
        "DELETE FROM packed_credit", "UPDATE retry_entry SET facts = replace(facts, 'acct', 'thief')",
        "UPDATE retry_entry SET attempts = 0, state = 'waiting'",
        "UPDATE exception SET state = 'open' WHERE state = 'waived'",
        "UPDATE product SET amount = 1", "UPDATE case_sum SET sums = zeroblob(length(sums))", "DELETE FROM watch",
        "UPDATE run SET folder = '../../elsewhere'", "DELETE FROM arrival",
        "UPDATE identifier_block SET entries = zeroblob(length(entries))", "DELETE FROM identifier_block",
        "UPDATE identifier_filter SET bits = zeroblob(length(bits))", "DELETE FROM identifier_filter",
        // What a row that could not be read says may withhold an entry.
        "UPDATE rejected_row SET row = 'x'", "DELETE FROM rejected_row",
    ])
    func anEditedLedgerGivesNobodyGoods(_ sql: String) throws {
        try edit(sql)
        // A changed order and a credit touch the cases of the night before.
        try shop.folder.write(
            "order_id,account_id,product_id,quantity,amount,currency,transaction_id,status,created_at,app_account_token\n"
                + "ORD3,acct3,coins,1,6.00,CNY,\(shop.transaction(3)),pending,2025-11-01T12:00:00Z,"
                + "7e3fb204-2c49-4d7e-9dd2-1de1f2f5d003\n", to: "inbox/orders-\(shop.date(2)).csv")
        try shop.credit([1, 5], night: 2)
        let ended = try shop.night(2)
        #expect(ended.code == 74 && ended.errors.contains("the ledger is damaged: "), "\(ended)")
        #expect(ended.errors.contains("Restore a backup") && ended.errors.contains("reconcile check"), "\(ended)")
        #expect(shop.report("retry-manifest.jsonl", 2) == nil)
        #expect(try shop.run(["check"]).code != 0)
    }

    @Test func theMessageNamesTheCase() throws {
        try edit("UPDATE packed_order SET account_id = 'thief' WHERE order_id = 'ORD2'")
        #expect(try shop.night(2).errors.contains("(order ORD2)"))
        let month = try shop.run(["monthly", "2025-11"])
        #expect(month.code == 74 && month.errors.contains("(order ORD2)"), "\(month)")
        let found = try shop.run(["lookup", "ORD2"])
        #expect(found.code == 74 && found.errors.contains("(order ORD2)"), "\(found)")
    }

    @Test(arguments: [
        "CREATE TRIGGER t AFTER INSERT ON run BEGIN DELETE FROM exception; END",
        "CREATE VIEW mine AS SELECT 1", "CREATE TABLE mine (x)",
        "CREATE UNIQUE INDEX mine ON exception_event (exception, run, number)",
    ])
    func whatSomebodyAddedIsNotRun(_ sql: String) throws {
        let (waived, key) = (
            try exception(of: 2), try #require(shop.lines("retry-manifest.jsonl", 1).first?["key"] as? String)
        )
        try edit(sql)
        for words in [
            ["nightly", "--date", shop.date(2), "--as-of", shop.date(3) + "T04:00:00Z"],
            ["waive", waived, "--by", "Li", "--note", "ok"], ["release", key, "--by", "Li", "--note", "ok"],
            ["prune", "--older-than", "0"], ["monthly", "2025-11"],
        ] {
            let ended = try shop.run(words)
            #expect(ended.code == 74 && ended.errors.contains("was not created by reconcile"), "\(words): \(ended)")
        }
        #expect(shop.report("summary.txt", 2) == nil)
    }

    @Test func aRebuiltNightIsNotMadeOfEditedRows() throws {
        try edit("UPDATE retry_line SET line = replace(line, 'acct', 'thief')")
        let ended = try shop.night(1)
        #expect(ended.code == 74 && ended.errors.contains("rows of retry_line were changed"), "\(ended)")
    }

    /// It reads neither table, but a ledger that was edited gives out nothing.
    @Test(arguments: ["exception SET amount = amount + 1", "retry_entry SET attempts = 0"])
    func noNightIsRebuiltFromAnEditedRegister(_ change: String) throws {
        try edit("UPDATE " + change)
        let ended = try shop.night(1)
        let table = change.prefix { $0 != " " }
        #expect(ended.code == 74 && ended.errors.contains("rows of \(table) were changed"), "\(ended)")
    }

    /// No look-up finds these rows, so their own proof is never read. A purchase that is delivered again must not be
    /// taken for a new one.
    @Test(arguments: [
        "identifier_block SET first = 9223372036854775807", "identifier_block SET first = first + 1000",
        "identifier_block SET segment = segment + 7", "identifier_filter SET last = -9223372036854775808",
        "identifier_filter SET segment = segment + 7",
    ])
    func noPurchaseIsTakenForANewOne(_ change: String) throws {
        try edit("UPDATE OR IGNORE " + change)
        for name in try FileManager.default.contentsOfDirectory(atPath: shop.folder.path + "/inbox")
        where name.contains(shop.date(0)) {
            let again = name.replacing(shop.date(0), with: shop.date(2))
            try shop.folder.write(shop.folder.read("inbox/" + name) + "\n", to: "inbox/" + again)
        }
        let ended = try shop.night(2)
        #expect(ended.code == 74 && ended.errors.contains("of keys "), "\(ended)")
    }

    /// A look-up must not answer that the purchase is unknown.
    @Test(arguments: ["identifier_segment", "identifier_block", "identifier_filter"])
    func noLookUpMissesAPurchase(_ table: String) throws {
        try edit("DELETE FROM " + table)
        let found = try shop.run(["lookup", "ORD2"])
        let isNamed = found.errors.contains("identifier_segment has") || found.errors.contains("of keys is missing")
        #expect(found.code == 74 && isNamed, "\(found)")
    }

    @Test func aSchemaVersionThatNobodyWritesIsDamage() throws {
        for version in [-1, 0] {
            try edit("PRAGMA user_version = \(version)")
            for words in [
                ["nightly"], ["check"], ["prune", "--older-than", "0"], ["waive", "E1", "--by", "a", "--note", "b"],
            ] {
                #expect(try shop.run(words).code == 74)
            }
        }
    }

    /// The columns are tried in so many tests, which run at the same time.
    private static let parts = 3

    /// A column is set to a value that no run writes. No command crashes, and a night ends with 74 or emits the same
    /// retry entries as without the edit. Every third column is tried, all of them with LONG_TRIALS;
    /// `scripts/soak.d/edits` tries more values and commands.
    @Test(.timeLimit(.minutes(2)), arguments: 0..<parts) func whateverColumnIsEditedNoCommandCrashes(part: Int) throws {
        #expect(try shop.run(["monthly", "2025-10", "--close", "--by", "li"]).code == 0)
        try Ledger(path: ledger).checkpoint()
        let good = try state()
        try FileManager.default.copyItem(atPath: shop.folder.path + "/out", toPath: shop.folder.path + "/good")
        try shop.night(2)
        let manifest = shop.report("retry-manifest.jsonl", 2)
        let others = [["lookup", "ORD2"], ["monthly", "2025-11"], ["prune", "--older-than", "0", "--dry-run"]]
        let values = [
            "9223372036854775807", "-9223372036854775808", "4611686018427387904", "-1", "''", "x'ff00'", "'x'",
        ]
        for (number, column) in try columns().enumerated() where Trials.areLong || number % 3 == 0 {
            guard number / 3 % Self.parts == part else { continue }
            try restore(good)
            let value = values[number % values.count]
            do { try edit("UPDATE OR IGNORE \(column.table) SET \(column.name) = \(value)") } catch { continue }
            for words in [["check"], others[number / 3 % others.count]] {
                let ended = try shop.run(words)
                #expect([0, 1, 3, 66, 74].contains(ended.code), "\(column) = \(value): \(words): \(ended)")
            }
            let ended = try shop.night(2)
            #expect([0, 74].contains(ended.code), "\(column) = \(value): \(ended)")
            if ended.code == 0 { #expect(shop.report("retry-manifest.jsonl", 2) == manifest, "\(column) = \(value)") }
        }
    }

    private func columns() throws -> [(table: String, name: String)] {
        let ledger = try Connection(path: ledger, mode: .readOnly)
        var columns: [(String, String)] = []
        var row = try ledger.prepare(
            """
            SELECT t.name, c.name FROM sqlite_schema AS t, pragma_table_info(t.name) AS c
            WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite%' ORDER BY 1, c.cid
            """)
        while try row.step() { columns.append((row.text(0), row.text(1))) }
        return columns
    }
}
