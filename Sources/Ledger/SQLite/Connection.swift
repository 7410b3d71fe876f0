internal import CSQLite
internal import Glibc

/// One connection to one SQLite file, used by one thread at a time. It is not Sendable, so misuse does not compile.
///
/// The connection closes when its last owner releases it. Statements own their connection, so none outlives it.
/// https://sqlite.org/c3ref/sqlite3.html
public final class Connection {
    /// What the connection may do to the file. https://sqlite.org/c3ref/open.html
    public enum Mode {
        /// Reads and writes. Creates the file if it does not exist.
        case readWrite
        /// Reads only. The file must exist. Recovering its write-ahead log may still need permission to write.
        case readOnly
        /// Reads a file that cannot change: locks and logs are ignored. If it changes nevertheless, reads return wrong
        /// rows. https://sqlite.org/uri.html#uriimmutable
        case immutable
    }

    let handle: OpaquePointer

    /// Whether SQLite's memory statistics could be switched off. If not, everything works, a little slower.
    private static let isWithoutStatistics = reconcile_forgo_statistics() == SQLITE_OK

    /// Opens `path`. ":memory:" is a new database in memory. SQLite does not read the file before the first statement,
    /// so that statement fails if the file is not a database. https://sqlite.org/c3ref/open.html
    /// - Throws: `SQLiteError`, with `cantOpen` if the file (in `readWrite` mode: its folder) does not exist, with
    ///   `permission` if this user may not open it.
    public init(path: String, mode: Mode) throws(SQLiteError) {
        _ = Self.isWithoutStatistics
        let flags: Int32
        switch mode {
        case .readWrite: flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        case .readOnly: flags = SQLITE_OPEN_READONLY
        case .immutable: flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
        }
        var opened: OpaquePointer?
        let name = mode == .immutable ? "file:" + Self.uriEscaped(path) + "?immutable=1" : path
        let code = sqlite3_open_v2(name, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard code == SQLITE_OK, let opened else {
            let message = opened.map { String(cString: sqlite3_errmsg($0)) } ?? String(cString: sqlite3_errstr(code))
            let isForbidden = opened.map { [EACCES, EPERM].contains(sqlite3_system_errno($0)) } ?? false
            sqlite3_close_v2(opened)
            throw SQLiteError(code: isForbidden ? .permission : ResultCode(rawValue: code), message: message)
        }
        handle = opened
    }

    // Statements own their connection, so that all of them have ended by now. https://sqlite.org/c3ref/close.html
    deinit { sqlite3_close_v2(handle) }

    private static func uriEscaped(_ path: String) -> String {
        path.utf8.map { byte in
            let isPlain = byte > 0x20 && byte < 0x7F && byte != 0x25 && byte != 0x3F && byte != 0x23
            return isPlain
                ? String(UnicodeScalar(byte)) : "%" + String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }.joined()
    }

    /// Runs one or more statements, separated by semicolons, and ignores the rows they return.
    /// https://sqlite.org/c3ref/exec.html
    /// - Throws: `SQLiteError` of the first statement that fails. Those before it have run.
    public func execute(_ sql: String) throws(SQLiteError) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        if code != SQLITE_OK { throw error(code, sql: sql) }
    }

    /// Compiles one statement, with these values for its first parameters. Text after its semicolon is ignored.
    /// https://sqlite.org/c3ref/prepare.html
    /// - Throws: `SQLiteError`, with `error` if the text is not SQL or does not fit the tables, with `misuse` if it
    ///   contains no statement.
    public func prepare<each Value: SQLValue>(
        _ sql: String, _ values: repeat each Value
    ) throws(SQLiteError) -> Statement {
        var statement = try Statement(connection: self, sql: sql)
        statement.bindAll(repeat each values)
        return statement
    }

    /// The first column of the first row, or nil without a row or if the column is null.
    /// - Throws: `SQLiteError`, as `prepare` and `Statement.step`.
    public func integer<each Value: SQLValue>(
        _ sql: String, _ values: repeat each Value
    ) throws(SQLiteError) -> Int64? {
        var statement = try prepare(sql, repeat each values)
        guard try statement.step() else { return nil }
        return statement.optionalInteger(0)
    }

    /// How many rows the last INSERT, UPDATE or DELETE changed. https://sqlite.org/c3ref/changes.html
    public var changes: Int { Int(sqlite3_changes64(handle)) }

    /// Whether a transaction has begun and not ended. Some errors (`full`, `ioError`, `noMemory`) may end one by
    /// themselves. https://sqlite.org/c3ref/get_autocommit.html
    public var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// How long a statement waits for another connection's lock before it fails with `busy`. 0, the default, does not
    /// wait. https://sqlite.org/c3ref/busy_timeout.html
    public func setBusyTimeout(milliseconds: Int32) { sqlite3_busy_timeout(handle, milliseconds) }

    /// Keeps `-wal` and `-shm` in place after the last connection closes, so that a reader without write
    /// permission can open the file. https://sqlite.org/c3ref/c_fcntl_begin_atomic_write.html#sqlitefcntlpersistwal
    /// - Throws: `SQLiteError`, with `notFound` where the file's driver has no such option.
    public func keepWriteAheadLog() throws(SQLiteError) {
        var on: Int32 = 1
        let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_PERSIST_WAL, &on)
        if code != SQLITE_OK { throw error(code, sql: nil) }
    }

    /// Copies the whole database into the empty file at `path`, as one file without a write-ahead log. Others may read
    /// and write this database meanwhile. Within a transaction, the copy shows the state at its beginning.
    /// https://sqlite.org/backup.html
    ///
    /// - Parameter pause: is called between steps. If it throws, the copying ends.
    /// - Throws: `SQLiteError`, and what `pause` throws. The file at `path` is then useless.
    public func backup(to path: String, pause: (_ pagesDone: Int, _ pages: Int) throws -> Void) throws {
        let target = try Connection(path: path, mode: .readWrite)
        guard let backup = sqlite3_backup_init(target.handle, "main", handle, "main") else {
            throw target.error(sqlite3_extended_errcode(target.handle), sql: nil)
        }
        var code = SQLITE_OK
        do {
            while code == SQLITE_OK {
                code = sqlite3_backup_step(backup, 4096)
                let pages = Int(sqlite3_backup_pagecount(backup))
                try pause(pages - Int(sqlite3_backup_remaining(backup)), pages)
            }
        } catch {
            sqlite3_backup_finish(backup)
            throw error
        }
        sqlite3_backup_finish(backup)
        if code != SQLITE_DONE {
            throw SQLiteError(code: ResultCode(rawValue: code), message: String(cString: sqlite3_errstr(code)))
        }
        try target.execute("PRAGMA journal_mode = DELETE")
    }

    func error(_ code: Int32, sql: String?) -> SQLiteError {
        SQLiteError(code: ResultCode(rawValue: code), message: String(cString: sqlite3_errmsg(handle)), sql: sql)
    }
}
