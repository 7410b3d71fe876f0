internal import Domain
internal import SQLite
import Testing

@testable import Ledger

/// The lists of columns that writers and readers use must match the schema in names and order, because a column's raw
/// value is its position.
@Suite struct ColumnTests {
    private static func columns(of table: String) throws -> [String] {
        let ledger = try Ledger.inMemory()
        var row = try ledger.connection.prepare("SELECT name FROM pragma_table_info(?1) ORDER BY cid")
        row.bind(1, table)
        var names: [String] = []
        while try row.step() { names.append(row.text(0)) }
        return names
    }

    @Test(arguments: (Schema.tableColumns + Schema.viewColumns).map { $0.tableName })
    func columnsAreThoseOfTheSchema(_ table: String) throws {
        let columns = try #require((Schema.tableColumns + Schema.viewColumns).first { $0.tableName == table })
        #expect(try columns.names == Self.columns(of: table))
        #expect(columns.positions == Array(0..<Int32(columns.names.count)))
    }

    @Test func everyTableHasItsColumns() throws {
        let ledger = try Ledger.inMemory()
        var row = try ledger.connection.prepare(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
        var tables: [String] = []
        while try row.step() { tables.append(row.text(0)) }
        #expect(Schema.tableColumns.map { $0.tableName }.sorted() == tables)
        #expect(
            Set(Schema.tableColumns.compactMap { ($0 as? any SummedColumn.Type)?.summed }) == Set(SummedTable.allCases))
    }

    @Test func aRowIsReadAsItWasWritten() throws {
        let ledger = try Ledger.inMemory()
        var writer = try TableWriter<RetryReleaseColumn>(ledger)
        // In any order.
        writer.set(.note, "looked at")
        writer.set(.byWhom, "Li")
        writer.set(.at, 1_763_514_000_000)
        writer.set(.entryKey, "R1")
        writer.set(.run, 7)
        try writer.write()
        var row = try TableReader<RetryReleaseColumn>(ledger, "WHERE run = ?1")
        row.statement.bind(1, Int64(7))
        let isRow = try row.step()
        let texts = [row.text(.entryKey), row.text(.byWhom), row.text(.note)]
        let numbers = [row.integer(.run), row.integer(.at)]
        #expect(isRow && texts == ["R1", "Li", "looked at"] && numbers == [7, 1_763_514_000_000])
        var sum = TableSum()
        sum.add(row.hash)
        #expect(ledger.checksums.tables[.retryReleases] == sum)
    }

    /// Columns after the last requested one are not read, and those before it keep their positions.
    @Test func aReaderStopsBehindTheLastColumnAskedFor() throws {
        let ledger = try Ledger.inMemory()
        try ledger.connection.execute(
            "INSERT INTO run VALUES (1, '2025-11-18', 2, 3, 'p', 'v', 'f', 'd', 'e', 's', 'l', '{}', NULL, NULL)")
        var row = try TableReader<RunColumn>(ledger, through: .link)
        let isRow = try row.step()
        let (count, version, link) = (row.statement.columns, row.text(.version), row.text(.link))
        #expect(isRow && count == 11 && version == "v" && link == "l")
    }
}

extension TableColumn {
    fileprivate static var positions: [Int32] { allCases.map(\.rawValue) }
}
