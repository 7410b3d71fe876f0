internal import Domain
internal import SQLite

/// Reads values as this program writes them. A damaged file may contain others: a value that the program never writes
/// is an error, and never a crash.
extension Statement {
    /// - Throws: `LedgerError.damaged` if the value is nil.
    func whole<Value>(_ value: Value?) throws(LedgerError) -> Value {
        guard let value else { throw .damaged("a row contains an impossible value") }
        return value
    }

    func identifier(_ column: Int32) -> Identifier? {
        isNull(column) ? nil : withText(column) { Identifier(bytes: $0) }
    }

    func requiredIdentifier(_ column: Int32) throws(LedgerError) -> Identifier { try whole(identifier(column)) }

    func requiredExceptionID(_ column: Int32) throws(LedgerError) -> ExceptionID {
        try whole(withText(column) { ExceptionID(bytes: $0) })
    }

    /// An instant in a year with four digits. Nil for null.
    func instant(_ column: Int32) throws(LedgerError) -> Instant? {
        guard let value = optionalInteger(column) else { return nil }
        return try whole(Instant(recorded: value))
    }

    func requiredInstant(_ column: Int32) throws(LedgerError) -> Instant { try whole(try instant(column)) }

    func token(_ column: Int32) -> Token? { isNull(column) ? nil : withText(column) { Token(bytes: $0) } }

    func currency(_ column: Int32) -> Currency? { optionalText(column).flatMap { Currency($0) } }

    func requiredDigest(_ column: Int32) throws(LedgerError) -> Digest256 {
        let bytes = blob(column)
        return try whole(bytes.count == 32 ? Digest256(bytes: bytes) : nil)
    }

    func int32(_ column: Int32) throws(LedgerError) -> Int32? {
        guard let value = optionalInteger(column) else { return nil }
        return try whole(Int32(exactly: value))
    }

    func requiredInt32(_ column: Int32) throws(LedgerError) -> Int32 { try whole(int32(column)) }

    /// The quantity of a purchase, order or credit: from 1 to the highest that a feed may state. Nil for null.
    func quantity(_ column: Int32) throws(LedgerError) -> Int32? {
        guard let value = optionalInteger(column) else { return nil }
        return try whole(1...1_000_000 ~= value ? Int32(value) : nil)
    }

    func requiredQuantity(_ column: Int32) throws(LedgerError) -> Int32 { try whole(quantity(column)) }

    /// The amount of a single row, in minor units or thousandths. It is at most what a feed may state, so that sums
    /// fit.
    func amount(_ column: Int32) throws(LedgerError) -> Int64 {
        let value = integer(column)
        return try whole(value.magnitude <= 1_000_000_000_000_000 ? value : nil)
    }

    /// An amount, and the currency in the next column. Nil without a currency.
    func money(_ column: Int32) throws(LedgerError) -> Money? {
        guard let currency = currency(column + 1) else { return nil }
        return Money(minor: try amount(column), currency: currency)
    }

    /// A date in a year with four digits. Nil for null.
    func date(_ column: Int32) throws(LedgerError) -> BusinessDate? {
        guard let value = optionalInteger(column) else { return nil }
        return try whole(-719_162...2_932_896 ~= value ? BusinessDate(day: Int32(value)) : nil)
    }

    func requiredDate(_ column: Int32) throws(LedgerError) -> BusinessDate { try whole(date(column)) }

    /// A case of an enumeration, by its number. Nil for null.
    func word<Word: RawRepresentable<UInt8>>(_ column: Int32) throws(LedgerError) -> Word? {
        guard let value = optionalInteger(column) else { return nil }
        return try whole(UInt8(exactly: value).flatMap(Word.init))
    }

    func requiredWord<Word: RawRepresentable<UInt8>>(_ column: Int32) throws(LedgerError) -> Word {
        try whole(word(column))
    }
}

extension Instant {
    /// Nil for an instant that is not in a year with four digits.
    init?(recorded milliseconds: Int64) {
        guard -62_135_596_800_000..<253_402_300_800_000 ~= milliseconds else { return nil }
        self.init(milliseconds: milliseconds)
    }

    /// What a packed row stores for an instant: the milliseconds since its file's date began, in UTC.
    func packed(_ source: Provenance) -> Int64 { milliseconds - source.fileDate.midnight }
}

extension BusinessDate {
    /// The date's first instant in UTC, in milliseconds since 1970.
    var midnight: Int64 { Int64(day) * 86_400_000 }
}
