internal import Domain
internal import SQLite

/// Tables whose rows nothing else in the ledger would prove. The others follow from them, and `check` makes them anew.
enum SummedTable: String, CaseIterable {
    case run, upkeep, delivery, arrival
    case rejectedRows = "rejected_row"
    case refundLines = "refund_line"
    case orders = "backend_order"
    case credits = "backend_credit"
    case transactions = "apple_transaction"
    case receipts = "client_receipt"
    case product
    case segments = "identifier_segment"
    case blocks = "identifier_block"
    case caseSums = "case_sum"
    case facts = "ledger_fact"
    case watch, tally
    case orderLookups = "order_lookup"
    case signatures = "verified_signature"
    case subject
    case exception
    case events = "exception_event"
    case exceptionRows = "exception_row"
    case retryEntries = "retry_entry"
    case retryAnswers = "retry_answer"
    case retryReleases = "retry_release"
    case retryLines = "retry_line"
    case seals = "month_seal"

    init(_ table: EvidenceTable) {
        switch table {
        case .orders: self = .orders
        case .credits: self = .credits
        case .transactions: self = .transactions
        case .receipts: self = .receipts
        }
    }

    /// Those that a night goes by as a whole: read and compared before it begins. Of the others it proves what it reads.
    static let readWhole: [SummedTable] = [
        .run, .upkeep, .delivery, .arrival, .product, .segments, .facts, .watch, .tally, .exception, .retryEntries,
        .seals,
    ]

    /// Those that the reports of a night run before are made of.
    static let rendered: [SummedTable] = [.events, .exceptionRows, .retryLines, .refundLines, .rejectedRows]

    /// Whether a row's first column says of which case it is evidence.
    var isEvidence: Bool {
        switch self {
        case .orders, .credits, .transactions, .receipts: true
        default: false
        }
    }

    /// What is hashed: whole rows, whatever columns they have, so that one that was added shows as well. A run's other
    /// columns are linked to the run before.
    private var columns: String { self == .run ? "id, folder, folder_digest" : "*" }

    /// Begins a query for rows that are to be hashed.
    var select: String { "SELECT " + columns + " FROM " + rawValue + " " }

    /// Ends a change, whose rows are to be hashed.
    var returning: String { " RETURNING " + columns }
}

/// What each table's rows come to, kept up as rows are written and removed, so that a night costs what it changes.
struct Checksums {
    private(set) var tables: [SummedTable: TableSum] = [:]
    private(set) var isChanged = false

    init() {}

    /// As the ledger has them.
    init(_ ledger: Ledger) throws {
        var row = try TableReader<TableSumColumn>(ledger)
        while try row.step() {
            guard let table = SummedTable(rawValue: row.text(.name)) else { continue }
            tables[table] = TableSum(rows: row.integer(.rows), sum: UInt64(bitPattern: row.integer(.sum)))
        }
    }

    mutating func change(_ table: SummedTable, _ change: (inout TableSum) -> Void) {
        change(&tables[table, default: TableSum()])
        isChanged = true
    }
}

extension Ledger {
    /// Runs a statement whose rows (`table.returning`) have just been written.
    func add(_ rows: inout Statement, to table: SummedTable) throws {
        while try rows.step() {
            let hash = RowHash(rows)
            checksums.change(table) { $0.add(hash) }
            if table.isEvidence { try changeSum(ofCase: rows.integer(0) >> 24, by: hash.value) }
        }
    }

    /// Takes the selected rows (`table.select`), which are to be removed or replaced, out of the table's sum.
    func remove(_ rows: inout Statement, from table: SummedTable) throws {
        while try rows.step() {
            let hash = RowHash(rows)
            checksums.change(table) { $0.remove(hash) }
            if table.isEvidence { try changeSum(ofCase: rows.integer(0) >> 24, by: 0 &- hash.value) }
        }
    }

    /// Changes the rows of that condition, and returns how many.
    @discardableResult
    func update(
        _ table: SummedTable, _ change: String, where condition: String, _ bind: (inout Statement) -> Void
    ) throws -> Int {
        var old = try connection.prepare(table.select + "WHERE " + condition)
        bind(&old)
        try remove(&old, from: table)
        var new = try connection.prepare(
            "UPDATE " + table.rawValue + " " + change + " WHERE " + condition + table.returning)
        bind(&new)
        try add(&new, to: table)
        return connection.changes
    }

    func writeChecksums() throws {
        guard checksums.isChanged else { return }
        var row = try TableWriter<TableSumColumn>(self, .replaces)
        for (table, sum) in checksums.tables {
            row.set(.name, table.rawValue)
            row.set(.rows, sum.rows)
            row.set(.sum, Int64(bitPattern: sum.sum))
            try row.write()
        }
    }

    /// Tables whose rows are not those that were written.
    public func checksumProblems() throws -> [String] { try checksumProblems(of: SummedTable.allCases) }

    func checksumProblems(of tables: [SummedTable]) throws -> [String] {
        let written = try Checksums(self)
        let strangers = try connection.integer("SELECT count(*) FROM table_sum") != Int64(written.tables.count)
        return try (strangers ? ["table_sum contains unknown tables"] : [])
            + tables.compactMap { table in
                var found = TableSum()
                var row = try connection.prepare(table.select)
                while try row.step() { found.add(RowHash(row)) }
                let expected = written.tables[table] ?? TableSum()
                if found == expected { return nil }
                return found.rows == expected.rows
                    ? "rows of \(table.rawValue) were changed"
                    : "\(table.rawValue) has \(found.rows) rows, but \(expected.rows) were written"
            }
    }
}
