internal import Domain
internal import Engine

/// Evidence and verdicts in packed tables, and views that show them in plain text and numbers. `PackedRow` says which
/// columns they have, and `Packing` how these are stored. The first row of a case has number 0.
extension Schema {
    static let packed = [
        PackedTable(Transaction.self, .transactions, view: "apple_transaction"),
        PackedTable(Order.self, .orders, view: "backend_order"),
        PackedTable(Credit.self, .credits, view: "backend_credit"),
        PackedTable(Receipt.self, .receipts, view: "client_receipt"),
        PackedTable(StoredVerdict.self, .subject, view: "subject"),
    ]
}

/// A packed table and its view, as the fields of its rows ask for them.
struct PackedTable: FieldVisitor, Sendable {
    let summed: SummedTable
    /// The columns of the table.
    private(set) var names = ["id"]
    private(set) var first = FirstRows()
    private let view: String
    private var declarations = ["id INTEGER PRIMARY KEY"]
    /// The columns of the view.
    private var shown = ["p.id"]
    private var joins: [String] = []

    init<Row: PackedRow>(_: Row.Type, _ summed: SummedTable, view: String) {
        self.summed = summed
        self.view = view
        if summed.isEvidence { add("standing", "INTEGER NOT NULL", "p.standing") }
        var row = Row.blank
        row.describe(&self)
    }

    private mutating func add(_ name: String, _ declaration: String, _ plain: String) {
        names.append(name)
        declarations.append(name + " " + declaration)
        shown.append(plain)
    }

    private mutating func join(_ table: String) {
        if !joins.contains(table) { joins.append(table) }
    }

    mutating func source(_: inout Provenance) {
        add("delivery", "INTEGER NOT NULL", "p.delivery")
        add("line", "INTEGER NOT NULL", "p.line")
        shown.append("d.file_date")
        join("delivery d ON d.id = p.delivery")
    }

    mutating func field<P: Packing>(
        _ column: StaticString, _: inout P.Value?, _ packing: P, isRequired: Bool
    ) throws(Never) {
        let name = "\(column)"
        let parts = [packing.type, isRequired ? "NOT NULL" : ""].filter { !$0.isEmpty }
        add(name, parts.joined(separator: " "), packing.plain("p." + name) + " AS " + name)
        switch packing.other.map({ "\($0)".first }) {
        case "o": join("packed_order o ON o.id = p.id >> 24 << 24")
        case "t": join("packed_transaction t ON t.id = p.id >> 24 << 24")
        default: break
        }
    }

    /// SQL that creates table and view.
    var sql: String {
        """
        CREATE TABLE \(summed.rawValue) (\(declarations.joined(separator: ", ")));
        CREATE VIEW \(view) AS SELECT \(shown.joined(separator: ", "))
            FROM \(summed.rawValue) p\(joins.map { " LEFT JOIN " + $0 }.joined());

        """
    }
}
