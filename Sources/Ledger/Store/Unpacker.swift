internal import Domain
internal import SQLite

/// Reads the values of packed rows; `PackedSchema` says what they mean.
///
/// Rows of transactions must be read first, then orders, then the others; within a table, cases in ascending order.
final class Unpacker {
    private let spellings: Spellings
    private var delivery: Statement
    private var lastDelivery = (id: DeliveryID.none, date: Provenance.none.fileDate)

    /// What rows of other tables leave out, because the first row of the case has it.
    struct First {
        var caseID: CaseID
        var id: Identifier
        var account: Identifier?
        var token: Token?
    }
    private var orders = Firsts()
    private var transactions = Firsts()

    init(_ ledger: Ledger) throws {
        spellings = try ledger.spellings().copy
        delivery = try ledger.connection.prepare("SELECT file_date FROM delivery WHERE id = ?1")
    }

    func noteFirst(order: Order, of caseID: CaseID) {
        orders.add(First(caseID: caseID, id: order.id, account: order.account))
    }

    func noteFirst(transaction: Transaction, of caseID: CaseID) {
        transactions.add(First(caseID: caseID, id: transaction.id, token: transaction.token))
    }

    func firstOrder(of caseID: CaseID) -> First? { orders.find(caseID) }
    func firstTransaction(of caseID: CaseID) -> First? { transactions.find(caseID) }

    // MARK: Values

    /// - Parameter same: what 0 stands for.
    func identifier<Column>(
        _ row: borrowing TableReader<Column>, _ column: Column, same: Identifier? = nil
    ) throws(LedgerError) -> Identifier? {
        switch row.kind(column) {
        case .null: return nil
        case .integer:
            let number = row.integer(column)
            return try row.whole(number == 0 ? same : spellings.identifier(number))
        case .other: return row.identifier(column)
        }
    }

    func requiredIdentifier<Column>(
        _ row: borrowing TableReader<Column>, _ column: Column, same: Identifier? = nil
    ) throws(LedgerError) -> Identifier {
        try row.whole(try identifier(row, column, same: same))
    }

    /// A text other than an identifier, such as a status.
    func word<Column>(_ row: borrowing TableReader<Column>, _ column: Column) throws(LedgerError) -> String {
        guard row.kind(column) == .integer else { return row.text(column) }
        return try row.whole(spellings[row.integer(column)]).text
    }

    func currency<Column>(_ row: borrowing TableReader<Column>, _ column: Column) throws(LedgerError) -> Currency? {
        guard row.kind(column) == .integer else { return row.currency(column) }
        return try row.whole(spellings[row.integer(column)]).currency
    }

    /// The amount of a single row, with its currency. Nil without a currency.
    func money<Column>(
        _ row: borrowing TableReader<Column>, _ amount: Column, _ currency: Column
    ) throws(LedgerError) -> Money? {
        guard let currency = try self.currency(row, currency) else { return nil }
        return Money(minor: try row.amount(amount), currency: currency)
    }

    func token<Column>(
        _ row: borrowing TableReader<Column>, _ column: Column, same: Token? = nil
    ) throws(LedgerError) -> Token? {
        switch row.kind(column) {
        case .null: return nil
        case .integer: return try row.whole(row.integer(column) == 0 ? same : nil)
        case .other: return try row.whole(row.withBytes(column) { Token(packed: $0) })
        }
    }

    // MARK: Provenance

    /// Where the row came from. Instants of the row are counted from the date of its file.
    func source<Column: EvidenceColumn>(_ row: borrowing TableReader<Column>) throws -> Provenance {
        let id = DeliveryID(try row.requiredInt32(.delivery))
        if id != lastDelivery.id { try read(id) }
        return Provenance(delivery: id, line: try row.requiredInt32(.line), fileDate: lastDelivery.date)
    }

    private func read(_ id: DeliveryID) throws {
        delivery.bind(1, id)
        // Evidence that was made in code has no delivery.
        let date = try delivery.step() ? delivery.requiredDate(0) : Provenance.none.fileDate
        delivery.reset()
        lastDelivery = (id, date)
    }

    /// An instant of the row whose source was read last.
    func instant<Column>(_ row: borrowing TableReader<Column>, _ column: Column) throws(LedgerError) -> Instant? {
        guard let value = row.optionalInteger(column) else { return nil }
        return try row.whole(Instant(recorded: value &+ lastDelivery.date.midnight))
    }

    func requiredInstant<Column>(_ row: borrowing TableReader<Column>, _ column: Column) throws(LedgerError) -> Instant
    {
        try row.whole(try instant(row, column))
    }
}

/// The first rows of cases, in ascending order of case.
private struct Firsts {
    private var rows: [Unpacker.First] = []
    private var next = 0

    mutating func add(_ row: Unpacker.First) { rows.append(row) }

    /// The row of this case. Cases are asked for in ascending order, table by table.
    mutating func find(_ caseID: CaseID) -> Unpacker.First? {
        if next == rows.count || rows[next].caseID > caseID { next = 0 }
        while next < rows.count, rows[next].caseID < caseID { next += 1 }
        return next < rows.count && rows[next].caseID == caseID ? rows[next] : nil
    }
}
