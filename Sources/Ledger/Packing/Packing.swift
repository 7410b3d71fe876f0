/// How the values of a column are stored and, where the table is packed, how its view shows them.
protocol Packing {
    associatedtype Value

    /// The column's type in SQL. Empty for a column with numbers, texts and blobs.
    var type: String { get }
    /// What 0 stands for. Nil if 0 is a value like others.
    var other: OtherColumn? { get }
    /// SQL for the value in plain text or number.
    func plain(_ column: String) -> String
    func write(_ value: Value, to row: inout FieldWriter)
    /// Reads the column at which `row` stands, which is not NULL.
    /// - Returns: nil for a value that this program never writes.
    func read(_ row: borrowing FieldReader) throws(LedgerError) -> Value?
}

/// A column of the row itself, or of the first order or the first transaction of its case.
enum OtherColumn {
    case own(StaticString)
    case order(StaticString)
    case transaction(StaticString)

    /// The column in the SQL of a view, which calls the row `p`, the order `o` and the transaction `t`.
    fileprivate var sql: String {
        switch self {
        case .own(let name): "p.\(name)"
        case .order(let name): "o.\(name)"
        case .transaction(let name): "t.\(name)"
        }
    }
}

extension Packing {
    var type: String { "INTEGER" }
    var other: OtherColumn? { nil }
    func plain(_ column: String) -> String { column }

    /// SQL for the value, or for the one that 0 stands for.
    fileprivate func either(_ column: String) -> String {
        other.map { "CASE \(column) WHEN 0 THEN \($0.sql) ELSE \(column) END" } ?? column
    }
}

/// SQL for the text that a packed value stands for.
private func spelled(_ value: String) -> String {
    """
    CAST(CASE typeof(\(value)) WHEN 'integer' THEN
        (SELECT s.text || CASE s.digits WHEN 0 THEN '' ELSE printf('%0*d', s.digits, \(value) >> 10) END
            FROM spelling s WHERE s.id = iif(\(value) < 0, \(value), \(value) & 1023))
        ELSE \(value) END AS TEXT)
    """
}

/// An identifier: its text, or the number that stands for it (see `Spellings`).
struct Spelled: Packing {
    private var isWord = false
    private(set) var other: OtherColumn?
    /// What 0 stands for in this row.
    private var same: Identifier?

    var type: String { "" }

    init(word isWord: Bool = false) { self.isWord = isWord }

    @inline(__always)
    init(unless other: OtherColumn, _ same: Identifier?) {
        self.other = other
        self.same = same
    }

    func plain(_ column: String) -> String { spelled(either(column)) }

    @inline(__always)
    func write(_ id: Identifier, to row: inout FieldWriter) {
        if id == same { row.add(0) } else { row.spell(id, isWord: isWord) }
    }

    func read(_ row: borrowing FieldReader) throws(LedgerError) -> Identifier? {
        guard row.isInteger else { return row.identifier }
        return row.integer == 0 ? same : row.unpacker?.spellings.identifier(row.integer)
    }
}

/// The word of an enumeration's case, such as a status, spelled.
extension CaseWords: Packing {
    var type: String { "" }
    func plain(_ column: String) -> String { spelled(column) }
    func write(_ value: Case, to row: inout FieldWriter) { row.spell(self[value], isWord: true) }
    func read(_ row: borrowing FieldReader) throws(LedgerError) -> Case? { try Spelled().read(row).flatMap(value) }
}

/// The letters of a currency, spelled.
struct CurrencyWord: Packing {
    var type: String { "" }
    func plain(_ column: String) -> String { spelled(column) }
    func write(_ value: Currency, to row: inout FieldWriter) { row.spell(value) }
    func read(_ row: borrowing FieldReader) throws(LedgerError) -> Currency? {
        row.isInteger ? row.unpacker?.spellings[row.integer]?.currency : Currency(row.text)
    }
}

/// A set of labels, spelled. A row without labels has NULL.
struct LabelsText: Packing {
    var type: String { "" }
    func plain(_ column: String) -> String { spelled(column) }
    func write(_ labels: LabelSet, to row: inout FieldWriter) { row.spell(labels) }
    func read(_ row: borrowing FieldReader) throws(LedgerError) -> LabelSet? {
        row.isInteger ? row.unpacker?.labels(row.integer) : LabelSet(text: row.text)
    }
}

/// The 16 bytes of a token.
struct TokenBlob: Packing {
    private(set) var other: OtherColumn?
    /// What 0 stands for in this row.
    private var same: Token?

    var type: String { "" }

    init() {}

    @inline(__always)
    init(unless other: OtherColumn, _ same: Token?) {
        self.other = other
        self.same = same
    }

    func plain(_ column: String) -> String {
        let value = either(column)
        let parts = [(1, 8), (9, 4), (13, 4), (17, 4), (21, 12)].map { "substr(hex(\(value)), \($0), \($1))" }
        return "CAST(CASE typeof(\(value)) WHEN 'blob' THEN lower(\(parts.joined(separator: " || '-' || "))) "
            + "ELSE \(value) END AS TEXT)"
    }

    @inline(__always)
    func write(_ token: Token, to row: inout FieldWriter) {
        if token == same { row.add(0) } else { row.add(token) }
    }

    func read(_ row: borrowing FieldReader) throws(LedgerError) -> Token? {
        if row.isInteger { return row.integer == 0 ? same : nil }
        return row.withBytes { Token(packed: $0) }
    }
}

/// An instant in a year with four digits: milliseconds since the midnight, in UTC, that begins the date of the row's
/// file. That takes four bytes in place of six.
struct SinceFile: Packing {
    func plain(_ column: String) -> String { column + " + ifnull(d.file_date, 0) * 86400000" }
    @inline(__always)
    func write(_ value: Instant, to row: inout FieldWriter) { row.add(value.milliseconds - row.midnight) }
    @inline(__always)
    func read(_ row: borrowing FieldReader) throws(LedgerError) -> Instant? {
        Instant(recorded: row.integer &+ row.midnight)
    }
}

/// A whole number in a range.
struct Number<Value: FixedWidthInteger>: Packing {
    private let range: ClosedRange<Int64>

    @inline(__always)
    init(_ range: ClosedRange<Int64> = .min ... .max) { self.range = range }

    @inline(__always)
    func write(_ value: Value, to row: inout FieldWriter) { row.add(Int64(value)) }
    @inline(__always)
    func read(_ row: borrowing FieldReader) throws(LedgerError) -> Value? {
        range.contains(row.integer) ? Value(exactly: row.integer) : nil
    }
}

extension Number<Int64> {
    /// The amount of a single row, in minor units or thousandths: sums then fit.
    static var amount: Self { Number(-1_000_000_000_000_000...1_000_000_000_000_000) }
}

/// The number that stands for a value: of an enumeration's case, a run or a case.
struct Code<Value: RawRepresentable>: Packing where Value.RawValue: FixedWidthInteger {
    private let constraint: StaticString

    @inline(__always)
    init(_ constraint: StaticString = "") { self.constraint = constraint }

    var type: String { "INTEGER \(constraint)" }
    @inline(__always)
    func write(_ value: Value, to row: inout FieldWriter) { row.add(Int64(value.rawValue)) }
    @inline(__always)
    func read(_ row: borrowing FieldReader) throws(LedgerError) -> Value? {
        Value.RawValue(exactly: row.integer).flatMap(Value.init)
    }
}

/// 1 or 0.
struct Flag: Packing {
    @inline(__always)
    func write(_ value: Bool, to row: inout FieldWriter) { row.add(value ? 1 : 0) }
    @inline(__always)
    func read(_ row: borrowing FieldReader) throws(LedgerError) -> Bool? { row.integer == 1 }
}

/// The text of an identifier that is not spelled: a spelling would outlast `prune`.
struct PlainText: Packing {
    var type: String { "TEXT" }
    func write(_ id: Identifier, to row: inout FieldWriter) { row.add(id) }
    func read(_ row: borrowing FieldReader) throws(LedgerError) -> Identifier? { row.identifier }
}

/// The 32 bytes of a digest.
struct DigestBlob: Packing {
    var type: String { "BLOB" }
    func write(_ value: Digest256, to row: inout FieldWriter) { row.add(value) }
    func read(_ row: borrowing FieldReader) throws(LedgerError) -> Digest256? {
        row.withBytes { $0.count == 32 ? Digest256(bytes: $0) : nil }
    }
}
