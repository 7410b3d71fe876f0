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

    /// The code without its detail. A primary code is returned as it is.
    public var primary: ResultCode { ResultCode(rawValue: rawValue & 0xFF) }
}

/// Primary codes that the program names. https://sqlite.org/rescode.html#primary_result_code_list
extension ResultCode {
    /// A statement that cannot be compiled, or a failure without a code of its own: the message says which.
    public static let error = ResultCode(rawValue: SQLITE_ERROR)
    /// The file's permissions forbid it.
    public static let permission = ResultCode(rawValue: SQLITE_PERM)
    /// Another connection locks the file for longer than `Connection.setBusyTimeout` waits.
    public static let busy = ResultCode(rawValue: SQLITE_BUSY)
    /// A statement of the same connection locks the table.
    public static let locked = ResultCode(rawValue: SQLITE_LOCKED)
    /// The connection, the file or its folder cannot be written to.
    public static let readOnly = ResultCode(rawValue: SQLITE_READONLY)
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
    /// A constraint of a table refused a row.
    public static let constraint = ResultCode(rawValue: SQLITE_CONSTRAINT)
    /// SQLite was called in a way that it does not allow.
    public static let misuse = ResultCode(rawValue: SQLITE_MISUSE)
    /// The file is not an SQLite database.
    public static let notADatabase = ResultCode(rawValue: SQLITE_NOTADB)
}
