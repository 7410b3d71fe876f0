/// Evidence and verdicts in packed tables, and views that show them in plain text and numbers. `PackedRow` says which
/// columns they have, and `Packing` how these are stored. The first row of a case has number 0.
extension Schema {
    static let packed = [
        TableDefinition(Transaction.self, view: "apple_transaction"),
        TableDefinition(Order.self, view: "backend_order"),
        TableDefinition(Credit.self, view: "backend_credit"),
        TableDefinition(Receipt.self, view: "client_receipt"),
        TableDefinition(StoredVerdict.self, view: "subject"),
    ]
}

/// A table and its view, as the fields of its rows ask for them.
struct TableDefinition: FieldVisitor, Sendable {
    let table: SummedTable
    /// The columns of the table.
    private(set) var names: [String] = []
    private(set) var first = FirstRows()
    /// The name of the view that shows a packed table.
    private let view: String?
    private var declarations: [String] = []
    /// The columns of the view.
    private var shown: [String] = []
    private var joins: [String] = []

    init<Row: TableRow>(_: Row.Type, view: String? = nil) {
        table = Row.table
        self.view = view
        if Row.self is any PackedRow.Type { add("id", as: "INTEGER PRIMARY KEY", shownAs: "p.id") }
        if table.isEvidence { add("standing", as: "INTEGER NOT NULL", shownAs: "p.standing") }
        var row = Row.blank
        row.describe(&self)
    }

    /// The position of a column that the rows describe.
    func index(of name: String) -> Int32 { Int32(names.firstIndex(of: name)!) }

    private mutating func add(_ name: String, as declaration: String, shownAs plain: String) {
        names.append(name)
        declarations.append(name + " " + declaration)
        shown.append(plain)
    }

    private mutating func join(_ table: String) {
        if !joins.contains(table) { joins.append(table) }
    }

    mutating func source(_: inout Provenance) {
        add("delivery", as: "INTEGER NOT NULL", shownAs: "p.delivery")
        add("line", as: "INTEGER NOT NULL", shownAs: "p.line")
        shown.append("d.file_date")
        join("delivery d ON d.id = p.delivery")
    }

    mutating func field<P: Packing>(
        _ column: StaticString, _: inout P.Value?, as packing: P, isRequired: Bool
    ) throws(Never) {
        let name = "\(column)"
        let parts = [packing.type, isRequired ? "NOT NULL" : ""].filter { !$0.isEmpty }
        add(name, as: parts.joined(separator: " "), shownAs: packing.plain("p." + name) + " AS " + name)
        switch packing.other {
        case .order: join("packed_order o ON o.id = p.id >> 24 << 24")
        case .transaction: join("packed_transaction t ON t.id = p.id >> 24 << 24")
        case .own, nil: break
        }
    }

    /// SQL that creates the table, with constraints after its columns.
    func sql(_ constraints: String = "", isWithoutRowID: Bool = false) -> String {
        let parts = declarations + (constraints.isEmpty ? [] : [constraints])
        return "CREATE TABLE \(table.rawValue) (\(parts.joined(separator: ", ")))"
            + (isWithoutRowID ? " WITHOUT ROWID;\n" : ";\n")
    }

    /// SQL that creates a packed table and its view.
    var sqlWithView: String {
        sql() + """
            CREATE VIEW \(view!) AS SELECT \(shown.joined(separator: ", "))
                FROM \(table.rawValue) p\(joins.map { " LEFT JOIN " + $0 }.joined());

            """
    }
}
