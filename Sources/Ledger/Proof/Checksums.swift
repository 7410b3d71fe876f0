/// The sum of the row hashes of each table (`TableSum`). The sums are updated with each row that is written or removed,
/// so a night's cost depends on what it changes and not on the size of the ledger. `check` reads every row and
/// compares.
struct Checksums {
    private(set) var tables: [SummedTable: TableSum] = [:]
    private(set) var isChanged = false

    init() {}

    /// The sums that the ledger stores.
    init(_ ledger: Ledger) throws {
        var row = try ledger.connection.prepare("SELECT name, rows, sum FROM table_sum")
        while try row.step() {
            guard let table = SummedTable(rawValue: row.text(0)) else { continue }
            tables[table] = TableSum(rows: row.integer(1), sum: UInt64(bitPattern: row.integer(2)))
        }
    }

    mutating func change(_ table: SummedTable, _ change: (inout TableSum) -> Void) {
        change(&tables[table, default: TableSum()])
        isChanged = true
    }
}

extension Ledger {
    /// Runs a statement that writes rows and returns them (`table.returning`), and adds them to the sums.
    func add(_ rows: inout Statement, to table: SummedTable) throws {
        while try rows.step() {
            let hash = RowHash(rows)
            checksums.change(table) { $0.add(hash) }
            if table.isEvidence { try changeSum(ofCase: CaseID(ofRow: rows.integer(0)), by: hash.value) }
        }
    }

    /// Subtracts the selected rows (`table.select`) from the sums. The caller then deletes or replaces them.
    func remove(_ rows: inout Statement, from table: SummedTable) throws {
        while try rows.step() {
            let hash = RowHash(rows)
            checksums.change(table) { $0.remove(hash) }
            if table.isEvidence { try changeSum(ofCase: CaseID(ofRow: rows.integer(0)), by: 0 &- hash.value) }
        }
    }

    /// Deletes rows, and subtracts them from the sums.
    func delete<each Value: SQLValue>(
        from table: SummedTable, _ conditions: String = "", _ values: repeat each Value
    ) throws {
        var old = try connection.prepare(
            "DELETE FROM " + table.rawValue + " " + conditions + table.returning, repeat each values)
        try remove(&old, from: table)
    }

    /// Updates the rows that satisfy the condition, together with the sums. Returns how many there were.
    /// - Parameter values: for the parameters of the change, then for those of the condition.
    @discardableResult
    func update<each Value: SQLValue>(
        _ table: SummedTable, _ change: String, where condition: String, with values: repeat each Value
    ) throws -> Int {
        var old = try connection.prepare(table.select + "WHERE " + condition, repeat each values)
        try remove(&old, from: table)
        var new = try connection.prepare(
            "UPDATE " + table.rawValue + " " + change + " WHERE " + condition + table.returning, repeat each values)
        try add(&new, to: table)
        return connection.changes
    }

    /// Writes the sums if they have changed.
    func writeChecksums() throws {
        guard checksums.isChanged else { return }
        var row = try connection.prepare("INSERT OR REPLACE INTO table_sum VALUES (?1, ?2, ?3)")
        for (table, sum) in checksums.tables {
            row.start(table.rawValue, sum.rows, Int64(bitPattern: sum.sum))
            try row.run()
        }
    }

    /// The tables whose rows differ from what was written, one sentence each. Reads all rows.
    public func checksumProblems() throws -> [String] { try checksumProblems(of: SummedTable.allCases) }

    func checksumProblems(of tables: [SummedTable]) throws -> [String] {
        let written = try Checksums(self)
        let hasUnknownTables = try connection.integer("SELECT count(*) FROM table_sum") != Int64(written.tables.count)
        return try (hasUnknownTables ? ["table_sum contains unknown tables"] : [])
            + tables.compactMap { table in
                var found = TableSum()
                var row = try connection.prepare(table.select)
                while try row.step() { found.add(RowHash(row)) }
                return problem(of: table, found, written)
            }
    }

    /// Reads all rows of a table, and proves that they are what was written.
    ///
    /// - Throws: `LedgerError.damaged`; what `use` throws.
    func readProven<Row: TableRow>(
        _: Row.Type, _ use: (inout FieldReader, _ hash: RowHash) throws -> Void
    ) throws {
        var found = TableSum()
        var reader = try FieldReader(Row.self, "", of: self)
        while try reader.step() {
            let hash = reader.hash
            found.add(hash)
            try use(&reader, hash)
        }
        if let problem = try problem(of: Row.table, found, Checksums(self)) { throw LedgerError.damaged(problem) }
    }

    private func problem(of table: SummedTable, _ found: TableSum, _ written: Checksums) -> String? {
        let expected = written.tables[table] ?? TableSum()
        if found == expected { return nil }
        return found.rows == expected.rows
            ? "rows of \(table.rawValue) were changed"
            : "\(table.rawValue) has \(counted(found.rows, "row", "rows")), but \(expected.rows) were written"
    }
}
