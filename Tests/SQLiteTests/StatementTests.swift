import Ledger
import Testing

/// A statement's parameters, columns, rows and lifetime.
@Suite struct StatementTests {
    @Test func columnsHaveANumber() throws {
        let connection = try memory("CREATE TABLE t (id INTEGER PRIMARY KEY, \"two words\", größe)")
        func columns(_ sql: String) throws -> Int32 { try connection.prepare(sql).columns }
        #expect(try columns("SELECT * FROM t") == 3)
        #expect(try columns("SELECT count(*) AS rows, größe FROM t") == 2)
        #expect(try columns("INSERT INTO t VALUES (1, 2, 3)") == 0)
        #expect(try columns("INSERT INTO t VALUES (1, 2, 3) RETURNING id") == 1)
    }

    @Test func aStatementBeginsAnewWithOtherValues() throws {
        let connection = try memory("CREATE TABLE t (id); INSERT INTO t VALUES (1), (2)")
        var statement = try connection.prepare("SELECT id, ?2, ?3, ?4 FROM t WHERE id >= ?1 ORDER BY id", 1, "a")
        func row() throws -> [String?] {
            guard try statement.step() else { return [] }
            return [statement.text(0), statement.optionalText(1), statement.optionalText(2), statement.optionalText(3)]
        }
        #expect(try row() == ["1", "a", nil, nil])
        // It stands on a row, and is not at its end.
        statement.start(Int64(2), String?.none, Optional("c"), [UInt8]("d".utf8))
        #expect(try row() == ["2", nil, "c", "d"])
        #expect(try row() == [])
        #expect(try connection.integer("SELECT count(*) FROM t WHERE id < ?1", 2) == 1)
    }

    @Test func aParameterIsNullUntilItIsBoundAndThenKeepsItsValue() throws {
        var statement = try memory().prepare("SELECT ?1, ?2")
        func row() throws -> [String?] {
            _ = try statement.step()
            defer { statement.reset() }
            return [statement.optionalText(0), statement.optionalText(1)]
        }
        #expect(try row() == [nil, nil])
        statement.bind(1, "a")
        #expect(try row() == ["a", nil])
        statement.bind(2, "b")
        #expect(try row() == ["a", "b"])
        statement.bindNull(1)
        #expect(try row() == [nil, "b"])
    }

    @Test func aStatementIsReadyAgainAfterItsLastRowAndAfterAnError() throws {
        let connection = try memory("CREATE TABLE t (id INTEGER PRIMARY KEY)")
        var insert = try connection.prepare("INSERT INTO t VALUES (?1)")
        for number in [1, 1, 2] as [Int64] {
            insert.bind(1, number)
            do { try insert.run() } catch { #expect(error.code == .constraintPrimaryKey) }
        }
        var select = try connection.prepare("SELECT id FROM t WHERE id >= ?1 ORDER BY id")
        var found: [Int64] = []
        for first in [1, 2, 3] as [Int64] {
            select.bind(1, first)
            while try select.step() { found.append(select.integer(0)) }
        }
        #expect(found == [1, 2, 2])
    }

    @Test func resetBeginsAgainAndReleasesTheTable() throws {
        let connection = try memory("CREATE TABLE t (id); INSERT INTO t VALUES (1), (2)")
        var select = try connection.prepare("SELECT id FROM t ORDER BY id")
        _ = try select.step()
        // A table that is being read cannot be dropped.
        #expect(connection.failure("DROP TABLE t")?.primary == .locked)
        select.reset()
        _ = try select.step()
        let first = select.integer(0)
        #expect(first == 1)
        select.reset()
        try connection.execute("DROP TABLE t")
    }

    @Test func changesCountsTheRowsOfTheLastChange() throws {
        let connection = try memory("CREATE TABLE t (id); INSERT INTO t VALUES (1), (2), (3)")
        #expect(connection.changes == 3)
        try connection.execute("UPDATE t SET id = id + 10 WHERE id < 3")
        #expect(connection.changes == 2)
        _ = try connection.integer("SELECT count(*) FROM t")
        #expect(connection.changes == 2)
        try connection.execute("DELETE FROM t WHERE id = 0")
        #expect(connection.changes == 0)
    }

    @Test func oneValueOfTheFirstRow() throws {
        let connection = try memory("CREATE TABLE t (id); INSERT INTO t VALUES (7), (8)")
        #expect(try connection.integer("SELECT id FROM t ORDER BY id") == 7)
        #expect(try connection.text("SELECT 'x' || id FROM t ORDER BY id DESC") == "x8")
        #expect(try connection.integer("SELECT id FROM t WHERE id > 8") == nil)
        #expect(try connection.integer("SELECT NULL") == nil)
        #expect(try connection.text("SELECT NULL") == nil)
        // Neither statement locks the table.
        try connection.execute("DROP TABLE t")
    }

    @Test func onlyTheFirstStatementOfATextIsCompiled() throws {
        let connection = try memory("CREATE TABLE t (id)")
        var statement = try connection.prepare("INSERT INTO t VALUES (1); INSERT INTO t VALUES (2)")
        try statement.run()
        #expect(try connection.integer("SELECT count(*) FROM t") == 1)
    }

    @Test(arguments: ["", "  ", "-- a comment", ";"])
    func aTextWithoutAStatementIsRefused(_ sql: String) throws {
        let connection = try memory()
        let error = #expect(throws: SQLiteError.self) { _ = try connection.prepare(sql) }
        #expect(error?.code == .misuse && error?.sql == sql)
    }

    /// The connection is not closed before its last statement is released.
    @Test func aStatementKeepsItsConnection() throws {
        let folder = try ScratchFolder()
        func statement() throws -> Statement {
            let connection = try folder.database(
                "PRAGMA journal_mode = WAL; CREATE TABLE t (id); INSERT INTO t VALUES (5)")
            return try connection.prepare("SELECT id FROM t")
        }
        func readOn() throws {
            var left = try statement()
            #expect(try left.step() == true)
            let value = left.integer(0)
            #expect(value == 5)
            #expect(folder.exists("test.sqlite-wal"))
        }
        try readOn()
        // The last connection removes its log.
        #expect(!folder.exists("test.sqlite-wal"))
    }

    @Test func aStatementEndsWithItsOwner() throws {
        let connection = try memory("CREATE TABLE t (id); INSERT INTO t VALUES (1)")
        do {
            var reading = try connection.prepare("SELECT id FROM t")
            _ = try reading.step()
            #expect(connection.failure("DROP TABLE t")?.primary == .locked)
        }
        try connection.execute("DROP TABLE t")
    }
}
