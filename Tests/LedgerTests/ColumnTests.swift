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

    @Test(arguments: Schema.tableColumns.map { $0.tableName })
    func columnsAreThoseOfTheSchema(_ table: String) throws {
        let columns = try #require(Schema.tableColumns.first { $0.tableName == table })
        #expect(try columns.names == Self.columns(of: table))
        #expect(columns.positions == Array(0..<Int32(columns.names.count)))
    }

    @Test func everyTableHasItsColumns() throws {
        let ledger = try Ledger.inMemory()
        var row = try ledger.connection.prepare(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
        var tables: [String] = []
        while try row.step() { tables.append(row.text(0)) }
        let packed = Schema.packed.map(\.summed)
        #expect((Schema.tableColumns.map { $0.tableName } + packed.map(\.rawValue)).sorted() == tables)
        let summed = Schema.tableColumns.compactMap { ($0 as? any SummedColumn.Type)?.summed } + packed
        #expect(Set(summed) == Set(SummedTable.allCases) && summed.count == SummedTable.allCases.count)
    }

    /// The columns of the views are an interface.
    @Test(arguments: [
        (
            "backend_order",
            """
            id standing delivery line file_date order_id account_id product_id quantity amount currency \
            app_account_token transaction_id bundle_id status created_at updated_at
            """
        ),
        (
            "backend_credit",
            """
            id standing delivery line file_date credit_id order_id transaction_id account_id product_id quantity kind \
            origin credited_at
            """
        ),
        (
            "apple_transaction",
            """
            id standing delivery line file_date transaction_id original_transaction_id web_order_line_item_id \
            bundle_id product_id purchased_at expires_at signed_at app_account_token price currency quantity type \
            environment ownership is_upgraded storefront revoked_at revocation_type revocation_reason \
            revocation_percentage proof failure is_from_receipt
            """
        ),
        (
            "client_receipt",
            """
            id standing delivery line file_date receipt_id content account_id order_id transaction_id product_id \
            device_id received_at verify_status verify_retryable proof
            """
        ),
        ("subject", "id kind key verdict cause flags amount currency purchase_date fulfilment"),
    ])
    func viewsKeepTheirColumns(_ view: String, _ columns: String) throws {
        #expect(try Self.columns(of: view).joined(separator: " ") == columns)
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

extension Schema {
    /// The columns of every table that is not packed.
    static let tableColumns: [any TableColumn.Type] = [
        RunColumn.self, TableSumColumn.self, UpkeepColumn.self, GapDecisionColumn.self, DeliveryColumn.self,
        ArrivalColumn.self,
        RejectedRowColumn.self, RefundLineColumn.self, SpellingColumn.self, ProductColumn.self,
        IdentifierSegmentColumn.self, IdentifierBlockColumn.self, IdentifierFilterColumn.self,
        CaseSumColumn.self, TokenOwnerColumn.self, UnlinkedKeyColumn.self, LedgerFactColumn.self, WatchColumn.self,
        OrderLookupColumn.self, VerifiedSignatureColumn.self, TallyColumn.self,
        PurchaseTallyColumn.self, ExceptionColumn.self, ExceptionEventColumn.self, ExceptionKeyColumn.self,
        ExceptionRowColumn.self,
        RetryEntryColumn.self,
        RetryAnswerColumn.self, RetryReleaseColumn.self, RetryLineColumn.self, MonthSealColumn.self,
    ]
}
