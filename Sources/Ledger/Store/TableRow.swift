/// A value that a table has a row for. Its fields are described once, in `describe`: the table, writing and reading follow
/// from it (`TableDefinition`, `FieldWriter`, `FieldReader`).
protocol TableRow: Sendable {
    static var table: SummedTable { get }
    /// What reading a row begins with.
    static var blank: Self { get }
    /// Calls `fields` with each field, in the order of the columns.
    mutating func describe<Fields: FieldVisitor & ~Copyable>(_ fields: inout Fields) throws(Fields.Failure)
}

/// What goes through the fields of a row: it writes them, sets them or asks how they are stored.
protocol FieldVisitor: EvidenceFields, ~Copyable {
    /// What 0 stands for in this case.
    var first: FirstRows { get }
    mutating func field<P: Packing>(
        _ column: StaticString, _ value: inout P.Value?, as packing: P, isRequired: Bool) throws(Failure)
    /// Told of each identifier, token and content by which look-ups find the row's case, before its field.
    mutating func isFound(by kind: IdentifierKind, _ id: Identifier)
    mutating func isFound(by token: Token)
    mutating func isFound(by content: Digest256)
}

extension FieldVisitor where Self: ~Copyable {
    mutating func isFound(by _: IdentifierKind, _: Identifier) {}
    mutating func isFound(by _: Token) {}
    mutating func isFound(by _: Digest256) {}
}

extension FieldVisitor where Self: ~Copyable {
    @inline(__always)
    mutating func field<P: Packing>(
        _ column: StaticString, _ value: inout P.Value?, as packing: P
    ) throws(Failure) {
        try field(column, &value, as: packing, isRequired: false)
    }

    /// A field that every row has.
    @inline(__always)
    mutating func field<P: Packing>(_ column: StaticString, _ value: inout P.Value, as packing: P) throws(Failure) {
        var found: P.Value? = value
        try field(column, &found, as: packing, isRequired: true)
        if let found { value = found }
    }

    /// An amount of money: the columns `amount` and `currency`.
    @inline(__always)
    mutating func money<Word: Packing>(
        _ money: inout Money?, as packing: Number<Int64> = Number(), in word: Word = CurrencyText()
    ) throws(Failure) where Word.Value == Currency {
        var (minor, currency) = (money?.minor, money?.currency)
        try field("amount", &minor, as: packing)
        try field("currency", &currency, as: word)
        money = currency.map { Money(minor: minor ?? 0, currency: $0) }
    }
}

/// A row that begins with the run which wrote it, or after which a person did.
struct OfRun<Row: TableRow>: TableRow {
    var run: RunID
    var row: Row

    static var table: SummedTable { Row.table }
    static var blank: Self { Self(run: 0, row: .blank) }

    mutating func describe<Fields: FieldVisitor & ~Copyable>(_ fields: inout Fields) throws(Fields.Failure) {
        try fields.field("run", &run, as: Code("REFERENCES run (id)"))
        try row.describe(&fields)
    }
}

extension Ledger {
    /// What `read` makes of each row of a query. Its parameters have these values.
    func all<each Value: SQLValue, Found>(
        _ sql: String, _ values: repeat each Value, read: (borrowing Statement) throws -> Found
    ) throws -> [Found] {
        var found: [Found] = []
        var row = try connection.prepare(sql, repeat each values)
        while try row.step() { found.append(try read(row)) }
        return found
    }

    /// - Parameter conditions: the SQL after the table's name, with `?1` for the first of the values.
    func read<Row: TableRow, each Value: SQLValue>(
        _: Row.Type, _ conditions: String = "", with values: repeat each Value
    ) throws -> [Row] {
        var rows: [Row] = []
        var reader = try FieldReader(Row.self, conditions, of: self)
        reader.statement.start(repeat each values)
        while try reader.step() { rows.append(try reader.row()) }
        return rows
    }

    func insert<Row: TableRow>(_ rows: [Row]) throws {
        var inserter = try RowInserter(self, TableDefinition(Row.self))
        for piece in 0..<rows.pieces(of: 1024) {
            let rows = rows.piece(piece, of: 1024)
            var writer = FieldWriter(Row.self, rows: rows.count)
            for row in rows { writer.add(row) }
            try inserter.write(writer.new)
        }
    }
}

/// Writes rows of one table: new ones, and those that replace others.
struct RowChanger: ~Copyable {
    private var inserter: RowInserter
    private var replacer: RowInserter

    init<Row: TableRow>(_ ledger: Ledger, _: Row.Type) throws {
        let inserter = try RowInserter(ledger, TableDefinition(Row.self))
        let replacer = try RowInserter(ledger, TableDefinition(Row.self), replaces: true)
        self.inserter = inserter
        self.replacer = replacer
    }

    mutating func write(_ rows: FieldWriter) throws {
        try inserter.write(rows.new)
        try replacer.write(rows.changed)
    }
}
