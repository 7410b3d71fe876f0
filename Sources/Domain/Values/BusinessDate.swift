/// A calendar day without a time zone: the number of days since 1970-01-01 in the proleptic Gregorian calendar.
@frozen
public struct BusinessDate: Hashable, Comparable, Sendable {
    /// Days since 1970-01-01; negative before it.
    public var day: Int32

    @inlinable
    public init(day: Int32) { self.day = day }

    @inlinable
    public static func < (left: BusinessDate, right: BusinessDate) -> Bool { left.day < right.day }

    /// Nil for a day that the calendar does not have, such as 30 February.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...12).contains(month), day >= 1, day <= Self.days(inMonth: month, of: year) else { return nil }
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        self.init(day: Int32(era * 146_097 + dayOfEra - 719_468))
    }

    /// From `YYYY-MM-DD`; nil for any other form and for days that the calendar does not have.
    public init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-") else { return nil }
        func number(_ range: Range<Int>) -> Int? {
            var value = 0
            for byte in bytes[range] {
                guard byte >= 0x30, byte <= 0x39 else { return nil }
                value = value * 10 + Int(byte - 0x30)
            }
            return value
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10) else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// The calendar's year, month (1–12) and day of the month (1–31).
    public var yearMonthDay: (year: Int, month: Int, day: Int) {
        let shifted = Int(day) + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    /// `YYYY-MM-DD`.
    public var text: String {
        let (year, month, day) = yearMonthDay
        guard 0...9999 ~= year else { return padded(year, 4) + "-" + padded(month, 2) + "-" + padded(day, 2) }
        return String(unsafeUninitializedCapacity: 10) { memory in
            let bytes = UnsafeMutableRawBufferPointer(memory)
            bytes.write(UInt64(year), digits: 4, at: 0)
            memory[4] = UInt8(ascii: "-")
            bytes.write(UInt64(month), digits: 2, at: 5)
            memory[7] = UInt8(ascii: "-")
            bytes.write(UInt64(day), digits: 2, at: 8)
            return 10
        }
    }

    /// `YYYY-MM`.
    public var month: String { String(text.prefix(7)) }

    /// The date `days` later; earlier for a negative number.
    public func advanced(by days: Int) -> BusinessDate { BusinessDate(day: day + Int32(days)) }

    /// 28 to 31.
    static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

extension BusinessDate: HasSentinel {
    @inlinable public static var absent: BusinessDate { BusinessDate(day: .min) }
}

/// As `YYYY-MM-DD`.
extension BusinessDate: TextCodable {
    public init?(text: String) { self.init(text) }
}
