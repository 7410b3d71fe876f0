/// A failure that SQLite reported. It carries the statement, never the values bound to it.
/// https://sqlite.org/rescode.html
public struct SQLiteError: Error, Equatable, CustomStringConvertible {
    /// The extended result code.
    public var code: ResultCode
    /// SQLite's own English words, which may name tables and columns. https://sqlite.org/c3ref/errcode.html
    public var message: String
    /// The statement that failed. Nil if the failure does not belong to a statement.
    public var sql: String?

    /// The primary result code, which is what most callers need.
    public var primary: ResultCode { code.primary }

    /// Whether the file's contents are the cause: it is damaged, it is not a database, or a text that should be JSON is
    /// not.
    public var isDamaged: Bool {
        switch primary {
        case .corrupt, .notADatabase: true
        // The JSON functions have no code of their own. https://sqlite.org/json1.html
        case .error: message.hasPrefix("malformed JSON")
        default: false
        }
    }

    /// Whether a statement does not fit the tables, because they are not as the program created them.
    ///
    /// SQLite has no code for this. The messages are "no such table: …", "no such column: …" and "table … has … columns
    /// but … values were supplied".
    public var isSchemaChanged: Bool {
        primary == .error && ["no such ", "table "].contains { message.hasPrefix($0) }
    }

    public var description: String {
        "SQLite \(code.rawValue): \(message)" + (sql.map { " in: \($0)" } ?? "")
    }
}
