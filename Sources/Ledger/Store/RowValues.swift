internal import Domain
internal import SQLite

/// Values of a ledger's rows, as this program writes them. A damaged file holds others: what nobody writes is an error,
/// never a crash.
extension Statement {
    /// - Throws: `LedgerError.damaged` where there is no value.
    func whole<Value>(_ value: Value?) throws(LedgerError) -> Value {
        guard let value else { throw .damaged("a row contains an impossible value") }
        return value
    }

    func identifier(_ column: Int32) -> Identifier? {
        isNull(column) ? nil : withText(column) { Identifier(bytes: $0) }
    }

    func requiredIdentifier(_ column: Int32) throws(LedgerError) -> Identifier { try whole(identifier(column)) }

    /// Of the years that are written with four digits.
    func instant(_ column: Int32) throws(LedgerError) -> Instant? {
        guard let value = optionalInteger(column) else { return nil }
        return try whole(-62_135_596_800_000..<253_402_300_800_000 ~= value ? Instant(milliseconds: value) : nil)
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

    /// Of a purchase, order or credit: as many as a feed may say.
    func quantity(_ column: Int32) throws(LedgerError) -> Int32? {
        guard let value = optionalInteger(column) else { return nil }
        return try whole(1...1_000_000 ~= value ? Int32(value) : nil)
    }

    func requiredQuantity(_ column: Int32) throws(LedgerError) -> Int32 { try whole(quantity(column)) }

    /// An amount of a single row, in minor units or thousandths: at most what a feed may say, so that sums fit.
    func amount(_ column: Int32) throws(LedgerError) -> Int64 {
        let value = integer(column)
        return try whole(value.magnitude <= 1_000_000_000_000_000 ? value : nil)
    }

    /// An amount and the currency in the column behind it.
    func money(_ column: Int32) throws(LedgerError) -> Money? {
        guard let currency = currency(column + 1) else { return nil }
        return Money(minor: try amount(column), currency: currency)
    }

    /// Of the years that are written with four digits.
    func date(_ column: Int32) throws(LedgerError) -> BusinessDate? {
        guard let value = optionalInteger(column) else { return nil }
        return try whole(-719_162...2_932_896 ~= value ? BusinessDate(day: Int32(value)) : nil)
    }

    func requiredDate(_ column: Int32) throws(LedgerError) -> BusinessDate { try whole(date(column)) }

    /// One of a few, by its number.
    func word<Word: RawRepresentable<UInt8>>(_ column: Int32) throws(LedgerError) -> Word? {
        guard let value = optionalInteger(column) else { return nil }
        return try whole(UInt8(exactly: value).flatMap(Word.init))
    }

    func requiredWord<Word: RawRepresentable<UInt8>>(_ column: Int32) throws(LedgerError) -> Word {
        try whole(word(column))
    }

    /// Where a piece of evidence was delivered: three columns from `first` on.
    func source(from first: Int32) throws(LedgerError) -> Provenance {
        Provenance(
            delivery: try requiredInt32(first), line: try requiredInt32(first + 1),
            fileDate: try requiredDate(first + 2))
    }
}
