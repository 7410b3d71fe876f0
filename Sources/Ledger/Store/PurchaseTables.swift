/// The counted purchases: a table for each date and block of cases. See docs/spec/why.md#tables.
extension Ledger {
    public func tables(ofBlocks blocks: Set<Int64>) throws -> [TableKey: EncodedTable] {
        var found: [TableKey: EncodedTable] = [:]
        var row = try connection.prepare(Self.tableColumns + "WHERE block = ?1")
        for block in blocks.sorted() {
            row.start(block)
            try readTables(&row, into: &found)
        }
        return found
    }

    public func tables(in dates: ClosedRange<BusinessDate>) throws -> [TableKey: EncodedTable] {
        var found: [TableKey: EncodedTable] = [:]
        var row = try connection.prepare(
            Self.tableColumns + "WHERE purchase_date BETWEEN ?1 AND ?2", Int64(dates.lowerBound.day),
            Int64(dates.upperBound.day))
        try readTables(&row, into: &found)
        return found
    }

    public func delays(in dates: ClosedRange<BusinessDate>) throws -> [TableKey: DelayHistogram] {
        var found: [TableKey: DelayHistogram] = [:]
        var row = try connection.prepare(
            "SELECT block, purchase_date, delays FROM purchase_table WHERE purchase_date BETWEEN ?1 AND ?2",
            Int64(dates.lowerBound.day), Int64(dates.upperBound.day))
        while try row.step() { found[TableKey(try row.date(1), block: row.integer(0))] = try row.delays(2) }
        return found
    }

    private static let tableColumns = "SELECT block, purchase_date, delays, purchases FROM purchase_table "

    private func readTables(_ row: inout Statement, into found: inout [TableKey: EncodedTable]) throws {
        while try row.step() {
            found[TableKey(try row.date(1), block: row.integer(0))] = EncodedTable(
                bytes: row.withBytes(3, Array.init), delays: try row.delays(2))
        }
    }

    /// Replaces these tables; an empty one is removed.
    /// - Parameter isRebuilt: whether they replace all tables on record.
    public func write(_ tables: [TableKey: EncodedTable], isRebuilt: Bool) throws {
        if isRebuilt {
            try connection.execute("DELETE FROM purchase_table")
            checksums.change(.purchaseTables) { $0 = TableSum() }
        }
        var row = try TableWriter(self, .purchaseTables)
        for (key, table) in tables.sorted(by: { $0.key < $1.key }) {
            let (block, date) = (key.block, Int64(key.date.day))
            if !isRebuilt {
                try delete(from: .purchaseTables, " WHERE block = ?1 AND purchase_date = ?2", block, date)
            }
            if !table.bytes.isEmpty { try row.write(block, date, table.delays.encode(), table.bytes) }
        }
    }
}

extension Statement {
    fileprivate func delays(_ column: Int32) throws -> DelayHistogram {
        do { return try DelayHistogram(decoding: withBytes(column, Array.init)) } catch {
            throw LedgerError.damaged("the delays of a table of purchases are not what was written")
        }
    }
}
