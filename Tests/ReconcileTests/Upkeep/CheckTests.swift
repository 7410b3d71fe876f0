import Base
import Console
import Domain
import Foundation
import Testing

@testable import Ledger
@testable internal import Reconcile

/// `check` finds every change to ledger, reports and set-up, and says what to do.
@Suite struct CheckTests {
    private let shop: ShopFolder

    /// Two nights with a lost order, a credit, a retry entry and its answer.
    init() throws {
        shop = try ShopFolder()
        try shop.sell(1..<6, night: 0)
        try shop.credit([2], night: 0)
        try shop.night(0)
        try shop.sell(6..<9, night: 1)
        try shop.credit([1, 3], night: 1)
        try shop.night(1)
    }

    private func edit(_ sql: String) throws {
        try Connection(path: shop.folder.path + "/ledger.sqlite", mode: .readWrite).execute(sql)
    }

    @Test func aSoundSetUpEndsWith0InEveryWay() throws {
        let text = try shop.run(["check"])
        #expect(text.code == 0 && !text.output.contains("WRONG"), "\(text.output)")
        let json = try shop.run(["check", "--json"])
        let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
        #expect(json.code == 0 && object?["ok"] as? Bool == true)
        let checks = try #require(object?["checks"] as? [[String: Any]])
        #expect(checks.count == text.output.split(separator: "\n").count)
    }

    /// A disk that is not mounted: nobody lacks a permission.
    @Test func aLinkThatLeadsNowhereIsNamed() throws {
        let path = shop.folder.path + "/inbox/orders-\(shop.date(1)).csv"
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/nowhere/orders.csv")
        let told = try shop.run(["check"]).output
        #expect(told.contains("orders-\(shop.date(1)).csv is a link that leads nowhere. Mount the disk"), "\(told)")
    }

    /// Whether the nights still run.
    @Test(arguments: [(3, false), (4, true)]) func checkSaysHowOldTheLastNightIs(_ day: Int, _ isOld: Bool) throws {
        let now = Zone.utc.start(of: ShopFolder.first.advanced(by: day)) + .hours(9)
        let told = try shop.run(["check"]) { now }.output
        #expect(told.contains("LOOK   last night: it was for 2025-11-02, 3 days ago.") == isOld, "\(told)")
    }

    @Test(arguments: [("168h", false), ("169h", true)]) func aGraceOfMoreThanAWeekIsTold(
        _ grace: String, _ isLong: Bool
    ) throws {
        let text = try shop.folder.read("reconcile.json")
        try shop.folder.write(
            text.replacing("{", with: "{ grace: { credit: '\(grace)' }, ", maxReplacements: 1), to: "reconcile.json")
        let told = try shop.run(["check"]).output
        #expect(told.contains("LOOK   grace.credit: it is longer than a week.") == isLong, "\(told)")
    }

    /// A second table of orders with other ids of the customers, or with customers of the same kind of ids.
    @Test(arguments: [("M00%", true), ("user9%", false)]) func twoIdsOfOneCustomerAreTold(_ id: String, _ isOther: Bool)
        throws
    {
        try shop.sell(20..<25, night: 1)
        let text = try shop.folder.read("reconcile.json")
        try shop.folder.write(
            text.replacing(
                "feeds: [", with: "feeds: [ { kind: \"orders\", path: \"vip.csv\", },"), to: "reconcile.json")
        let rows = (1...6).map { "V\($0),\(id.replacing("%", with: "\($0)")),coins,paid,2025-11-01T04:00:00Z\n" }
        try shop.folder.write(
            "order_id,account_id,product_id,status,created_at\n" + rows.joined(), to: "vip.csv")
        let told = try shop.run(["check"]).output
        #expect(told.contains("those of vip.csv like M001. If these are the same customers") == isOther, "\(told)")
    }

    /// Before the first night: ids in another form or another column, orders further down in the file, and credits that are
    /// older than the orders.
    @Test(arguments: [
        ("o-ab%", "O-AB%", 0, "differ in letter case alone: export both alike, such as LOWER(order_id) (first"),
        ("00%", "%", 0, "differ in zeros at the front alone"), ("%", "%", 0, ""),
        ("X%", "Y%", 0, "Its order_id must be that of the orders"), ("X%", "Y%", -3, ""),
    ]) func creditsThatNameNoOrderAreTold(_ order: String, _ credit: String, _ night: Int, _ cure: String) throws {
        let desk = try DeskFolder()
        func named(_ form: String, _ number: Int) -> String { form.replacing("%", with: "\(number)") }
        try desk.deliver(
            "orders", (10..<60).map { "\(named(order, $0)),u\($0),coins,1,6.00,CNY,,,paid,\(desk.noon(0))," }, night: 0)
        let given = desk.noon(night)
        try desk.deliver(
            "credits", (30..<60).map { "C\($0),\(named(credit, $0)),,u\($0),credit,auto,\(given)" }, night: 0)
        desk.now = Zone("Asia/Shanghai")!.start(of: BusinessDate("2025-11-02")!) + .hours(9)
        let told = try desk.run(["check"]).output
        #expect(told.contains("orders that its first rows name are in no file of orders") != cure.isEmpty, "\(told)")
        #expect(cure.isEmpty || told.contains(cure), "\(told)")
    }

    /// One table for all: rows of another kind, which `where` leaves out, have the ids of orders.
    @Test func rowsLeftOutUnderTheIdsOfOrdersAreNotTold() throws {
        let desk = try DeskFolder()
        try desk.folder.write(
            desk.folder.read("reconcile.json").replacing(
                #"orders-{date}.csv""#, with: #"orders-{date}.csv", where: { currency: "CNY" }"#), to: "reconcile.json")
        let rows = ["CNY", "USD"].flatMap { currency in
            (10..<20).map { "O\($0),u\($0),coins,1,6.00,\(currency),,,paid,\(desk.noon(0))," }
        }
        try desk.deliver("orders", rows, night: 0)
        try desk.deliver("credits", (10..<20).map { "C\($0),O\($0),,u\($0),credit,auto,\(desk.noon(0))" }, night: 0)
        desk.now = Zone("Asia/Shanghai")!.start(of: BusinessDate("2025-11-02")!) + .hours(9)
        let told = try desk.run(["check"]).output
        #expect(told.contains("10 left out") && !told.contains("where or whereNot leaves out"), "\(told)")
    }

    /// Possible edits of the ledger, and the part of `check` that finds each.
    private static let edits: [(sql: String, part: String)] = [
        (
            "UPDATE packed_order SET amount = amount + 1 WHERE id = (SELECT min(id) FROM packed_order)",
            "control totals"
        ),
        ("UPDATE packed_credit SET credit_id = 'X'", "control totals"),
        ("DELETE FROM packed_credit", "verdicts"),
        (
            "UPDATE packed_transaction SET price = price * 2 WHERE id = (SELECT max(id) FROM packed_transaction)",
            "verdicts"
        ),
        ("UPDATE packed_subject SET verdict = 'matched' WHERE verdict = 'paid_not_credited'", "conservation"),
        ("UPDATE packed_subject SET amount = amount + 1", "conservation"),
        ("UPDATE delivery SET digest = replace(digest, 'a', 'b')", "control totals"),
        ("DELETE FROM delivery WHERE id = 1", "control totals"),
        ("UPDATE run SET report = replace(report, '2025-11-01', '2025-11-03')", "chain"),
        ("UPDATE run SET as_of = as_of + 1", "chain"), ("DELETE FROM run WHERE id = 1", "chain"),
        ("UPDATE exception_event SET note = note || '!' WHERE run = 1", "chain"),
        ("DELETE FROM exception_event WHERE run = 2", "chain"),
        ("UPDATE retry_entry SET state = 'held'", "retry"),
        ("UPDATE retry_entry SET facts = replace(facts, 'acct', 'thief')", "retry"),
        ("DELETE FROM retry_line", "retry"), ("DELETE FROM retry_entry", "retry"),
        ("INSERT INTO watch VALUES (99999)", "the list of open cases has"),
        ("INSERT INTO watch VALUES (-3)", "the list of open cases has"),
    ]

    @Test func whatSomebodyEditedIsFound() throws {
        for edit in Self.edits {
            try Connection(path: shop.backup().path, mode: .readWrite).execute(edit.sql)
            let ended = try shop.run(["check", "--ledger", "copy.sqlite"])
            let wrong = ended.output.split(separator: "\n").filter { $0.hasPrefix("WRONG") }
            #expect(ended.code == 1, "\(edit.sql)")
            #expect(
                wrong.contains { $0.contains(edit.part) && $0.contains("Restore a backup") }, "\(edit.sql): \(wrong)")
        }
    }

    /// One value in every table that has rows is edited. `scripts/soak.d/edits` tries all values.
    @Test func whateverValueSomebodyEditedIsFound() throws {
        let id = try #require(shop.exceptions(1).first { $0["state"] == "new" }?["exception_id"])
        #expect(try shop.run(["waive", id, "--by", "Li", "--note", "paid"]).code == 0)
        let seed = UInt64.random(in: 0...(.max))
        var random = SplitMix64(seed: seed)
        let whole = try Data(contentsOf: shop.backup())
        for table in try tables() {
            try whole.write(to: URL(fileURLWithPath: shop.folder.path + "/copy.sqlite"))
            let copy = try Connection(path: shop.folder.path + "/copy.sqlite", mode: .readWrite)
            let columns = try copy.integer("SELECT count(*) FROM pragma_table_info('\(table)')") ?? 0
            var names = try copy.prepare(
                "SELECT name FROM pragma_table_info(?1) WHERE cid = ?2", table,
                Int64.random(in: 0..<columns, using: &random))
            try #require(try names.step())
            let column = names.text(0)
            names.reset()
            let edit = """
                UPDATE OR IGNORE \(table) SET \(column) = CASE typeof(\(column))
                    WHEN 'integer' THEN \(column) + 1 WHEN 'null' THEN 1 WHEN 'blob' THEN x'00' ELSE \(column) || 'x' END
                WHERE \(column) IS (SELECT \(column) FROM \(table) ORDER BY random() LIMIT 1)
                """
            try copy.execute(edit)
            if copy.changes == 0 || table == "loose_end" { continue }
            let ended = try shop.run(["check", "--ledger", "copy.sqlite"])
            #expect(ended.code == 1 || ended.code == 74, "seed \(seed): \(edit): \(ended.output)")
            // Other checks find many of the edits as well; the sums find all of them.
            let isSeen = ended.code == 74 || ended.output.contains("rows of \(table) were changed")
            #expect(isSeen || Self.provenAnotherWay.contains(table), "seed \(seed): \(edit): \(ended.output)")
        }
    }

    /// Tables that are derived again, or covered by the chain of runs.
    private static let provenAnotherWay: Set = ["run", "tally", "token_owner", "watch", "table_sum"]

    private func tables() throws -> [String] {
        let ledger = try Connection(path: shop.folder.path + "/ledger.sqlite", mode: .readOnly)
        var tables: [String] = []
        var row = try ledger.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
        while try row.step() { tables.append(row.text(0)) }
        return tables
    }

    /// Tables that these nights leave empty.
    @Test func signaturesAndLookUpsThatWereEditedAreFound() throws {
        let path = shop.folder.path + "/ledger.sqlite"
        do {
            let ledger = try Ledger(path: path)
            try ledger.begin()
            let digests = (1...3).map { Digest256(words: ($0, 0, 0, 0)) }
            try ledger.writeSignatures(digests)
            try ledger.writeSignatures(digests)
            let source = Provenance(delivery: 1, line: 2, fileDate: ShopFolder.first)
            try ledger.write([OrderLookup(emailedOrder: "M1", transaction: "1", source: source)])
            try ledger.commit()
        }
        #expect(try shop.run(["check"]).code == 0)
        for sql in [
            "DELETE FROM verified_signature WHERE digest = (SELECT min(digest) FROM verified_signature)",
            "UPDATE order_lookup SET transaction_id = '2'",
        ] {
            try edit(sql)
            let table = sql.contains("order_lookup") ? "rows of order_lookup" : "verified_signature has 2 rows"
            #expect(try shop.run(["check"]).output.contains("row checksums: " + table), "\(sql)")
        }
    }

    @Test func aPersonsDecisionThatWasEditedIsFound() throws {
        let id = try #require(shop.exceptions(1).first { $0["state"] == "new" }?["exception_id"])
        #expect(try shop.run(["waive", id, "--by", "Li", "--note", "paid"]).code == 0)
        try edit("UPDATE exception_event SET by_whom = 'Wang' WHERE by_whom = 'Li'")
        let ended = try shop.run(["check"])
        #expect(ended.code == 1 && ended.output.contains("rows of exception_event were changed"))
        try shop.night(2)
        try edit("UPDATE exception_event SET by_whom = 'Chen' WHERE by_whom = 'Wang'")
        #expect(try shop.run(["check"]).output.contains("manual decisions before run 3 were changed"))
    }

    @Test(arguments: [
        "DROP TABLE watch", "ALTER TABLE packed_subject ADD COLUMN mine TEXT", "DROP VIEW v_order",
        "DROP INDEX run_business_date",
        "ALTER TABLE run RENAME COLUMN policy TO rules",
    ])
    func tablesOfAnotherShapeEndWith74(_ sql: String) throws {
        try edit(sql)
        let check = try shop.run(["check"])
        #expect(
            check.code == 74 && check.output.contains("ok     feed") && check.errors.contains("damaged"), "\(check)")
        let before = try shop.files(1)
        let night = try shop.night(2)
        #expect(night.code == 74 && night.errors.contains("the ledger is damaged"), "\(night.errors)")
        #expect(try shop.files(1) == before && shop.report("summary.txt", 2) == nil)
    }

    @Test func aRecordThatWasEditedIsNotGoneOnFrom() throws {
        try edit("UPDATE run SET report = replace(report, '\"rows\":3', '\"rows\":4')")
        for words in [
            ["nightly", "--date", shop.date(2), "--as-of", shop.date(3) + "T04:00:00Z"], ["nightly", "--dry-run"],
        ] {
            let ended = try shop.run(words)
            #expect(ended.code == 74 && ended.errors.contains("the record of run 2"), "\(ended.errors)")
        }
    }

    @Test func anIndexOfOnesOwnHarmsNobodyButIsTold() throws {
        try edit("CREATE INDEX mine ON packed_subject (key)")
        let ended = try shop.run(["check"])
        #expect(ended.code == 1 && ended.output.contains("index mine was not created by reconcile"))
        #expect(try shop.night(2).code == 0)
    }

    @Test func reportsOfEveryNightAreLookedAt() throws {
        let night = shop.folder.path + "/out/2025-11-01/"
        try FileManager.default.removeItem(atPath: night + "summary.txt")
        try Data("x".utf8).write(to: URL(fileURLWithPath: night + "more.txt"))
        let ended = try shop.run(["check"])
        #expect(ended.code == 1 && ended.output.contains("summary.txt was changed or is missing"))
        #expect(ended.output.contains("more.txt was not written by reconcile"))
        #expect(ended.output.contains("--date 2025-11-01 --as-of 2025-11-02T04:00:00Z"))
        // The advice helps.
        #expect(try shop.night(0).code == 0)
        #expect(try shop.run(["check"]).code == 0)
        // Removing the reports of an earlier night is no problem. Removing those of the last one is.
        for (date, code) in [("2025-11-01", 0), ("2025-11-02", 1)] as [(String, Int32)] {
            try FileManager.default.removeItem(atPath: shop.folder.path + "/out/" + date)
            #expect(try shop.run(["check"]).code == code)
        }
    }

    @Test func metricsStandBesideWhatIsSealed() throws {
        let path = shop.folder.path + "/out/latest/metrics.prom"
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let text = try shop.folder.read("out/latest/metrics.prom")
        #expect(text.contains("reconcile_rows{feed=\"orders\",fate=\"accepted\"} 3\n"))
        #expect(text.contains("reconcile_stage_seconds{stage=\"read\"}"))
        #expect(try !shop.folder.read("out/latest/SHA256SUMS").contains("metrics"))
    }

    /// Ledger and reports are examined all the same.
    @Test(arguments: [
        ("templates: 'none'", "texts and columns of "), ("templates: 'inbox'", "is not a layout"),
        ("trustedRoots: ['none.pem']", "roots: trustedRoots: "),
    ])
    func aFaultOfTheSetUpIsNotCalledTheLedgers(_ setting: String, _ fault: String) throws {
        let text = try shop.folder.read("reconcile.json")
        try shop.folder.write(
            text.replacing("{", with: "{ \(setting), ", maxReplacements: 1), to: "reconcile.json")
        try shop.folder.write("{}", to: "inbox/layout.json")
        let ended = try shop.run(["check"])
        let wrong = ended.output.split(separator: "\n").filter { $0.hasPrefix("WRONG") }
        #expect(ended.code == 1 && wrong.count == 1 && wrong[0].contains(fault), "\(ended)")
        #expect(!wrong.joined().contains("ledger"))
        #expect(
            ended.output.contains("ok     ledger's file\n") && ended.output.contains("ok     reports of 2025-11-02"))
    }

    @Test func noDateIsToldOfAFileThatHasNone() throws {
        let text = try shop.folder.read("reconcile.json")
        let products = "feeds: [ { kind: 'products', path: 'products.csv' },"
        try shop.folder.write(text.replacing("feeds: [", with: products), to: "reconcile.json")
        try shop.folder.write("product_id,name\ncoins,Coins\n", to: "products.csv")
        let told = try shop.run(["check"]).output
        #expect(told.contains("products.csv: 1 file\n"), "\(told)")
        #expect(told.contains(": 2 files, the latest of 2025-11-02\n"), "\(told)")
    }

    @Test func whatOthersMayReadIsTold() throws {
        chmod(shop.folder.path + "/ledger.sqlite", 0o644)
        let ended = try shop.run(["check"])
        #expect(ended.code == 1 && ended.output.contains("chmod o-rwx"))
    }
}

extension ShopFolder {
    /// Copies the ledger as it is now, and replaces an earlier copy.
    fileprivate func backup() throws -> URL {
        let copy = URL(fileURLWithPath: folder.path + "/copy.sqlite")
        try Data().write(to: copy)
        try Ledger.reading(path: folder.path + "/ledger.sqlite").backUp(to: copy.path, work: WorkCount()) {}
        return copy
    }
}
