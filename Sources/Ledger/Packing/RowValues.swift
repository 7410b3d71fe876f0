// Values as this program writes them. A damaged file may contain others: a value that the program never writes is an
// error, and never a crash.

extension Statement {
    /// - Throws: `LedgerError.damaged` if the value is nil.
    func whole<Value>(_ value: Value?) throws(LedgerError) -> Value {
        guard let value else { throw .damaged("a row contains an impossible value") }
        return value
    }

    func identifier(_ column: Int32) -> Identifier { withText(column) { Identifier(bytes: $0) } }

    func exceptionID(_ column: Int32) throws(LedgerError) -> ExceptionID {
        try whole(withText(column) { ExceptionID(bytes: $0) })
    }

    func delivery(_ column: Int32) throws(LedgerError) -> DeliveryID {
        DeliveryID(try whole(Int32(exactly: integer(column))))
    }

    func date(_ column: Int32) throws(LedgerError) -> BusinessDate {
        try whole(BusinessDate(recorded: integer(column)))
    }
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
