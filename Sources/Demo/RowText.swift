internal import Domain

/// The bytes of one line while it is written.
///
/// Nothing is quoted: the sample's texts hold no comma, quote, backslash or line end.
struct RowText {
    private(set) var bytes: [UInt8] = []

    mutating func begin() { bytes.removeAll(keepingCapacity: true) }

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

    mutating func end() { bytes.append(UInt8(ascii: "\n")) }
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
            let local = instant.milliseconds + SampleCalendar.zone.offset(at: instant)
            let (year, month, day) = BusinessDate(day: Int32(local.flooredDivision(by: 86_400_000))).yearMonthDay
            let second = local.flooredDivision(by: 1000) - local.flooredDivision(by: 86_400_000) * 86_400
            let parts: [(Int64, Int, String)] = [
                (Int64(year), 4, "-"), (Int64(month), 2, "-"), (Int64(day), 2, " "), (second / 3600, 2, ":"),
                (second / 60 % 60, 2, ":"), (second % 60, 2, ""),
            ]
            for (value, width, separator) in parts {
                number(value, width: width)
                text(separator)
            }
        }
        bytes.append(UInt8(ascii: ","))
    }

    /// Ends a line of fields: a line end replaces the last comma.
    mutating func endFields() { bytes[bytes.count - 1] = UInt8(ascii: "\n") }
}

/// As members of a JSON object.
extension RowText {
    mutating func member(_ key: String, _ value: String?) {
        guard let value else { return }
        name(key)
        text("\"")
        text(value)
        text("\"")
    }

    mutating func member(_ key: String, _ value: Int64?) {
        guard let value else { return }
        name(key)
        number(value)
    }

    private mutating func name(_ key: String) {
        if bytes.last != UInt8(ascii: "{") { text(",") }
        text("\"")
        text(key)
        text("\":")
    }
}
