internal import CSQLite

/// The result of a call to SQLite, by name.
///
/// An extended code has a primary code in its low byte and a detail above it. Compare `primary` where the detail does
/// not matter: `error.primary == .constraint` is true for every kind of constraint. https://sqlite.org/rescode.html
public struct ResultCode: RawRepresentable, Hashable, Sendable {
    /// The number that SQLite documents.
    public let rawValue: Int32

    /// Accepts any number, even one without a name here: a later SQLite may have more.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    private init(_ primary: ResultCode, detail: Int32) { rawValue = primary.rawValue | detail << 8 }

    /// The code without its detail. A primary code is returned as it is.
    public var primary: ResultCode { ResultCode(rawValue: rawValue & 0xFF) }
}

/// Primary codes. https://sqlite.org/rescode.html#primary_result_code_list
extension ResultCode {
    /// No error.
    public static let ok = ResultCode(rawValue: SQLITE_OK)
    /// A statement that cannot be compiled, or a failure without a code of its own: the message says which.
    public static let error = ResultCode(rawValue: SQLITE_ERROR)
    /// A bug in SQLite.
    public static let internalError = ResultCode(rawValue: SQLITE_INTERNAL)
    /// The file's permissions forbid it.
    public static let permission = ResultCode(rawValue: SQLITE_PERM)
    /// The operation was rolled back before it was complete.
    public static let abort = ResultCode(rawValue: SQLITE_ABORT)
    /// Another connection locks the file for longer than `Connection.setBusyTimeout` waits.
    public static let busy = ResultCode(rawValue: SQLITE_BUSY)
    /// A statement of the same connection locks the table.
    public static let locked = ResultCode(rawValue: SQLITE_LOCKED)
    /// Memory ran out.
    public static let noMemory = ResultCode(rawValue: SQLITE_NOMEM)
    /// The connection, the file or its folder cannot be written to.
    public static let readOnly = ResultCode(rawValue: SQLITE_READONLY)
    /// The statement was interrupted.
    public static let interrupt = ResultCode(rawValue: SQLITE_INTERRUPT)
    /// The operating system reported an error of the disk.
    public static let ioError = ResultCode(rawValue: SQLITE_IOERR)
    /// The file is damaged.
    public static let corrupt = ResultCode(rawValue: SQLITE_CORRUPT)
    /// An operation that the file's driver does not know.
    public static let notFound = ResultCode(rawValue: SQLITE_NOTFOUND)
    /// The disk is full, or the limit of `PRAGMA max_page_count` is reached.
    public static let full = ResultCode(rawValue: SQLITE_FULL)
    /// The file, or one that belongs to it, cannot be opened or created.
    public static let cantOpen = ResultCode(rawValue: SQLITE_CANTOPEN)
    /// Connections disagree about the locks of the write-ahead log.
    public static let `protocol` = ResultCode(rawValue: SQLITE_PROTOCOL)
    /// The schema changed while the statement ran.
    public static let schema = ResultCode(rawValue: SQLITE_SCHEMA)
    /// A text or blob is longer than SQLite allows (a billion bytes).
    public static let tooBig = ResultCode(rawValue: SQLITE_TOOBIG)
    /// A constraint of a table refused a row.
    public static let constraint = ResultCode(rawValue: SQLITE_CONSTRAINT)
    /// A value whose type its column cannot hold, such as a text for a row's id.
    public static let mismatch = ResultCode(rawValue: SQLITE_MISMATCH)
    /// SQLite was called in a way that it does not allow.
    public static let misuse = ResultCode(rawValue: SQLITE_MISUSE)
    /// The file is too large for this system.
    public static let noLargeFiles = ResultCode(rawValue: SQLITE_NOLFS)
    /// An authorizer forbade the statement.
    public static let auth = ResultCode(rawValue: SQLITE_AUTH)
    /// The statement has no parameter or column of that number.
    public static let range = ResultCode(rawValue: SQLITE_RANGE)
    /// The file is not an SQLite database.
    public static let notADatabase = ResultCode(rawValue: SQLITE_NOTADB)
}

/// Extended codes that the program or its tests name. https://sqlite.org/rescode.html#extended_result_code_list
extension ResultCode {
    /// Another connection is recovering the write-ahead log after a crash.
    public static let busyRecovery = ResultCode(.busy, detail: 1)
    /// The transaction reads a state of the file that is not the latest, so it cannot write.
    public static let busySnapshot = ResultCode(.busy, detail: 2)
    /// The operating system could not write the data through to the disk.
    public static let ioErrorFsync = ResultCode(.ioError, detail: 4)
    /// A column that may not be null.
    public static let constraintNotNull = ResultCode(.constraint, detail: 5)
    /// A primary key that another row has.
    public static let constraintPrimaryKey = ResultCode(.constraint, detail: 6)
    /// A UNIQUE column that has the value in another row.
    public static let constraintUnique = ResultCode(.constraint, detail: 8)
}
