internal import Domain
internal import SQLite

/// The parts of migrations that SQL cannot do: packing rows (`PackedSchema`), and covering all keys (`SegmentBlock`).
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

    /// Computes the sums of the packed tables and of their cases, and writes them: a run proves tables before it
    /// begins.
    func sumPackedTables() throws {
        for table in [SummedTable.spellings, .orders, .credits, .transactions, .receipts, .subject] {
            var row = try connection.prepare(table.select)
            try add(&row, to: table)
        }
        try writeCaseSums()
        try writeChecksums()
    }

    /// Writes all segments of keys again, because blocks and filters of earlier versions do not cover all keys.
    /// - Throws: `LedgerError.damaged` if a block or a filter was edited: the new ones would hide it.
    func coverAllKeys() throws {
        let tables: [SummedTable] = [.segments, .blocks, .filters]
        if let problem = try checksumProblems(of: tables).first { throw LedgerError.damaged(problem) }
        for table in tables { checksums.change(table) { $0 = TableSum() } }
        var numbers: [Int64] = []
        var segment = try TableReader<IdentifierSegmentColumn>(self, only: [.id], "ORDER BY id")
        while try segment.step() { numbers.append(segment.integer(.id)) }
        let last = numbers.last ?? 0
        for number in numbers {
            var writer = try SegmentWriter(self, number: last &+ number)
            var row = try TableReader<IdentifierBlockColumn>(self, "WHERE segment = ?1 ORDER BY first")
            row.statement.bind(1, number)
            while try row.step() {
                let pairs = SegmentBlock.Entries(pairs: row.blob(.entries), first: row.integer(.first))
                for pair in pairs { try writer.add(pair) }
            }
            try writer.finish()
            // The next segment then takes the pages of this one.
            try delete(segment: number)
        }
        try writeChecksums()
    }
}
