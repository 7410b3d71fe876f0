/// A failure that SQLite reported. Carries the statement, never the values bound to it. https://sqlite.org/rescode.html
public struct SQLiteError: Error, Equatable, CustomStringConvertible {
    /// The extended result code.
    public var code: Int32
    public var message: String
    public var sql: String?

    public init(code: Int32, message: String, sql: String? = nil) {
        self.code = code
        self.message = message
        self.sql = sql
    }

    /// The primary result code.
    public var primary: Int32 { code & 0xFF }
    /// Another connection holds the database.
    public var isBusy: Bool { primary == 5 || primary == 6 }
    /// The file is damaged, or is no database; or a text in it that was JSON is no more.
    public var isDamaged: Bool { primary == 11 || primary == 26 || primary == 1 && message.hasPrefix("malformed JSON") }
    public var isReadOnly: Bool { primary == 8 }
    public var isFull: Bool { primary == 13 }
    /// A statement of ours does not fit the tables: somebody has changed them.
    public var isSchemaChanged: Bool {
        primary == 1 && ["no such ", "table "].contains { message.hasPrefix($0) }
    }
    public var cannotOpen: Bool { primary == 14 }

    public var description: String {
        "SQLite \(code): \(message)" + (sql.map { " in: \($0)" } ?? "")
    }
}
