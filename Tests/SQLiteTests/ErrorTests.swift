import Foundation
import Testing

@testable import Ledger

/// Every failure that the program distinguishes is provoked once, and has its name.
@Suite struct ErrorTests {
    /// The numbers that SQLite documents. https://sqlite.org/rescode.html
    @Test(
        arguments: [
            (ResultCode.error, 1), (.permission, 3), (.busy, 5), (.locked, 6), (.readOnly, 8), (.ioError, 10),
            (.corrupt, 11), (.notFound, 12), (.full, 13), (.cantOpen, 14), (.constraint, 19), (.misuse, 21),
            (.notADatabase, 26),
        ] as [(ResultCode, Int32)])
    func codesHaveTheirNumbers(_ code: ResultCode, _ number: Int32) {
        #expect(code.rawValue == number && code.primary == code)
        #expect(ResultCode(rawValue: number | 5 << 8).primary == code)
    }

    @Test(arguments: [
        ("INSERT INTO t VALUES (1, 'a', 'x')", ResultCode.constraintPrimaryKey),
        ("INSERT INTO t VALUES (2, 'a', 'x')", .constraintUnique),
        ("INSERT INTO t VALUES (2, 'b', NULL)", .constraintNotNull),
        ("INSERT INTO u VALUES ('k')", .constraintPrimaryKey),
    ])
    func constraint(_ sql: String, _ code: ResultCode) throws {
        let connection = try memory(
            """
            CREATE TABLE t (id INTEGER PRIMARY KEY, name UNIQUE, note NOT NULL); INSERT INTO t VALUES (1, 'a', 'x');
            CREATE TABLE u (key PRIMARY KEY) WITHOUT ROWID; INSERT INTO u VALUES ('k');
            """)
        let error = connection.failure(sql)
        #expect(error?.code == code && error?.primary == .constraint && error?.sql == sql)
    }

    @Test func anErrorNamesTheStatementAndNoValue() throws {
        let connection = try memory("CREATE TABLE t (name UNIQUE); INSERT INTO t VALUES ('secret')")
        var insert = try connection.prepare("INSERT INTO t VALUES (?1)")
        insert.bind(1, "secret")
        do {
            try insert.run()
            Issue.record("the row was accepted")
        } catch {
            #expect(
                "\(error)" == "SQLite 2067: UNIQUE constraint failed: t.name in: INSERT INTO t VALUES (?1)")
        }
        #expect("\(SQLiteError(code: .full, message: "no room"))" == "SQLite 13: no room")
    }

    @Test func busyWhereAnotherConnectionWrites() throws {
        let folder = try ScratchFolder()
        let (first, second) = (try folder.database("CREATE TABLE t (id)"), try folder.database())
        try first.execute("BEGIN IMMEDIATE")
        #expect(second.failure("BEGIN IMMEDIATE")?.primary == .busy)
        #expect(!second.isInTransaction)
        second.setBusyTimeout(milliseconds: 100)
        let waited = ContinuousClock().measure { #expect(second.failure("BEGIN IMMEDIATE")?.primary == .busy) }
        #expect(waited >= .milliseconds(90))
        try first.execute("COMMIT")
        try second.execute("BEGIN IMMEDIATE; INSERT INTO t VALUES (1); COMMIT")
    }

    @Test func busyWhereTheStateThatWasReadIsNotTheLatest() throws {
        let folder = try ScratchFolder()
        let first = try folder.database("PRAGMA journal_mode = WAL; CREATE TABLE t (id)")
        let second = try folder.database("BEGIN")
        #expect(try second.integer("SELECT count(*) FROM t") == 0)
        try first.execute("INSERT INTO t VALUES (1)")
        #expect(second.failure("INSERT INTO t VALUES (2)")?.code == .busySnapshot)
        // It still sees the earlier state.
        #expect(try second.integer("SELECT count(*) FROM t") == 0)
    }

    @Test func full() throws {
        let folder = try ScratchFolder()
        let connection = try folder.database("PRAGMA max_page_count = 20; CREATE TABLE t (bytes); BEGIN")
        var insert = try connection.prepare("INSERT INTO t VALUES (zeroblob(4096))")
        var rows = 0
        let error = #expect(throws: SQLiteError.self) {
            while rows < 1000 {
                try insert.run()
                rows += 1
            }
        }
        #expect(error?.code == .full && (1..<20).contains(rows))
        try connection.execute(connection.isInTransaction ? "ROLLBACK" : "")
        #expect(try connection.integer("SELECT count(*) FROM t") == 0)
    }

    @Test func readOnly() throws {
        let folder = try ScratchFolder()
        try folder.database("CREATE TABLE t (id); INSERT INTO t VALUES (1)")
        for mode in [Connection.Mode.readOnly, .immutable] {
            let reader = try Connection(path: folder.file, mode: mode)
            #expect(try reader.integer("SELECT id FROM t") == 1)
            #expect(reader.failure("INSERT INTO t VALUES (2)")?.primary == .readOnly)
        }
        #expect(try folder.database().integer("SELECT count(*) FROM t") == 1)
    }

    @Test func cantOpen() throws {
        let folder = try ScratchFolder()
        for (path, mode) in [
            ("/none/test.sqlite", Connection.Mode.readWrite), ("/none.sqlite", .readOnly), ("/none.sqlite", .immutable),
            ("", .readWrite),
        ] {
            let error = #expect(throws: SQLiteError.self) { _ = try Connection(path: folder.path + path, mode: mode) }
            #expect(error?.primary == .cantOpen && error?.sql == nil, "\(path)")
        }
        #expect(!folder.exists("none.sqlite"))
    }

    @Test func notADatabase() throws {
        let folder = try ScratchFolder()
        try String(repeating: "minutes of the board meeting\n", count: 100).write(
            toFile: folder.file, atomically: false, encoding: .utf8)
        // Opening does not read the file.
        let connection = try Connection(path: folder.file, mode: .readOnly)
        let error = connection.failure("SELECT count(*) FROM sqlite_schema")
        #expect(error?.code == .notADatabase && error?.isDamaged == true)
    }

    @Test func corrupt() throws {
        let folder = try ScratchFolder()
        try folder.database(
            """
            PRAGMA page_size = 512; CREATE TABLE t (bytes);
            INSERT INTO t WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
            SELECT randomblob(100) FROM n;
            """)
        let file = try #require(FileHandle(forUpdatingAtPath: folder.file))
        try file.truncate(atOffset: 5 * 512)
        let error = try folder.database().failure("SELECT sum(length(bytes)) FROM t")
        #expect(error?.primary == .corrupt && error?.isDamaged == true)
    }

    @Test func textThatWasJSONIsDamageToo() throws {
        let error = try memory().failure("SELECT json_extract('{', '$.retry')")
        #expect(error?.primary == .error && error?.isDamaged == true && error?.isSchemaChanged == false)
    }

    @Test(arguments: [
        "SELECT id FROM none", "SELECT none FROM t", "INSERT INTO t VALUES (1, 2)", "INSERT INTO t (none) VALUES (1)",
    ])
    func aStatementThatDoesNotFitTheTables(_ sql: String) throws {
        let error = try memory("CREATE TABLE t (id)").failure(sql)
        #expect(error?.code == .error && error?.isSchemaChanged == true && error?.isDamaged == false, "\(sql)")
    }

    @Test(arguments: [
        ("SELEC 1", ResultCode.error), ("SELECT zeroblob(1000000001)", .tooBig),
        ("INSERT INTO t VALUES ('text')", .mismatch), ("COMMIT", .error),
    ])
    func otherFailures(_ sql: String, _ code: ResultCode) throws {
        let error = try memory("CREATE TABLE t (id INTEGER PRIMARY KEY)").failure(sql)
        #expect(error?.code == code && error?.isDamaged == false && error?.isSchemaChanged == false)
    }

    @Test func aDatabaseInMemoryHasNoLogToKeep() throws {
        let connection = try memory()
        let error = #expect(throws: SQLiteError.self) { try connection.keepWriteAheadLog() }
        #expect(error?.code == .notFound)
    }
}
