internal import Glibc

/// Why a ledger cannot be used.
public enum LedgerError: Error {
    /// The file is another program's database, or no database at all.
    case notALedger
    /// Its schema is that of a commit from before the first release.
    case unreleasedVersion(Int64)
    /// Its schema is that of an older release. `upgrade` brings it to this program's.
    case olderVersion(Int64)
    /// Its schema is that of a newer release than this program's.
    case newerVersion(Int64, own: Int64)
    /// A later version of this program judged its cases, by rules that this one does not know.
    case newerRules(version: Int)
    /// Its contents contradict themselves. The text says how.
    case damaged(String)
    /// It may be in use, and its write-ahead log cannot be read by this user.
    case cannotShare
}

/// The SQLite file that stores every piece of evidence, its origin and what became of it.
///
/// A run is one transaction: `begin`, reads and writes, `commit`. If anything throws in between, closing the ledger
/// rolls the transaction back.
public final class Ledger {
    /// The version of the tables that this program reads and writes.
    public static var schemaVersion: Int64 { Schema.version }

    let connection: Connection
    /// The file's path; `:memory:` for a ledger in memory.
    let path: String
    var identifiers = IdentifierReader()
    /// The identifiers that rows were read with lately, by column.
    private var recentIdentifiers = IdentifierCache()
    /// The sums of the tables, as they are within the transaction.
    var checksums = Checksums()
    var caseSums = CaseSums()
    /// The spellings of packed rows as they are within the transaction, once they were needed.
    var loadedSpellings: SharedSpellings?
    /// Whether no run has been committed to the file yet.
    private var isNew = false

    /// Opens the ledger at `path`, and creates it if it does not exist. `begin` creates its tables.
    /// - Parameter steps: opens a ledger from which these steps lead to this version, too.
    /// - Throws: `LedgerError`; `SQLiteError`.
    public init(path: String, upgradableBy steps: UpgradeSteps? = nil) throws {
        self.path = path
        connection = try Connection(path: path, mode: .readWrite)
        // The identity is checked before any setting, because another program's database must not be changed.
        try checkIdentity(upgradableBy: steps)
        isNew = try connection.integer("SELECT count(*) FROM sqlite_schema") == 0
        // A first load writes into the file itself. There are no readers yet, and a write-ahead log would double the
        // writing.
        try connection.execute(
            """
            PRAGMA page_size = 8192; PRAGMA journal_mode = \(isNew ? "DELETE" : "WAL"); PRAGMA synchronous = FULL;
            PRAGMA cache_size = -32768; PRAGMA journal_size_limit = 0;
            PRAGMA foreign_keys = OFF; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA temp_store = MEMORY;
            """)
        if !isNew { try connection.keepWriteAheadLog() }
    }

    /// The identifier that these bytes spell. They are read as they are: what the cache rejects or takes for "none",
    /// the process's table accepts.
    func identifier(_ bytes: UnsafeRawBufferPointer, of column: Int) -> Identifier {
        (try? recentIdentifiers.identifier(bytes, of: column)) ?? Identifier(bytes: bytes)
    }

    /// Removes the files of a ledger to which no run was ever committed.
    public static func remove(path: String) {
        for file in ["", "-wal", "-shm", "-journal"] { unlink(path + file) }
    }

    /// - Parameter settings: SQL that a connection begins with.
    private init(
        _ connection: Connection, path: String, settings: String, upgradableBy steps: UpgradeSteps?
    ) throws {
        self.connection = connection
        self.path = path
        try connection.execute("PRAGMA trusted_schema = OFF;" + settings)
        try checkIdentity(upgradableBy: steps)
    }

    /// Opens a copy that no other process knows about, to change it in place.
    public static func copy(path: String, upgradableBy steps: UpgradeSteps? = nil) throws -> Ledger {
        let connection = try Connection(path: path, mode: .readWrite)
        return try Ledger(connection, path: path, settings: "PRAGMA synchronous = FULL", upgradableBy: steps)
    }

    /// Opens an existing ledger for reading only. A run may go on meanwhile.
    ///
    /// A copy in a folder without write permission is opened as immutable: it has no write-ahead log beside it, and no
    /// run can change it. A ledger in use has its log beside it, which may contain the last night and must be read as
    /// well.
    /// - Throws: `LedgerError.cannotShare` if the log exists or may appear, but cannot be read by this user.
    public static func reading(path: String, upgradableBy steps: UpgradeSteps? = nil) throws -> Ledger {
        // When a run ends, it locks out readers for a moment.
        let settings = "PRAGMA busy_timeout = 5000; PRAGMA query_only = ON"
        do {
            return try Ledger(
                Connection(path: path, mode: .readOnly), path: path, settings: settings, upgradableBy: steps)
        } catch let error as SQLiteError where [.readOnly, .cantOpen].contains(error.primary) {
            guard access(path, R_OK) == 0 else { throw error }
            guard isUnchangeable(path) else { throw LedgerError.cannotShare }
            return try Ledger(
                Connection(path: path, mode: .immutable), path: path, settings: settings, upgradableBy: steps)
        }
    }

    /// Whether no log is beside the file and none can appear: its folder has no write permission, or the disk is
    /// mounted read-only.
    private static func isUnchangeable(_ path: String) -> Bool {
        var status = stat()
        if ["-wal", "-shm", "-journal"].contains(where: { lstat(path + $0, &status) == 0 }) { return false }
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { String(path[...$0]) } ?? "."
        var media = statvfs()
        if statvfs(folder, &media) == 0, media.f_flag & UInt(ST_RDONLY) != 0 { return true }
        return stat(folder, &status) == 0 && status.st_mode & 0o222 == 0
    }

    /// A ledger in memory, for runs that keep nothing. Its transaction has begun.
    public static func inMemory() throws -> Ledger {
        let ledger = try Ledger(path: ":memory:")
        try ledger.begin()
        return ledger
    }

    private func checkIdentity(upgradableBy steps: UpgradeSteps?) throws {
        let application = try connection.integer("PRAGMA application_id") ?? 0
        let version = try connection.integer("PRAGMA user_version") ?? 0
        if application == 0, version == 0, try connection.integer("SELECT count(*) FROM sqlite_schema") == 0 { return }
        guard application == Schema.applicationID else { throw LedgerError.notALedger }
        if version < 1 { throw LedgerError.damaged("its schema has the version \(version)") }
        if version > Schema.version { throw LedgerError.newerVersion(version, own: Schema.version) }
        if version >= steps?.oldest ?? Schema.version { return }
        throw version >= UpgradeSteps.all.oldest
            ? LedgerError.olderVersion(version) : .unreleasedVersion(version)
    }

    /// Begins the run's transaction, and creates the tables within it if the file has none.
    /// - Throws: `SQLiteError` with `busy` if another connection is writing.
    public func begin() throws {
        try connection.execute("BEGIN IMMEDIATE")
        if try connection.integer("PRAGMA user_version") == 0 {
            try connection.execute(Schema.text)
            try connection.execute(
                "PRAGMA user_version = \(Schema.version); PRAGMA application_id = \(Schema.applicationID)")
        }
        checksums = try Checksums(self)
        caseSums = CaseSums()
        loadedSpellings = nil
    }

    /// Whether a transaction has begun and not ended.
    public var isInTransaction: Bool { connection.isInTransaction }

    /// Commits the run's transaction, and with it the sums of its tables.
    public func commit() throws {
        try writeSpellings()
        try writeCaseSums()
        try writeChecksums()
        try connection.execute("COMMIT")
        guard isNew else { return }
        isNew = false
        // The run is committed, whether or not this succeeds. If it fails, the next run tries again.
        try? connection.execute("PRAGMA journal_mode = WAL")
        try? connection.keepWriteAheadLog()
    }

    /// Undoes the run's transaction, if one is open.
    public func rollback() throws { if connection.isInTransaction { try connection.execute("ROLLBACK") } }

    /// The size of the file after the transaction.
    public var bytes: Int64 {
        get throws {
            try (connection.integer("PRAGMA page_count") ?? 0) * (connection.integer("PRAGMA page_size") ?? 0)
        }
    }

    /// Whether nothing was ever committed to the file.
    public var hasNoSchema: Bool {
        get throws { try connection.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'run'") == 0 }
    }

    /// Whether no run was ever committed to the file.
    public var isEmpty: Bool {
        get throws { try hasNoSchema || connection.integer("SELECT count(*) FROM run") == 0 }
    }
}
