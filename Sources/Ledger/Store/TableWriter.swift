/// Writes rows of one table, one at a time, each with the values of all columns in their order. Tables with millions of
/// rows use `RowInserter`.
struct TableWriter: ~Copyable {
    private let ledger: Ledger
    private let table: SummedTable
    private var statement: Statement

    /// - Parameter ignoresKnown: leaves out a row whose key is there already.
    init(_ ledger: Ledger, _ table: SummedTable, ignoresKnown: Bool = false) throws(SQLiteError) {
        let columns = try ledger.connection.prepare("SELECT * FROM " + table.rawValue).columns
        let places = Array(repeating: "?", count: Int(columns)).joined(separator: ", ")
        statement = try ledger.connection.prepare(
            (ignoresKnown ? "INSERT OR IGNORE INTO " : "INSERT INTO ") + table.rawValue + " VALUES (" + places + ")"
                + table.returning)
        self.ledger = ledger
        self.table = table
    }

    /// Writes a row, and adds it to the table's sum.
    mutating func write<each Value: SQLValue>(_ values: repeat each Value) throws {
        statement.start(repeat each values)
        try ledger.add(&statement, to: table)
    }
}

extension Domain.Number: SQLValue {
    public func bind(to statement: inout Statement, at index: Int32) { statement.bind(index, Int64(rawValue)) }
}
