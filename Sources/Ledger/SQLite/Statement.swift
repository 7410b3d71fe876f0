internal import CSQLite

/// A compiled statement. It keeps its connection open and is finalized with its owner.
/// https://sqlite.org/c3ref/stmt.html
///
/// Parameters count from 1 and columns from 0, as in SQLite. Text is bound and read by its length in bytes, so an
/// embedded NUL survives. Parameters that were never bound are null. A value stays bound through `step`, `run` and
/// `reset`, until another value is bound.
public struct Statement: ~Copyable {
    private let connection: Connection
    private let handle: OpaquePointer
    private let sql: String

    init(connection: Connection, sql: String) throws(SQLiteError) {
        var compiled: OpaquePointer?
        let code = sqlite3_prepare_v3(connection.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &compiled, nil)
        guard code == SQLITE_OK else { throw connection.error(code, sql: sql) }
        // The text is empty or only a comment.
        guard let compiled else { throw SQLiteError(code: .misuse, message: "the text holds no statement", sql: sql) }
        self.connection = connection
        self.sql = sql
        handle = compiled
    }

    deinit { sqlite3_finalize(handle) }

    // MARK: Binding. https://sqlite.org/c3ref/bind_blob.html
    //
    // A parameter that the statement does not have, or a value bound to a statement that stands on a row, is a
    // programmer's error and ends the program.

    public mutating func bind(_ index: Int32, _ value: Int64) { expect(sqlite3_bind_int64(handle, index, value)) }

    public mutating func bindNull(_ index: Int32) { expect(sqlite3_bind_null(handle, index)) }

    /// Binds a copy of the text's UTF-8.
    public mutating func bind(_ index: Int32, _ text: String) {
        var copy = text
        let code = copy.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                // The address of an empty text may be nil, which would bind null.
                $0.isEmpty
                    ? sqlite3_bind_text(handle, index, "", 0, nil)
                    : reconcile_bind_text_copied(handle, index, $0.baseAddress, Int32($0.count))
            }
        }
        expect(code)
    }

    /// Binds text as bytes that must stay unchanged at their address until the statement has run or other bytes are
    /// bound. They are stored as they are: SQLite does not check that they are UTF-8.
    public mutating func bind(_ index: Int32, lent text: UnsafeRawBufferPointer) {
        // The address of an empty text may be nil, which would bind null.
        guard let start = text.baseAddress, !text.isEmpty else { return bind(index, "") }
        let characters = start.assumingMemoryBound(to: CChar.self)
        expect(sqlite3_bind_text(handle, index, characters, Int32(text.count), nil))
    }

    /// Binds a blob as bytes that must stay unchanged at their address until the statement has run or other bytes are
    /// bound.
    public mutating func bind(_ index: Int32, lentBlob bytes: UnsafeRawBufferPointer) {
        // The address of an empty blob may be nil, which would bind null.
        if bytes.isEmpty { return expect(sqlite3_bind_zeroblob(handle, index, 0)) }
        expect(sqlite3_bind_blob(handle, index, bytes.baseAddress, Int32(bytes.count), nil))
    }

    /// Binds a copy of the bytes.
    public mutating func bind(_ index: Int32, blob: [UInt8]) {
        let code = blob.withUnsafeBytes { bytes in
            bytes.isEmpty
                ? sqlite3_bind_zeroblob(handle, index, 0)
                : reconcile_bind_blob_copied(handle, index, bytes.baseAddress, Int32(bytes.count))
        }
        expect(code)
    }

    private func expect(_ code: Int32) {
        precondition(code == SQLITE_OK, "SQLite refused a value (\(code)) for: \(sql)")
    }

    // MARK: Running

    /// Advances to the next row. Returns false after the last one; the statement can then be bound and run again.
    /// https://sqlite.org/c3ref/step.html
    /// - Throws: `SQLiteError`. The statement can be run again after it, too.
    public mutating func step() throws(SQLiteError) -> Bool {
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        // The error must be read before the reset, which clears it.
        let failure = code == SQLITE_DONE ? nil : connection.error(code, sql: sql)
        sqlite3_reset(handle)
        if let failure { throw failure }
        return false
    }

    /// Starts the statement again with these values for its parameters. The first value is for `?1`, the next for `?2`.
    public mutating func start<each Value: SQLValue>(_ values: repeat each Value) {
        reset()
        let count = bindAll(repeat each values)
        precondition(count == sqlite3_bind_parameter_count(handle), "\(count) values for: \(sql)")
    }

    /// Binds the first parameters. Returns how many.
    @discardableResult
    mutating func bindAll<each Value: SQLValue>(_ values: repeat each Value) -> Int32 {
        var index: Int32 = 0
        for value in repeat each values {
            index += 1
            value.bind(to: &self, at: index)
        }
        return index
    }

    /// Runs a statement whose rows do not matter. It can be run again afterwards.
    /// - Throws: `SQLiteError`, as `step`.
    public mutating func run() throws(SQLiteError) {
        while try step() {}
    }

    /// Ends a statement before its last row, so that it holds no lock and can be bound.
    /// https://sqlite.org/c3ref/reset.html
    public mutating func reset() { sqlite3_reset(handle) }

    // MARK: Columns of the current row. https://sqlite.org/c3ref/column_blob.html
    //
    // Valid after `step` returned true. A value of another type is converted as SQLite does.

    /// The integer. 0 for null and for text that is not a number.
    public func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    public func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }

    public func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

    /// How a value is stored. https://sqlite.org/datatype3.html#storage_classes_and_datatypes
    public enum Kind {
        case null, integer
        /// A text, a blob or a floating-point number.
        case other
    }

    public func kind(_ column: Int32) -> Kind {
        switch sqlite3_column_type(handle, column) {
        case SQLITE_NULL: .null
        case SQLITE_INTEGER: .integer
        default: .other
        }
    }

    /// How many columns each row has. 0 if the statement returns no rows. https://sqlite.org/c3ref/column_count.html
    public var columns: Int32 { sqlite3_column_count(handle) }

    /// The bytes of a text or a blob, valid within `body` only. Empty for null.
    public func withBytes<Result>(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        let start = sqlite3_column_blob(handle, column)
        return body(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))))
    }

    /// The text. Empty for null. Bytes that are not UTF-8 become U+FFFD; `withText` returns them unchanged.
    public func text(_ column: Int32) -> String { withText(column) { String(decoding: $0, as: UTF8.self) } }

    public func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

    /// The bytes of the text as they were bound, valid within `body` only. Empty for null.
    public func withText<Result>(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        let start = sqlite3_column_text(handle, column)
        return body(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))))
    }

    /// A copy of the bytes of a blob. Empty for null.
    public func blob(_ column: Int32) -> [UInt8] { withBytes(column) { Array($0) } }
}

/// A value that a parameter of a statement can have.
public protocol SQLValue {
    func bind(to statement: inout Statement, at index: Int32)
}

extension Int64: SQLValue {
    public func bind(to statement: inout Statement, at index: Int32) { statement.bind(index, self) }
}

extension Int: SQLValue {
    public func bind(to statement: inout Statement, at index: Int32) { statement.bind(index, Int64(self)) }
}

extension String: SQLValue {
    public func bind(to statement: inout Statement, at index: Int32) { statement.bind(index, self) }
}

/// A blob.
extension [UInt8]: SQLValue {
    public func bind(to statement: inout Statement, at index: Int32) { statement.bind(index, blob: self) }
}

/// Null for nil.
extension Optional: SQLValue where Wrapped: SQLValue {
    public func bind(to statement: inout Statement, at index: Int32) {
        if let self { self.bind(to: &statement, at: index) } else { statement.bindNull(index) }
    }
}
