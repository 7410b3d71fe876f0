import Foundation
import Ledger
import Testing

/// Transactions, modes of opening, the log, and copies.
@Suite struct ConnectionTests {
    @Test func aTransactionIsSeenByOthersWhenItIsCommitted() throws {
        let folder = try ScratchFolder()
        let (writer, reader) = (try folder.database("CREATE TABLE t (id)"), try folder.database())
        #expect(!writer.isInTransaction)
        try writer.execute("BEGIN IMMEDIATE; INSERT INTO t VALUES (1)")
        #expect(writer.isInTransaction && !reader.isInTransaction)
        #expect(try reader.integer("SELECT count(*) FROM t") == 0)
        try writer.execute("COMMIT")
        #expect(!writer.isInTransaction)
        #expect(try reader.integer("SELECT count(*) FROM t") == 1)
    }

    @Test func whatIsRolledBackOrLeftOpenIsGone() throws {
        let folder = try ScratchFolder()
        let connection = try folder.database("CREATE TABLE t (id); BEGIN; INSERT INTO t VALUES (1); ROLLBACK")
        #expect(try !connection.isInTransaction && connection.integer("SELECT count(*) FROM t") == 0)
        do {
            let left = try folder.database("BEGIN; INSERT INTO t VALUES (2)")
            #expect(try left.integer("SELECT count(*) FROM t") == 1)
        }
        #expect(try connection.integer("SELECT count(*) FROM t") == 0)
    }

    @Test func aSavepointTakesBackWhatFollowsIt() throws {
        let connection = try memory("CREATE TABLE t (id); BEGIN; INSERT INTO t VALUES (1)")
        try connection.execute("SAVEPOINT inner; INSERT INTO t VALUES (2); ROLLBACK TO inner; RELEASE inner")
        #expect(connection.isInTransaction)
        try connection.execute("COMMIT")
        #expect(try connection.text("SELECT group_concat(id) FROM t") == "1")
    }

    /// Statements before the one that fails have run.
    @Test func executeStopsAtTheFirstFailure() throws {
        let connection = try memory("CREATE TABLE t (id UNIQUE)")
        let sql = "INSERT INTO t VALUES (1); INSERT INTO t VALUES (1); INSERT INTO t VALUES (2)"
        #expect(connection.failure(sql)?.code == .constraintUnique)
        #expect(try connection.text("SELECT group_concat(id) FROM t") == "1")
    }

    /// An immutable file is opened by a URI, so characters with a meaning in URIs must be escaped.
    @Test(arguments: ["plain", "per%20cent", "question?mode=rw", "hash#tag", "two words", "月", "a&b=c"])
    func anImmutableFileMayHaveAnyName(_ name: String) throws {
        let folder = try ScratchFolder()
        let path = folder.path + "/" + name
        try Connection(path: path, mode: .readWrite).execute("CREATE TABLE t (id); INSERT INTO t VALUES (3)")
        let before = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(try Connection(path: path, mode: .immutable).integer("SELECT id FROM t") == 3)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == before)
    }

    @Test func anImmutableFileIsReadWithoutItsLog() throws {
        let folder = try ScratchFolder()
        let writer = try folder.database("CREATE TABLE t (id); PRAGMA journal_mode = WAL; INSERT INTO t VALUES (1)")
        #expect(try Connection(path: folder.file, mode: .readOnly).integer("SELECT count(*) FROM t") == 1)
        #expect(try Connection(path: folder.file, mode: .immutable).integer("SELECT count(*) FROM t") == 0)
        withExtendedLifetime(writer) {}
    }

    @Test func theLogStaysWhereItIsKept() throws {
        let folder = try ScratchFolder()
        for isKept in [false, true] {
            do {
                let connection = try folder.database("PRAGMA journal_mode = WAL; CREATE TABLE IF NOT EXISTS t (id)")
                if isKept { try connection.keepWriteAheadLog() }
                try connection.execute("INSERT INTO t VALUES (1)")
            }
            #expect(folder.exists("test.sqlite-wal") == isKept && folder.exists("test.sqlite-shm") == isKept)
        }
    }

    // MARK: Backup

    /// More pages than one step copies.
    private let large = """
        PRAGMA page_size = 512; PRAGMA journal_mode = WAL; CREATE TABLE t (bytes);
        INSERT INTO t WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6000)
        SELECT zeroblob(400) FROM n;
        """

    @Test func aCopyIsOneFileOfTheTransactionsBeginning() throws {
        let folder = try ScratchFolder()
        let source = try folder.database(large)
        let other = try folder.database()
        try source.execute("BEGIN")
        #expect(try source.integer("SELECT count(*) FROM t") == 6000)
        var steps: [Int] = []
        var pages = 0
        try source.backup(to: folder.path + "/copy") { done, all in
            // Others write meanwhile.
            try other.execute("DELETE FROM t WHERE rowid % 2 = 0; INSERT INTO t VALUES ('new')")
            steps.append(done)
            pages = all
        }
        #expect(steps.count > 1 && steps == steps.sorted() && steps.last == pages)
        #expect(folder.exists("copy") && !folder.exists("copy-wal") && !folder.exists("copy-journal"))
        let copy = try Connection(path: folder.path + "/copy", mode: .immutable)
        #expect(try copy.integer("SELECT count(*) FROM t WHERE length(bytes) = 400") == 6000)
        #expect(try copy.integer("SELECT count(*) FROM t WHERE bytes = 'new'") == 0)
        #expect(try copy.text("PRAGMA integrity_check") == "ok")
        // The file format versions for writing and reading: 2 means a write-ahead log.
        #expect(try Array(Data(contentsOf: URL(fileURLWithPath: folder.path + "/copy"))[18...19]) == [1, 1])
    }

    private struct Stop: Error {}

    @Test func whatPauseThrowsEndsTheCopying() throws {
        let folder = try ScratchFolder()
        var steps = 0
        do {
            let source = try folder.database(large)
            #expect(throws: Stop.self) {
                try source.backup(to: folder.path + "/copy") { _, _ in
                    steps += 1
                    throw Stop()
                }
            }
            #expect(try source.integer("SELECT count(*) FROM t") == 6000)
        }
        #expect(steps == 1)
        // Copying does not keep the source open: the last connection has removed its log.
        #expect(!folder.exists("test.sqlite-wal"))
    }

    @Test func aCopyThatCannotBeMadeFailsByName() throws {
        let folder = try ScratchFolder()
        let source = try folder.database("CREATE TABLE t (id)")
        let error = #expect(throws: SQLiteError.self) { try source.backup(to: folder.path + "/none/copy") { _, _ in } }
        #expect(error?.primary == .cantOpen)
    }
}
