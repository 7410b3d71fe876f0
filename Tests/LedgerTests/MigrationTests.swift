internal import Domain
import Engine
internal import SQLite
import Testing

@testable import Ledger

/// Bringing a ledger of the first version to the second. `LedgerVersionTests` does it with a whole ledger.
@Suite struct MigrationTests {
    private static let tables = ["backend_order", "backend_credit", "apple_transaction", "client_receipt", "subject"]

    /// Identifiers of every form that a ledger may contain. Those of a case often name each other.
    private static let texts = [
        "'ORD' || (80000000000000 + n)", "'acct' || (70000 + n)", "'0002000000' || (100000000 + n)", "'' || n",
        "'ORD7-é' || (5000 + n)",
        "'é' || (5000 + n)", "'' || (12345678901234567 + n)", "'x' || char(0) || '12345'", "'O''Brien'", "'coins_60'",
        "'pack' || (1000 + n % 3)", "''",
    ]

    /// A ledger of the first version with `cases` cases, whose identifiers take turns.
    private func first(cases: Int) throws -> Ledger {
        let ledger = try Ledger(path: ":memory:")
        try ledger.connection.execute(Schema.migrations[0])
        try ledger.connection.execute(
            """
            PRAGMA user_version = 1; PRAGMA application_id = \(Schema.applicationID);
            INSERT INTO delivery VALUES (1, 1, '', 'inbox/a.csv', 20410, '', 0, 0, 0, 0, 0, 0, 0, 0, 0),
                (2, 1, '', 'inbox/b.csv', -3, '', 0, 0, 0, 0, 0, 0, 0, 0, 0);
            """)
        for number in 1...cases {
            // The texts of this case: `own` in its first rows, `other` in the others.
            func text(_ offset: Int) -> String {
                Self.texts[(number / 3 + offset) % Self.texts.count].replacing(" n", with: " \(number)")
            }
            let (order, transaction, account) = (text(0), text(2), text(1))
            let token = number % 4 == 0 ? "NULL" : "'6f9619ff-8b86-d011-b42d-00cf4fc9\(1000 + number % 7)'"
            let word = number % 5 == 0 ? "NULL" : "'coins_\(number % 2)'"
            let source =
                "1, \(1 + number % 2), \(number), (SELECT file_date FROM delivery WHERE id = \(1 + number % 2))"
            let instant = "\(1_763_467_200_000 - number * 99_999_999)"
            let id = number << 24
            try ledger.connection.execute(
                """
                INSERT INTO apple_transaction VALUES (\(id), \(source), \(transaction),
                    \(number % 3 == 0 ? "NULL" : number % 3 == 1 ? transaction : order), NULL, 'com.example', 'coins_60',
                    \(instant), NULL, \(instant) + 1, \(token), 990, 'USD', 1, 0, 0, 0, 0, 'JPN', NULL, NULL, NULL, NULL, 2, 0, 0);
                INSERT INTO apple_transaction SELECT id + 1, 0, delivery, line, file_date, \(text(3)), NULL, NULL, NULL, 'p',
                    purchased_at, expires_at, signed_at, app_account_token, NULL, NULL, 1, NULL, 0, 0, 0, NULL,
                    \(instant), 1, NULL, 33333, 0, 1, 0 FROM apple_transaction WHERE id = \(id) AND \(number) % 2 = 0;
                INSERT INTO backend_order VALUES (\(id), \(source), \(order), \(account), 'coins_60', 1, 600, 'CNY', \(token),
                    \(number % 2 == 0 ? transaction : text(5)), NULL, 'paid', \(instant), NULL);
                INSERT INTO backend_credit VALUES (\(id), \(source), \(text(4)), \(number % 2 == 0 ? order : "NULL"),
                    \(number % 3 == 0 ? text(2) : "NULL"), \(number % 2 == 0 ? account : text(6)), \(word), NULL, 'credit', 'auto', \(instant));
                INSERT INTO client_receipt VALUES (\(id + number % 2), \(source), \(number % 2 == 0 ? text(7) : "NULL"),
                    randomblob(32), \(account), \(order), \(number % 3 == 0 ? "NULL" : transaction), \(word),
                    'device' || (100000 + \(number)), \(instant), 0, NULL, 5);
                INSERT INTO subject VALUES (\(id), 0, \(transaction), 'matched', '', 0, 600, 'CNY', 20410, 1);
                """)
        }
        return ledger
    }

    private func sum(_ ledger: Ledger, _ tables: [String] = MigrationTests.tables) throws {
        for table in tables {
            var sum = TableSum()
            var row = try ledger.connection.prepare("SELECT * FROM " + table)
            while try row.step() { sum.add(RowHash(row)) }
            try ledger.connection.execute(
                "INSERT INTO table_sum VALUES ('\(table)', \(sum.rows), \(Int64(bitPattern: sum.sum)))")
        }
    }

    /// The rows as hashes of all values with their types.
    private func rows(_ ledger: Ledger, _ table: String) throws -> [UInt64] {
        var found: [UInt64] = []
        var row = try ledger.connection.prepare("SELECT * FROM \(table) ORDER BY id")
        while try row.step() { found.append(RowHash(row).value) }
        return found
    }

    @Test func theViewsShowWhatTheTablesContained() throws {
        let ledger = try first(cases: 300)
        try sum(ledger)
        let before = try Self.tables.map { try rows(ledger, $0) }
        try ledger.begin()
        try ledger.commit()
        for (table, rows) in zip(Self.tables, before) { #expect(try self.rows(ledger, table) == rows, "\(table)") }
        #expect(try ledger.checksumProblems().filter { !$0.hasPrefix("delivery") } == [])
        // What is packed is read as it is shown; the sums of cases are right, too.
        let evidence = try ledger.load(cases: 1..<301, through: .max).evidence
        #expect(evidence.orders.count == 300 && evidence.transactions.count == 450)
        #expect(
            try ledger.connection.integer("SELECT count(*) FROM packed_order WHERE typeof(order_id) = 'integer'")! > 50)
        #expect(try ledger.connection.integer("SELECT count(*) FROM packed_receipt WHERE order_id = 0")! > 100)
        // The next run goes on with the same spellings.
        var spellings = try ledger.spellings().copy
        #expect(spellings.number(ofWord: "coins_60").map { $0 < 0 } == true)
        #expect(spellings.new.isEmpty)
    }

    /// Segments of several blocks and filters, in the form that they had before blocks said which keys they cover.
    @Test func noKeyIsLostWhereAllAreCovered() throws {
        let ledger = try Ledger(path: ":memory:")
        try ledger.connection.execute(Schema.migrations.prefix(4).joined())
        try ledger.connection.execute("PRAGMA user_version = 4; PRAGMA application_id = \(Schema.applicationID)")
        let keys = (0..<20_000).map { (number: Int64) in number &* 0x1234_5678_9ABC }
        for segment in Int64(1)...3 {
            let own = keys.enumerated().filter { $0.offset % 3 == segment - 1 || $0.offset % 100 == 0 }.map(\.element)
            let entries = own.map { CaseKey(key: $0, caseID: CaseID(segment)) }.sorted(by: <)
            try ledger.connection.execute("INSERT INTO identifier_segment VALUES (\(segment), \(own.count))")
            for block in SegmentBlock.blocks(of: entries) {
                // The number before the pairs is new. It ends with the first byte below 0x80.
                let pairs = block.bytes.drop { $0 >= 0x80 }.dropFirst()
                var row = try ledger.connection.prepare("INSERT INTO identifier_block VALUES (\(segment), ?1, ?2, 0)")
                row.bind(1, block.keys.lowerBound)
                row.bind(2, blob: Array(pairs))
                try row.run()
            }
        }
        let tables = ["identifier_segment", "identifier_block", "identifier_filter"]
        try sum(ledger, tables)
        try ledger.begin()
        try ledger.commit()
        for (number, key) in keys.enumerated() where number % 7 == 0 || number % 100 == 0 || number > 19_990 {
            let segments = number % 100 == 0 ? Set([1, 2, 3]) : [number % 3 + 1]
            #expect(try ledger.cases(withKeys: [key]) == Set(segments.map { CaseID(Int64($0)) }), "\(number)")
        }
        #expect(try ledger.checksumProblems(of: [.segments, .blocks, .filters]) == [])
        #expect(try ledger.connection.integer("SELECT count(*) FROM identifier_block")! > 30)
    }

    /// New sums would hide what was damaged before.
    @Test(arguments: [
        "UPDATE backend_order SET amount = 1 WHERE id = 3 << 24", "DELETE FROM client_receipt WHERE id = 2 << 24",
        "UPDATE subject SET verdict = 'closed' WHERE id = 5 << 24", "INSERT INTO case_sum VALUES (1, x'00')",
    ])
    func aDamagedLedgerStaysAsItIs(_ edit: String) throws {
        let ledger = try first(cases: 20)
        try sum(ledger)
        try ledger.connection.execute(edit)
        let before = try Self.tables.map { try rows(ledger, $0) }
        #expect(throws: LedgerError.self) { try ledger.begin() }
        try ledger.rollback()
        #expect(try ledger.connection.integer("PRAGMA user_version") == 1)
        #expect(try Self.tables.map { try rows(ledger, $0) } == before)
    }

    @Test func aMigrationThatIsUndoneLeavesTheLedgerAsItWas() throws {
        let ledger = try first(cases: 50)
        try sum(ledger)
        let before = try Self.tables.map { try rows(ledger, $0) }
        try ledger.begin()
        try ledger.rollback()
        #expect(try ledger.connection.integer("PRAGMA user_version") == 1)
        #expect(try Self.tables.map { try rows(ledger, $0) } == before)
        try ledger.begin()
        try ledger.commit()
        #expect(try Self.tables.map { try rows(ledger, $0) } == before)
    }
}
