import Domain

/// The bytes of one line while it is written.
///
/// Nothing is quoted: the generated texts hold no comma, quote, backslash or line end.
struct RowText {
    /// What was written.
    private(set) var bytes: [UInt8] = []

    /// A line without text.
    init() {}

    /// Begins another line.
    mutating func begin() { bytes.removeAll(keepingCapacity: true) }

    /// Adds a text as it is.
    mutating func text(_ text: String) { bytes.append(contentsOf: text.utf8) }

    /// Decimal, with leading zeros up to `width` digits.
    mutating func number(_ number: Int64, width: Int = 1) {
        var digits: UInt64 = number.magnitude
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        let start = bytes.count
        repeat {
            bytes.append(0x30 + UInt8(digits % 10))
            digits /= 10
        } while digits > 0 || bytes.count - start < width
        bytes[start...].reverse()
    }

    /// `2025-11-18T15:59:50.123Z`, from milliseconds since 1970.
    mutating func instant(_ milliseconds: Int64) {
        date(milliseconds)
        text(".")
        number(milliseconds - milliseconds.flooredDivision(by: 1000) * 1000, width: 3)
        text("Z")
    }

    private mutating func date(_ milliseconds: Int64) {
        let days = milliseconds.flooredDivision(by: 86_400_000)
        let (year, month, day) = BusinessDate(day: Int32(days)).yearMonthDay
        let second = milliseconds.flooredDivision(by: 1000) - days * 86_400
        number(Int64(year), width: 4)
        text("-")
        number(Int64(month), width: 2)
        text("-")
        number(Int64(day), width: 2)
        text("T")
        number(second / 3600, width: 2)
        text(":")
        number(second / 60 % 60, width: 2)
        text(":")
        number(second % 60, width: 2)
    }

    /// Lower case, grouped 8-4-4-4-12.
    mutating func token(_ token: Token) {
        let start = bytes.count
        bytes.append(contentsOf: repeatElement(0, count: 36))
        bytes.withUnsafeMutableBytes { token.write(into: UnsafeMutableRawBufferPointer(rebasing: $0[start...])) }
    }

    /// Ends the line.
    mutating func end() { bytes.append(UInt8(ascii: "\n")) }
}
