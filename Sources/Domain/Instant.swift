/// A moment: milliseconds since 1970-01-01T00:00:00Z. Leap seconds do not exist here, as in POSIX.
@frozen
public struct Instant: Hashable, Comparable, Sendable {
    public var milliseconds: Int64

    @inlinable
    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    @inlinable
    public static func < (left: Instant, right: Instant) -> Bool { left.milliseconds < right.milliseconds }
    @inlinable
    public static func + (instant: Instant, duration: Milliseconds) -> Instant {
        Instant(milliseconds: instant.milliseconds + duration.count)
    }
    @inlinable
    public static func - (left: Instant, right: Instant) -> Milliseconds {
        Milliseconds(left.milliseconds - right.milliseconds)
    }
}

extension Instant: HasSentinel {
    @inlinable public static var absent: Instant { Instant(milliseconds: .min) }
}

/// A length of time.
@frozen
public struct Milliseconds: Hashable, Comparable, Sendable {
    public var count: Int64
    @inlinable
    public init(_ count: Int64) { self.count = count }
    public static func minutes(_ count: Int64) -> Milliseconds { Milliseconds(count * 60_000) }
    public static func hours(_ count: Int64) -> Milliseconds { minutes(count * 60) }
    public static func days(_ count: Int64) -> Milliseconds { hours(count * 24) }
    @inlinable
    public static func < (left: Milliseconds, right: Milliseconds) -> Bool { left.count < right.count }
}

/// A calendar day of no particular time zone: days since 1970-01-01 in the proleptic Gregorian calendar.
@frozen
public struct BusinessDate: Hashable, Comparable, Sendable {
    public var day: Int32

    @inlinable
    public init(day: Int32) { self.day = day }

    @inlinable
    public static func < (left: BusinessDate, right: BusinessDate) -> Bool { left.day < right.day }

    /// Nil where there is no such day (30 February).
    public init?(year: Int, month: Int, day: Int) {
        guard (1...12).contains(month), day >= 1, day <= Self.days(inMonth: month, of: year) else { return nil }
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        self.init(day: Int32(era * 146_097 + dayOfEra - 719_468))
    }

    /// `YYYY-MM-DD`, nothing else.
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
        return padded(year, 4) + "-" + padded(month, 2) + "-" + padded(day, 2)
    }

    /// `YYYY-MM`.
    public var month: String { String(text.prefix(7)) }

    public func advanced(by days: Int) -> BusinessDate { BusinessDate(day: day + Int32(days)) }

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

extension BusinessDate: CustomStringConvertible {
    public var description: String { text }
}

/// The number in decimal, with zeros in front up to `width` digits.
public func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(abs(number))
    return (number < 0 ? "-" : "") + String(repeating: "0", count: max(0, width - digits.count)) + digits
}

extension Instant {
    /// ISO 8601 in UTC with milliseconds only where there are some: `2025-11-18T03:04:05Z`, `…05.250Z`.
    public var text: String {
        let day = milliseconds.flooredDivision(by: 86_400_000)
        let rest = Int(milliseconds &- day &* 86_400_000)
        let date = BusinessDate(day: Int32(clamping: day)).yearMonthDay
        // No clock shows other years; a failing test prints them.
        let year = min(max(0, date.year), 9999)
        return String(unsafeUninitializedCapacity: 24) { memory in
            var end = 0
            func add(_ number: Int, _ digits: Int, then sign: Unicode.Scalar) {
                let place = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(memory)[end...])
                IdentifierTable.write(UInt64(number), place, digits: digits)
                place[digits] = UInt8(ascii: sign)
                end += digits + 1
            }
            add(year, 4, then: "-")
            add(date.month, 2, then: "-")
            add(date.day, 2, then: "T")
            add(rest / 3_600_000, 2, then: ":")
            add(rest / 60_000 % 60, 2, then: ":")
            add(rest / 1000 % 60, 2, then: rest % 1000 == 0 ? "Z" : ".")
            if rest % 1000 != 0 { add(rest % 1000, 3, then: "Z") }
            return end
        }
    }
}

extension Instant: CustomStringConvertible {
    public var description: String { text }
}

extension Int64 {
    /// Rounded toward minus infinity, so that instants before 1970 fall into the right day.
    public func flooredDivision(by divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }
}
