/// A failure that SQLite reported. Carries the statement, never the values bound to it. https://sqlite.org/rescode.html
package struct SQLiteError: Error, Equatable, CustomStringConvertible {
    /// The extended result code.
    package var code: Int32
    package var message: String
    package var sql: String?

    package init(code: Int32, message: String, sql: String? = nil) {
        self.code = code
        self.message = message
        self.sql = sql
    }

    /// The primary result code.
    package var primary: Int32 { code & 0xFF }
    /// Another connection holds the database.
    package var isBusy: Bool { primary == 5 || primary == 6 }
    /// The file is damaged, or is no database.
    package var isDamaged: Bool { primary == 11 || primary == 26 }
    package var isReadOnly: Bool { primary == 8 }
    package var isFull: Bool { primary == 13 }
    /// A statement of ours does not fit the tables: somebody has changed them.
    package var isSchemaChanged: Bool {
        primary == 1 && ["no such ", "table "].contains { message.hasPrefix($0) }
    }
    package var cannotOpen: Bool { primary == 14 }

    package var description: String {
        "SQLite \(code): \(message)" + (sql.map { " in: \($0)" } ?? "")
    }
}
