internal import Domain
internal import SQLite

/// Reads values as this program writes them. A damaged file may contain others: a value that the program never writes
/// is an error, and never a crash.
extension TableReader {
    func whole<Value>(_ value: Value?) throws(LedgerError) -> Value { try statement.whole(value) }

    func identifier(_ column: Column) -> Identifier? {
        isNull(column) ? nil : withText(column) { ledger.identifier($0, of: Int(column.rawValue)) }
    }

    func requiredIdentifier(_ column: Column) throws(LedgerError) -> Identifier { try whole(identifier(column)) }

    func requiredExceptionID(_ column: Column) throws(LedgerError) -> ExceptionID {
        try whole(withText(column) { ExceptionID(bytes: $0) })
    }

    /// An instant in a year with four digits. Nil for null.
    func instant(_ column: Column) throws(LedgerError) -> Instant? {
        guard let value = optionalInteger(column) else { return nil }
        return try whole(Instant(recorded: value))
    }

    func token(_ column: Column) -> Token? { isNull(column) ? nil : withText(column) { Token(bytes: $0) } }

    func currency(_ column: Column) -> Currency? { optionalText(column).flatMap { Currency($0) } }

    func requiredInt32(_ column: Column) throws(LedgerError) -> Int32 { try whole(Int32(exactly: integer(column))) }

    /// The price of one product, with its currency. Nil without a currency.
    func money(_ amount: Column, _ currency: Column) throws(LedgerError) -> Money? {
        guard let currency = self.currency(currency) else { return nil }
        let minor = integer(amount)
        return try whole(Money.isAmount(minor) ? Money(minor: minor, currency: currency) : nil)
    }

    /// A date in a year with four digits. Nil for null.
    func date(_ column: Column) throws(LedgerError) -> BusinessDate? {
        guard let value = optionalInteger(column) else { return nil }
        return try whole(BusinessDate(recorded: value))
    }

    func requiredDate(_ column: Column) throws(LedgerError) -> BusinessDate { try whole(try date(column)) }

    /// A case of an enumeration, by its number. Nil for null.
    func word<Word: RawRepresentable<UInt8>>(_ column: Column) throws(LedgerError) -> Word? {
        guard let value = optionalInteger(column) else { return nil }
        return try whole(UInt8(exactly: value).flatMap(Word.init))
    }

    func requiredWord<Word: RawRepresentable<UInt8>>(_ column: Column) throws(LedgerError) -> Word {
        try whole(try word(column))
    }
}

extension TableReader where Column: SourceColumn {
    /// Where the row came from.
    func source() throws(LedgerError) -> Provenance {
        Provenance(
            delivery: DeliveryID(try requiredInt32(.delivery)), line: try requiredInt32(.line),
            fileDate: try requiredDate(.fileDate))
    }
}

extension Statement {
    /// - Throws: `LedgerError.damaged` if the value is nil.
    func whole<Value>(_ value: Value?) throws(LedgerError) -> Value {
        guard let value else { throw .damaged("a row contains an impossible value") }
        return value
    }
}

extension Money {
    /// Whether a single row may state this amount, in minor units or thousandths: sums then fit.
    static func isAmount(_ value: Int64) -> Bool { value.magnitude <= 1_000_000_000_000_000 }
}

extension Instant {
    /// Nil for an instant that is not in a year with four digits.
    init?(recorded milliseconds: Int64) {
        guard -62_135_596_800_000..<253_402_300_800_000 ~= milliseconds else { return nil }
        self.init(milliseconds: milliseconds)
    }
}

extension BusinessDate {
    /// Nil for a date that is not in a year with four digits.
    init?(recorded day: Int64) {
        guard -719_162...2_932_896 ~= day else { return nil }
        self.init(day: Int32(day))
    }

    /// The date's first instant in UTC, in milliseconds since 1970.
    var midnight: Int64 { Int64(day) * 86_400_000 }
}
