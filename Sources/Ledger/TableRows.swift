internal import Domain
internal import SQLite

/// Reads rows of one table, column by column.
///
/// It selects the columns in the order of `Column`, so a column's raw value is its position and need not be looked up.
/// A reader of a few columns selects NULL in the place of the others.
struct TableReader<Column: TableColumn>: ~Copyable {
    /// For binding the parameters of the conditions.
    var statement: Statement

    /// One bit for each column that is selected.
    private let selected: UInt64
    let ledger: Ledger

    /// - Parameters:
    ///   - conditions: the SQL after the table's name.
    ///   - last: the last column to read; the columns after it may be long.
    init(_ ledger: Ledger, _ conditions: String = "", through last: Column? = nil) throws(SQLiteError) {
        let columns = Column.allCases.prefix(last.map { Int($0.rawValue) + 1 } ?? Column.allCases.count)
        try self.init(ledger, only: Array(columns), conditions)
    }

    /// - Parameters:
    ///   - columns: the columns to read.
    ///   - conditions: the SQL after the table's name.
    init(_ ledger: Ledger, only columns: [Column], _ conditions: String = "") throws(SQLiteError) {
        let last = columns.map(\.rawValue).max() ?? 0
        let expressions = Column.allCases.prefix(Int(last) + 1).map { columns.contains($0) ? $0.name : "NULL" }
        selected = columns.reduce(0) { $0 | 1 << UInt64($1.rawValue) }
        self.ledger = ledger
        statement = try ledger.connection.prepare(
            "SELECT " + expressions.joined(separator: ", ") + " FROM " + Column.tableName + " " + conditions)
    }

    /// The column's position in the row.
    @inline(__always)
    private func position(_ column: Column) -> Int32 {
        assert(selected & 1 &<< UInt64(column.rawValue) != 0, "\(column) is not selected")
        return column.rawValue
    }

    mutating func step() throws(SQLiteError) -> Bool { try statement.step() }
    mutating func reset() { statement.reset() }

    /// The hash of the columns read. It is the row's hash if no column is left out.
    var hash: RowHash { RowHash(statement) }

    @inline(__always)
    func isNull(_ column: Column) -> Bool { statement.isNull(position(column)) }

    /// How the value is stored.
    @inline(__always)
    func kind(_ column: Column) -> Statement.Kind { statement.kind(position(column)) }

    @inline(__always)
    func integer(_ column: Column) -> Int64 { statement.integer(position(column)) }

    @inline(__always)
    func optionalInteger(_ column: Column) -> Int64? { statement.optionalInteger(position(column)) }

    @inline(__always)
    func text(_ column: Column) -> String { statement.text(position(column)) }

    @inline(__always)
    func optionalText(_ column: Column) -> String? { statement.optionalText(position(column)) }

    @inline(__always)
    func blob(_ column: Column) -> [UInt8] { statement.blob(position(column)) }

    @inline(__always)
    func withText<Result>(_ column: Column, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        statement.withText(position(column), body)
    }

    @inline(__always)
    func withBytes<Result>(_ column: Column, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        statement.withBytes(position(column), body)
    }
}

/// Writes rows of one table, one at a time. Each row sets every column, in any order. Tables with millions of rows use
/// `RowInserter`.
struct TableWriter<Column: TableColumn>: ~Copyable {
    /// What happens if the row's key exists already.
    enum Conflict: String {
        case fails = "INSERT INTO "
        case ignores = "INSERT OR IGNORE INTO "
        case replaces = "INSERT OR REPLACE INTO "
    }

    private let ledger: Ledger
    private var statement: Statement
    private let summed: SummedTable?
    /// One bit for each column that must be set.
    private let all: UInt64
    /// The bits of the columns that the current row has not set yet.
    private var missing: UInt64

    /// - Parameter expressions: SQL for columns that SQLite computes from others; `parameter` gives their names.
    init(
        _ ledger: Ledger, _ conflict: Conflict = .fails, computing expressions: [Column: String] = [:]
    ) throws(SQLiteError) {
        let summed = (Column.self as? any SummedColumn.Type)?.summed
        let values = Column.allCases.map { expressions[$0] ?? Self.parameter($0) }.joined(separator: ", ")
        statement = try ledger.connection.prepare(
            conflict.rawValue + Column.tableName + " (" + Column.names.joined(separator: ", ") + ") VALUES (" + values
                + ")" + (summed?.returning ?? ""))
        self.ledger = ledger
        self.summed = summed
        all = Column.allCases.reduce(0) { expressions[$1] == nil ? $0 | 1 << UInt64($1.rawValue) : $0 }
        missing = all
    }

    /// The parameter that holds the value of a column.
    static func parameter(_ column: Column) -> String { "?" + String(column.rawValue + 1) }

    private mutating func number(_ column: Column) -> Int32 {
        missing &= ~(1 &<< UInt64(column.rawValue))
        return column.rawValue + 1
    }

    mutating func set(_ column: Column, _ value: Int64?) { statement.bind(number(column), value) }
    mutating func set(_ column: Column, _ text: String?) { statement.bind(number(column), text) }
    mutating func set(_ column: Column, blob: [UInt8]) { statement.bind(number(column), blob: blob) }

    /// Writes the row, and adds it to the table's sum if it has one.
    mutating func write() throws {
        precondition(missing == 0, "a row of \(Column.tableName) lacks a value")
        missing = all
        if let summed { try ledger.add(&statement, to: summed) } else { try statement.run() }
    }
}
