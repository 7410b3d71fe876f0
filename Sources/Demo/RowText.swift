internal import Base
public import Domain

/// The bytes of one line while it is written.
///
/// Nothing is quoted: the sample's texts hold no comma, quote, backslash or line end.
public struct RowText {
    /// What was written.
    public private(set) var bytes: [UInt8] = []

    /// A line without text.
    public init() {}

    /// Begins another line.
    public mutating func begin() { bytes.removeAll(keepingCapacity: true) }

    /// Adds a text as it is.
    public mutating func text(_ text: String) { bytes.append(contentsOf: text.utf8) }

    /// Decimal, with leading zeros up to `width` digits.
    public mutating func number(_ number: Int64, width: Int = 1) {
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
    public mutating func instant(_ milliseconds: Int64) {
        date(milliseconds, separator: "T")
        text(".")
        number(milliseconds - milliseconds.flooredDivision(by: 1000) * 1000, width: 3)
        text("Z")
    }

    /// `2025-11-18 15:59:50` with another separator, from milliseconds since 1970 on the clock shown.
    fileprivate mutating func date(_ milliseconds: Int64, separator: String) {
        let days = milliseconds.flooredDivision(by: 86_400_000)
        let (year, month, day) = BusinessDate(day: Int32(days)).yearMonthDay
        let second = milliseconds.flooredDivision(by: 1000) - days * 86_400
        number(Int64(year), width: 4)
        text("-")
        number(Int64(month), width: 2)
        text("-")
        number(Int64(day), width: 2)
        text(separator)
        number(second / 3600, width: 2)
        text(":")
        number(second / 60 % 60, width: 2)
        text(":")
        number(second % 60, width: 2)
    }

    /// Lower case, grouped 8-4-4-4-12.
    public mutating func token(_ token: Token) {
        let start = bytes.count
        bytes.append(contentsOf: repeatElement(0, count: 36))
        bytes.withUnsafeMutableBytes { token.write(into: UnsafeMutableRawBufferPointer(rebasing: $0[start...])) }
    }

    /// Ends the line.
    public mutating func end() { bytes.append(UInt8(ascii: "\n")) }
}

/// As CSV.
extension RowText {
    /// A field and the comma after it. A missing value is only the comma.
    mutating func field(_ value: String?) {
        if let value { text(value) }
        bytes.append(UInt8(ascii: ","))
    }

    mutating func field(_ value: Identifier?) { field(value?.text) }

    mutating func field(_ value: Int32?) { field(value.map { String($0) }) }

    mutating func field(_ money: Money?) {
        field(money?.text)
        field(money?.currency.text)
    }

    /// `2025-11-18 23:59:50`, the backend's local time.
    mutating func field(_ instant: Instant?) {
        if let instant {
            date(instant.milliseconds + SampleCalendar.zone.offset(at: instant), separator: " ")
        }
        bytes.append(UInt8(ascii: ","))
    }

    /// Ends a line of fields: a line end replaces the last comma.
    mutating func endFields() { bytes[bytes.count - 1] = UInt8(ascii: "\n") }
}

/// As JSON.
extension RowText {
    mutating func object(_ members: (inout JSONWriter) -> Void) {
        var json = JSONWriter(escaping: .required)
        json.object(members)
        bytes.append(contentsOf: json.bytes)
    }
}
