internal import CSQLite

/// A compiled statement that keeps its connection alive and ends with its owner.
///
/// Parameters count from 1 and columns from 0, as in SQLite. Text is bound and read by its length in
/// bytes, so that an embedded NUL survives.
public struct Statement: ~Copyable {
    private let connection: Connection
    private let handle: OpaquePointer
    private let sql: String

    init(connection: Connection, sql: String) throws(SQLiteError) {
        var compiled: OpaquePointer?
        let code = sqlite3_prepare_v3(connection.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &compiled, nil)
        guard code == SQLITE_OK, let compiled else { throw connection.error(code, sql: sql) }
        self.connection = connection
        self.sql = sql
        handle = compiled
    }

    deinit { sqlite3_finalize(handle) }

    // MARK: Binding. A value out of range of the statement's parameters is a programmer's error.

    public mutating func bind(_ index: Int32, _ value: Int64) { expect(sqlite3_bind_int64(handle, index, value)) }

    public mutating func bind(_ index: Int32, _ value: Int64?) {
        if let value { bind(index, value) } else { bindNull(index) }
    }

    public mutating func bindNull(_ index: Int32) { expect(sqlite3_bind_null(handle, index)) }

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

    public mutating func bind(_ index: Int32, _ text: String?) {
        if let text { bind(index, text) } else { bindNull(index) }
    }

    /// Binds bytes that stay where they are, and the same, until the statement has run.
    public mutating func bind(_ index: Int32, lent text: UnsafeRawBufferPointer) {
        // The address of an empty text may be nil, which would bind null.
        guard let start = text.baseAddress, !text.isEmpty else { return bind(index, "") }
        let characters = start.assumingMemoryBound(to: CChar.self)
        expect(sqlite3_bind_text(handle, index, characters, Int32(text.count), nil))
    }

    public mutating func bind(_ index: Int32, lentBlob bytes: UnsafeRawBufferPointer) {
        expect(sqlite3_bind_blob(handle, index, bytes.baseAddress, Int32(bytes.count), nil))
    }

    public mutating func bind(_ index: Int32, constant text: StaticString) {
        bind(index, lent: UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

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

    /// Advances to the next row; false after the last one, when the statement is ready to be bound and run again.
    public mutating func step() throws(SQLiteError) -> Bool {
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        // The error must be read before the reset, which clears it.
        let failure = code == SQLITE_DONE ? nil : connection.error(code, sql: sql)
        sqlite3_reset(handle)
        if let failure { throw failure }
        return false
    }

    /// Runs a statement that returns no rows of interest, and makes it ready again.
    public mutating func run() throws(SQLiteError) {
        while try step() {}
    }

    /// Leaves a row before the last, so that the statement holds no lock.
    public mutating func reset() { sqlite3_reset(handle) }

    // MARK: Columns of the current row

    public func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    public func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }

    public func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

    /// What a value is stored as.
    public enum Kind { case null, integer, other }

    public func kind(_ column: Int32) -> Kind {
        switch sqlite3_column_type(handle, column) {
        case SQLITE_NULL: .null
        case SQLITE_INTEGER: .integer
        default: .other
        }
    }

    public var columns: Int32 { sqlite3_column_count(handle) }

    /// The bytes of a text or a blob, valid within `body` only.
    public func withBytes<Result>(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        let start = sqlite3_column_blob(handle, column)
        return body(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))))
    }

    public func text(_ column: Int32) -> String { withText(column) { String(decoding: $0, as: UTF8.self) } }

    public func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

    /// The bytes of the text, valid within `body` only.
    public func withText<Result>(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        let start = sqlite3_column_text(handle, column)
        return body(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))))
    }

    public func blob(_ column: Int32) -> [UInt8] {
        let start = sqlite3_column_blob(handle, column)
        return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))))
    }
}
