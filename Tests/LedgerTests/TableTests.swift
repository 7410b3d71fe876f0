internal import Domain
import Testing

@testable import Ledger

/// The tables and views of the schema.
@Suite struct TableTests {
    private static func columns(of table: String) throws -> [String] {
        let ledger = try Ledger.inMemory()
        var row = try ledger.connection.prepare("SELECT name FROM pragma_table_info(?1) ORDER BY cid")
        row.bind(1, table)
        var names: [String] = []
        while try row.step() { names.append(row.text(0)) }
        return names
    }

    /// `check` proves every table by its sum, apart from those that it derives again.
    @Test func everyTableHasASum() throws {
        let ledger = try Ledger.inMemory()
        var row = try ledger.connection.prepare(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
        var tables: [String] = []
        while try row.step() { tables.append(row.text(0)) }
        let unsummed = ["loose_end", "table_sum", "token_owner"]
        #expect((SummedTable.allCases.map(\.rawValue) + unsummed).sorted() == tables)
    }

    /// The columns of the views are an interface.
    @Test(arguments: [
        (
            "backend_order",
            """
            id standing delivery line file_date order_id account_id product_id quantity amount currency \
            app_account_token transaction_id bundle_id status created_at updated_at labels
            """
        ),
        (
            "backend_credit",
            """
            id standing delivery line file_date credit_id order_id transaction_id account_id product_id quantity kind \
            origin credited_at labels
            """
        ),
        (
            "apple_transaction",
            """
            id standing delivery line file_date transaction_id original_transaction_id web_order_line_item_id \
            bundle_id product_id purchased_at expires_at signed_at app_account_token price currency quantity type \
            environment ownership is_upgraded storefront revoked_at revocation_type revocation_reason \
            revocation_percentage proof failure is_from_receipt labels transaction_reason
            """
        ),
        (
            "client_receipt",
            """
            id standing delivery line file_date receipt_id content account_id order_id transaction_id product_id \
            device_id received_at verify_status verify_retryable proof further_transaction_ids labels
            """
        ),
        ("subject", "id kind key verdict cause flags amount currency purchase_date fulfilment"),
    ])
    func viewsKeepTheirColumns(_ view: String, _ columns: String) throws {
        #expect(try Self.columns(of: view).joined(separator: " ") == columns)
    }

    @Test func aRowIsReadAsItWasWritten() throws {
        let ledger = try Ledger.inMemory()
        var writer = try TableWriter(ledger, .retryReleases)
        try writer.write("R1", RunID(7), "Li", Int64(1_763_514_000_000), "looked at")
        var row = try ledger.connection.prepare("SELECT * FROM retry_release WHERE run = ?1", 7)
        let isRow = try row.step()
        let (texts, numbers) = ([row.text(0), row.text(2), row.text(4)], [row.integer(1), row.integer(3)])
        #expect(isRow && texts == ["R1", "Li", "looked at"] && numbers == [7, 1_763_514_000_000])
        var sum = TableSum()
        sum.add(RowHash(row))
        #expect(ledger.checksums.tables[.retryReleases] == sum)
    }

    /// Every field of rows that describe themselves, absent ones included.
    @Test func aDescribedRowIsReadAsItWasWritten() throws {
        let ledger = try Ledger.inMemory()
        let decision = GapDecision(
            feed: "inbox/*.csv", date: BusinessDate("2025-11-18")!, isAccepted: true, by: "Li", at: 7, note: "")
        try ledger.write(decision, run: 3)
        #expect(try ledger.gapDecisions(before: 4) == [decision] && ledger.gapDecisions(before: 3) == [])
        var product = Product(id: "coins", source: Provenance(delivery: 1, line: 2, fileDate: decision.date))
        let bare = product
        product.validFrom = decision.date
        product.validTo = decision.date
        product.type = .consumable
        product.name = "月卡"
        product.price = Money(minor: -5, currency: "CNY")
        try ledger.replaceProducts([bare, product])
        #expect(try ledger.products() == [bare, product])
        #expect(try ledger.checksumProblems() != [])
        try ledger.commit()
        #expect(try ledger.checksumProblems() == [])
    }

    @Test func anImpossibleValueIsNamed() throws {
        let ledger = try Ledger.inMemory()
        try ledger.connection.execute("INSERT INTO gap_decision VALUES (1, 'f', 1000000000, 0, 'Li', 7, '')")
        #expect {
            try ledger.gapDecisions(before: 2)
        } throws: {
            guard case LedgerError.damaged(let problem)? = $0 as? LedgerError else { return false }
            return problem == "gap_decision.file_date has an impossible value"
        }
    }

    /// A night's reports have few rows, and the ledger has those of all nights.
    @Test(arguments: ["refund_line", "rejected_row"])
    func theRowsOfARunAreFoundByAnIndex(_ table: String) throws {
        let ledger = try Ledger.inMemory()
        var plan = try ledger.connection.prepare(
            "EXPLAIN QUERY PLAN SELECT * FROM " + table + " WHERE run = 1 ORDER BY rowid")
        #expect(try plan.step())
        #expect(plan.text(3) == "SEARCH \(table) USING INDEX \(table)_run (run=?)")
    }
}
