internal import Domain
internal import Glibc
internal import SQLite

/// Why a ledger cannot be used.
public enum LedgerError: Error {
    /// The file is a SQLite database, or some other file, that is no ledger.
    case notALedger
    /// Written by a later version of this program.
    case newer(version: Int64)
    /// Its contents contradict themselves.
    case damaged(String)
    /// It may be in use, and this user cannot read the log that belongs to it.
    case cannotShare
}

/// The one SQLite file that remembers every piece of evidence, where it came from, and what became of it.
///
/// A run is one transaction: `begin`, reads and writes, `commit`. Whatever throws in between is rolled back by
/// closing the ledger.
public final class Ledger {
    let connection: Connection
    /// The file; `:memory:` for none.
    let path: String
    var identifiers = IdentifierReader()
    /// Of the tables as they are within the transaction.
    var checksums = Checksums()
    var caseSums = CaseSums()
    /// No run was ever committed to the file.
    private var isNew = false

    /// Opens the ledger at `path`, made and brought to this version's schema where needed (inside the run's transaction).
    public init(path: String) throws {
        self.path = path
        connection = try Connection(path: path, mode: .readWrite)
        connection.setBusyTimeout(milliseconds: 0)
        // Before anything is set: somebody else's database must stay as it is.
        try checkIdentity()
        isNew = try connection.integer("SELECT count(*) FROM sqlite_schema") == 0
        // A first load goes straight into the file: nobody reads yet, and a log ahead of it would write everything twice.
        try connection.execute(
            """
            PRAGMA page_size = 8192; PRAGMA journal_mode = \(isNew ? "DELETE" : "WAL"); PRAGMA synchronous = FULL;
            PRAGMA cache_size = -32768; PRAGMA journal_size_limit = 0;
            PRAGMA foreign_keys = OFF; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA temp_store = MEMORY;
            """)
        if !isNew { try connection.keepWriteAheadLog() }
    }

    /// Removes a ledger that no run was ever committed to.
    public static func remove(path: String) {
        for file in ["", "-wal", "-shm", "-journal"] { unlink(path + file) }
    }

    private init(reading connection: Connection, path: String) throws {
        self.connection = connection
        self.path = path
        // A run that ends holds the whole file for a moment, readers out.
        connection.setBusyTimeout(milliseconds: 5000)
        try connection.execute("PRAGMA trusted_schema = OFF; PRAGMA query_only = ON;")
        try checkIdentity()
    }

    /// A file of which no other process knows.
    init(changing connection: Connection, path: String) throws {
        self.connection = connection
        self.path = path
        try connection.execute("PRAGMA trusted_schema = OFF")
        try checkIdentity()
    }

    /// Opens an existing ledger without ever writing to it, while a run may be going on.
    ///
    /// SQLite is told that the file cannot change only for a copy in a folder without write permission: no log stands
    /// beside it, and no run can change it. A ledger in use has its log beside it, which may hold the last night.
    /// - Throws: `LedgerError.cannotShare` where its log cannot be read together with it.
    public static func reading(path: String) throws -> Ledger {
        do {
            return try Ledger(reading: Connection(path: path, mode: .readOnly), path: path)
        } catch let error as SQLiteError where [.readOnly, .cantOpen].contains(error.primary) {
            guard access(path, R_OK) == 0 else { throw error }
            guard isUnchangeable(path) else { throw LedgerError.cannotShare }
            return try Ledger(reading: Connection(path: path, mode: .immutable), path: path)
        }
    }

    /// Whether the file stands alone in a folder where no file can be added: one without write permission, or on a disk
    /// that is mounted read-only.
    private static func isUnchangeable(_ path: String) -> Bool {
        var status = stat()
        if ["-wal", "-shm", "-journal"].contains(where: { lstat(path + $0, &status) == 0 }) { return false }
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { String(path[...$0]) } ?? "."
        var media = statvfs()
        if statvfs(folder, &media) == 0, media.f_flag & UInt(ST_RDONLY) != 0 { return true }
        return stat(folder, &status) == 0 && status.st_mode & 0o222 == 0
    }

    /// A ledger in memory, for runs that keep nothing.
    public static func inMemory() throws -> Ledger {
        let ledger = try Ledger(path: ":memory:")
        try ledger.begin()
        return ledger
    }

    private func checkIdentity() throws {
        let application = try connection.integer("PRAGMA application_id") ?? 0
        let version = try connection.integer("PRAGMA user_version") ?? 0
        if application == 0, version == 0, try connection.integer("SELECT count(*) FROM sqlite_schema") == 0 { return }
        guard application == Schema.applicationID else { throw LedgerError.notALedger }
        if version > Schema.migrations.count { throw LedgerError.newer(version: version) }
        if version < 1 { throw LedgerError.damaged("its schema has the version \(version)") }
    }

    /// Begins the run's transaction, and brings the schema to this version within it.
    /// - Throws: `SQLiteError` with `busy` where another connection writes.
    public func begin() throws {
        try connection.execute("BEGIN IMMEDIATE")
        let version = Int(try connection.integer("PRAGMA user_version") ?? 0)
        for (number, migration) in Schema.migrations.enumerated().dropFirst(version) {
            try connection.execute(migration)
            try connection.execute("PRAGMA user_version = \(number + 1)")
        }
        checksums = try Checksums(self)
        caseSums = CaseSums()
        if version == 0 { try connection.execute("PRAGMA application_id = \(Schema.applicationID)") }
    }

    public var isInTransaction: Bool { connection.isInTransaction }

    public func commit() throws {
        try writeCaseSums()
        try writeChecksums()
        try connection.execute("COMMIT")
        guard isNew else { return }
        isNew = false
        // What is committed stands, whichever way further runs write: where this fails, the next one tries again.
        try? connection.execute("PRAGMA journal_mode = WAL")
        try? connection.keepWriteAheadLog()
    }

    public func rollback() throws { if connection.isInTransaction { try connection.execute("ROLLBACK") } }

    /// Whether nothing was ever committed to it.
    public var isVoid: Bool {
        get throws { try connection.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'run'") == 0 }
    }

    /// Whether no run was ever committed.
    public var isEmpty: Bool {
        get throws {
            let hasTables = try connection.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'run'") == 1
            return try !hasTables || connection.integer("SELECT count(*) FROM run") == 0
        }
    }
}
