/// Reads the rows of one table.
///
/// Packed tables must be read in the order of `Schema.packed`, and within a table, cases in ascending order.
struct FieldReader: FieldVisitor, ~Copyable {
    /// For binding the parameters of the conditions.
    var statement: Statement
    private let ledger: Ledger
    private let table: SummedTable
    /// For rows of packed tables.
    let unpacker: Unpacker?
    private(set) var first = FirstRows()
    /// When the date of the row's file begins, in milliseconds since 1970.
    private(set) var midnight: Int64 = 0
    /// The column at which the reader stands.
    private var column: Int32 = 0

    /// - Parameter conditions: the SQL after the table's name.
    init<Row: TableRow>(
        _: Row.Type, _ conditions: String, of ledger: Ledger, with unpacker: Unpacker? = nil
    ) throws(SQLiteError) {
        let definition = TableDefinition(Row.self)
        statement = try ledger.connection.prepare(
            "SELECT " + definition.names.joined(separator: ", ") + " FROM " + definition.table.rawValue + " "
                + conditions)
        self.ledger = ledger
        self.unpacker = unpacker
        table = definition.table
    }

    mutating func step() throws(SQLiteError) -> Bool { try statement.step() }

    // MARK: Rows

    var caseID: CaseID { CaseID(ofRow: statement.integer(0)) }
    /// Whether it is the first row of its case.
    private var isFirst: Bool { statement.integer(0) == caseID.row(0) }
    /// Whether evidence is the current version.
    var isCurrent: Bool { statement.integer(1) == 1 }
    var hash: RowHash { RowHash(statement) }

    /// Reads a row whose fields begin at `column`.
    mutating func row<Row: TableRow>(from column: Int32 = 0) throws -> Row {
        self.column = column
        var row = Row.blank
        try row.describe(&self)
        return row
    }

    /// Reads a row of evidence. Nil if a later delivery than `last` contained it: such rows are read only for what
    /// following rows leave out.
    mutating func evidence<Row: PackedEvidence>(_: Row.Type, through last: DeliveryID) throws -> Row? {
        let isWanted = statement.integer(2) <= Int64(last.rawValue)
        guard isWanted || isFirst else { return nil }
        column = 2
        first = unpacker!.first(of: caseID)
        var row = Row.blank
        try row.describe(&self)
        if isFirst { unpacker!.note(row, of: caseID) }
        return isWanted ? row : nil
    }

    // MARK: Fields

    mutating func source(_ source: inout Provenance) throws {
        let delivery = DeliveryID(try statement.whole(Int32(exactly: integer)))
        column += 1
        let date = try unpacker!.fileDate(of: delivery)
        source = Provenance(delivery: delivery, line: try statement.whole(Int32(exactly: integer)), fileDate: date)
        midnight = date.midnight
        column += 1
    }

    @inline(__always)
    mutating func field<P: Packing>(
        _ name: StaticString, _ value: inout P.Value?, as packing: P, isRequired: Bool
    ) throws {
        if statement.isNull(column), !isRequired {
            value = nil
        } else {
            value = try packing.read(self)
            if value == nil { throw LedgerError.damaged("\(table.rawValue).\(name) has an impossible value") }
        }
        column += 1
    }

    // MARK: The value of the column at which the reader stands

    var isInteger: Bool { statement.kind(column) == .integer }
    var integer: Int64 { statement.integer(column) }
    var text: String { statement.text(column) }
    var bytes: [UInt8] { statement.blob(column) }
    var identifier: Identifier? {
        statement.isNull(column)
            ? nil : statement.withText(column) { ledger.identifier($0, of: Int(column)) }
    }
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        statement.withBytes(column, body)
    }
}

/// What readers of packed tables share: spellings, the dates of deliveries, and the first rows of cases.
final class Unpacker {
    let spellings: Spellings
    private var labelSets: [Int64: LabelSet] = [:]
    private var delivery: Statement
    private var lastDelivery = (id: DeliveryID.none, date: Provenance.none.fileDate)
    private var transactions = Firsts()
    private var orders = Firsts()

    init(_ ledger: Ledger) throws {
        spellings = try ledger.spellings().copy
        delivery = try ledger.connection.prepare("SELECT file_date FROM delivery WHERE id = ?1")
    }

    /// The set of labels that a number stands for. Nil if there is none.
    func labels(_ number: Int64) -> LabelSet? {
        if let known = labelSets[number] { return known }
        labelSets[number] = spellings[number].flatMap { LabelSet(text: $0.text) }
        return labelSets[number]
    }

    fileprivate func note(_ row: some PackedEvidence, of caseID: CaseID) {
        var first = FirstRows()
        row.note(in: &first)
        if first.transaction != nil { transactions.add(first, of: caseID) }
        if first.order != nil { orders.add(first, of: caseID) }
    }

    fileprivate func first(of caseID: CaseID) -> FirstRows {
        var first = transactions.find(caseID) ?? FirstRows()
        let order = orders.find(caseID)
        first.order = order?.order
        first.account = order?.account
        return first
    }

    fileprivate func fileDate(of id: DeliveryID) throws -> BusinessDate {
        if id == lastDelivery.id { return lastDelivery.date }
        delivery.start(id)
        // Evidence that was made in code has no delivery.
        let date =
            try delivery.step()
            ? delivery.whole(BusinessDate(recorded: delivery.integer(0))) : Provenance.none.fileDate
        lastDelivery = (id, date)
        return date
    }
}

/// The first rows of cases, in ascending order of case.
private struct Firsts {
    private var rows: [(caseID: CaseID, first: FirstRows)] = []
    private var next = 0
    private var asked: CaseID = 0

    mutating func add(_ first: FirstRows, of caseID: CaseID) { rows.append((caseID, first)) }

    /// The row of this case. Cases are asked for in ascending order, table by table.
    mutating func find(_ caseID: CaseID) -> FirstRows? {
        if caseID < asked { next = 0 }
        asked = caseID
        while next < rows.count, rows[next].caseID < caseID { next += 1 }
        return next < rows.count && rows[next].caseID == caseID ? rows[next].first : nil
    }
}
