// How values are stored in tables that are not packed.

/// A text as it is.
struct Verbatim: Packing {
    var type: String { "TEXT" }
    func write(_ value: String, to row: inout FieldWriter) { row.add(value) }
    func read(_ row: borrowing FieldReader) throws(LedgerError) -> String? { row.text }
}

struct Blob: Packing {
    var type: String { "BLOB" }
    func write(_ value: [UInt8], to row: inout FieldWriter) { row.add(value) }
    func read(_ row: borrowing FieldReader) throws(LedgerError) -> [UInt8]? { row.bytes }
}

/// The word of an enumeration's case.
struct Word<Value: RawRepresentable<String>>: Packing {
    var type: String { "TEXT" }
    func write(_ value: Value, to row: inout FieldWriter) { row.add(value.rawValue) }
    func read(_ row: borrowing FieldReader) throws(LedgerError) -> Value? { Value(rawValue: row.text) }
}

/// The same, where many rows are read: identifiers are compared, not texts.
struct PlainWord<Value: Equatable & Sendable>: Packing {
    private let words: CaseWords<Value>
    init(_ words: CaseWords<Value>) { self.words = words }

    var type: String { "TEXT" }
    func write(_ value: Value, to row: inout FieldWriter) { row.add(words[value]) }
    func read(_ row: borrowing FieldReader) throws(LedgerError) -> Value? { row.identifier.flatMap(words.value) }
}

struct CurrencyText: Packing {
    var type: String { "TEXT" }
    func write(_ value: Currency, to row: inout FieldWriter) { row.add(value) }
    func read(_ row: borrowing FieldReader) throws(LedgerError) -> Currency? { Currency(row.text) }
}

/// The one spelling of an exception's id, or of a date: `2025-11-18`.
struct TextOf<Value: TextCodable>: Packing {
    var constraint: StaticString?
    var type: String { constraint.map { "TEXT \($0)" } ?? "TEXT" }
    func write(_ value: Value, to row: inout FieldWriter) { row.add(value.text) }
    func read(_ row: borrowing FieldReader) throws(LedgerError) -> Value? { Value(text: row.text) }
}

/// An instant in a year with four digits: milliseconds since 1970.
struct Since1970: Packing {
    func write(_ value: Instant, to row: inout FieldWriter) { row.add(value.milliseconds) }
    func read(_ row: borrowing FieldReader) throws(LedgerError) -> Instant? { Instant(recorded: row.integer) }
}

/// A date in a year with four digits: days since 1970.
struct Days: Packing {
    func write(_ value: BusinessDate, to row: inout FieldWriter) { row.add(Int64(value.day)) }
    func read(_ row: borrowing FieldReader) throws(LedgerError) -> BusinessDate? {
        BusinessDate(recorded: row.integer)
    }
}
