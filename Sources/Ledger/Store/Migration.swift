internal import Domain
internal import SQLite

/// Bringing a ledger of the first version to the second (`PackedSchema`).
extension Ledger {
    /// The tables whose rows are packed, and the sums of cases, which are computed again.
    private static let replaced = [
        "backend_order", "backend_credit", "apple_transaction", "client_receipt", "subject", "case_sum",
    ]

    /// Proves the rows that are to be packed: afterwards they have new sums, which would hide any damage.
    /// - Throws: `LedgerError.damaged`.
    func proveFirstVersion() throws {
        var stored = try TableReader<TableSumColumn>(self, "WHERE name = ?1")
        for table in Self.replaced {
            var written = TableSum()
            stored.statement.bind(1, table)
            if try stored.step() {
                written = TableSum(rows: stored.integer(.rows), sum: UInt64(bitPattern: stored.integer(.sum)))
            }
            stored.reset()
            var found = TableSum()
            var row = try connection.prepare("SELECT * FROM " + table)
            while try row.step() { found.add(RowHash(row)) }
            guard found == written else { throw LedgerError.damaged("rows of \(table) were changed") }
        }
    }

    /// Computes the sums of the packed tables and of their cases, and writes them: a run proves tables before it begins.
    func sumPackedTables() throws {
        for table in [SummedTable.spellings, .orders, .credits, .transactions, .receipts, .subject] {
            var row = try connection.prepare(table.select)
            try add(&row, to: table)
        }
        try writeCaseSums()
        try writeChecksums()
    }
}
