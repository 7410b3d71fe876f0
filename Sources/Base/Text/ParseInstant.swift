extension Parse {
    /// The range of instants. Anything else is a wrong unit or a broken clock.
    static let earliest: Int64 = 0  // 1970-01-01T00:00:00Z
    static let latest: Int64 = 7_289_654_399_999  // 2200-12-31T23:59:59.999Z

    /// Numbers from here on are milliseconds, smaller ones seconds: the limit is in 1973 as the one and in 5138 as the
    /// other.
    static let firstMilliseconds: UInt64 = 100_000_000_000

    /// An instant of the years 1970–2200: ISO 8601 with an offset, a local time in `zone` without one, or a whole
    /// number of seconds or milliseconds since 1970.
    ///
    /// Also as Excel writes it: `2026/11/19 9:59`, with or without seconds; and with `Z`, `UTC` or the offset after a blank.
    ///
    /// Date and time are separated by `T` or a blank. Seconds and a fraction are optional; the fraction is truncated to
    /// milliseconds. Nil also for dates and times that do not exist (30 February, second 60).
    public static func instant(_ bytes: UnsafeRawBufferPointer, zone: Zone) -> Instant? {
        guard bytes.count > 10 else { return epoch(bytes) }
        switch bytes[4] {
        case UInt8(ascii: "-"): return calendar(bytes, zone: zone)
        case UInt8(ascii: "/"): return withSlashes(bytes, zone: zone)
        default: return epoch(bytes)
        }
    }

    /// An instant of the years 1970–2200 as a whole number of seconds or milliseconds since 1970.
    public static func epoch(_ bytes: UnsafeRawBufferPointer) -> Instant? {
        guard let number = integer(bytes) else { return nil }
        // Checked first, so that the product cannot overflow.
        let milliseconds = number.magnitude < firstMilliseconds ? number * 1000 : number
        return earliest...latest ~= milliseconds ? Instant(milliseconds: milliseconds) : nil
    }

    /// A date as `2025-11-18`, or as Excel writes it: `2025/11/18`, `2025/1/8`.
    public static func date(_ bytes: UnsafeRawBufferPointer) -> BusinessDate? {
        if bytes.count > 4, bytes[4] == UInt8(ascii: "/") {
            return dateWithSlashes(bytes).flatMap { $0.end == bytes.count ? $0.date : nil }
        }
        return BusinessDate(String(decoding: bytes, as: UTF8.self))
    }

    /// The date at the beginning, and the index where it ends.
    private static func dateWithSlashes(_ bytes: UnsafeRawBufferPointer) -> (date: BusinessDate, end: Int)? {
        guard let century = pair(bytes, 0), let year = pair(bytes, 2),
            let month = short(bytes, 5), month.end < bytes.count, bytes[month.end] == UInt8(ascii: "/"),
            let day = short(bytes, month.end + 1),
            let date = BusinessDate(year: century * 100 + year, month: month.number, day: day.number)
        else { return nil }
        return (date, day.end)
    }

    /// Rewrites `2026/11/19 9:59` to the form with all digits, and reads that.
    private static func withSlashes(_ bytes: UnsafeRawBufferPointer, zone: Zone) -> Instant? {
        guard let (date, end) = dateWithSlashes(bytes), end < bytes.count, bytes[end] == UInt8(ascii: " "),
            let hour = short(bytes, end + 1), hour.end < bytes.count, bytes[hour.end] == UInt8(ascii: ":")
        else { return nil }
        var text = Array((date.text + (hour.end == end + 2 ? " 0" : " ")).utf8)
        text += bytes[(end + 1)...]
        return text.withUnsafeBytes { calendar($0, zone: zone) }
    }

    /// The number of one or two digits at `offset`, and the index where it ends.
    private static func short(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> (number: Int, end: Int)? {
        if let number = pair(bytes, offset) { return (number, offset + 2) }
        guard offset < bytes.count, case let digit = bytes[offset] &- 0x30, digit <= 9 else { return nil }
        return (Int(digit), offset + 1)
    }

    private static func calendar(_ bytes: UnsafeRawBufferPointer, zone: Zone) -> Instant? {
        guard let (local, end) = localTime(bytes) else { return nil }
        return instant(local: local, followedBy: bytes.part(end, bytes.count), zone: zone)
    }

    /// The instant of a local time.
    /// - Parameters:
    ///   - local: milliseconds since 1970 in that zone.
    ///   - rest: the text after the time: empty, or an offset from UTC.
    @inline(__always)
    static func instant(local: Int64, followedBy rest: UnsafeRawBufferPointer, zone: Zone) -> Instant? {
        let instant =
            rest.isEmpty
            ? zone.instant(local: local)
            : offset(rest).map { Instant(milliseconds: local - $0) }
        guard let instant, earliest...latest ~= instant.milliseconds else { return nil }
        return instant
    }

    /// The date and time at the beginning, in milliseconds as if in UTC, and the index where they end.
    private static func localTime(_ bytes: UnsafeRawBufferPointer) -> (milliseconds: Int64, end: Int)? {
        guard bytes.count >= 16, bytes[7] == UInt8(ascii: "-"), bytes[13] == UInt8(ascii: ":"),
            bytes[10] == UInt8(ascii: "T") || bytes[10] == UInt8(ascii: " "),
            let century = pair(bytes, 0), let year = pair(bytes, 2), let month = pair(bytes, 5),
            let day = pair(bytes, 8), let hour = pair(bytes, 11), let minute = pair(bytes, 14),
            let date = BusinessDate(year: century * 100 + year, month: month, day: day), hour < 24, minute < 60
        else { return nil }
        var milliseconds = Int64(date.day) * 86_400_000 + Int64(hour * 60 + minute) * 60_000
        guard bytes.count > 16, bytes[16] == UInt8(ascii: ":") else { return (milliseconds, 16) }
        guard let second = pair(bytes, 17), second < 60 else { return nil }
        milliseconds += Int64(second) * 1000
        guard bytes.count > 19, bytes[19] == UInt8(ascii: ".") else { return (milliseconds, 19) }
        var end = 20
        var unit: Int64 = 100
        while end < bytes.count, case let digit = bytes[end] &- 0x30, digit <= 9 {
            milliseconds += Int64(digit) * unit
            unit /= 10
            end += 1
        }
        return end > 20 ? (milliseconds, end) : nil
    }

    /// The offset from UTC in milliseconds, positive to the east: `Z`, `UTC`, `±hh`, `±hhmm` or `±hh:mm`, also after a
    /// blank.
    private static func offset(_ bytes: UnsafeRawBufferPointer) -> Int64? {
        if bytes.isEqual(to: "Z") { return 0 }
        if bytes[0] == UInt8(ascii: " "), bytes.count > 1 {
            let rest = bytes.part(1, bytes.count)
            return rest[0] == UInt8(ascii: " ") ? nil : rest.isEqual(to: "UTC") ? 0 : offset(rest)
        }
        guard let sign = bytes.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
            let hours = pair(bytes, 1), hours < 24
        else { return nil }
        var minutes: Int? = 0
        switch bytes.count {
        case 3: break
        case 5: minutes = pair(bytes, 3)
        case 6 where bytes[3] == UInt8(ascii: ":"): minutes = pair(bytes, 4)
        default: return nil
        }
        guard let minutes, minutes < 60 else { return nil }
        let magnitude = Int64(hours * 60 + minutes) * 60_000
        return sign == UInt8(ascii: "-") ? -magnitude : magnitude
    }

    /// The number formed by the two digits at `offset`.
    @inline(__always)
    private static func pair(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> Int? {
        guard offset + 2 <= bytes.count else { return nil }
        let tens = bytes[offset] &- 0x30
        let ones = bytes[offset + 1] &- 0x30
        return tens <= 9 && ones <= 9 ? Int(tens * 10 + ones) : nil
    }
}
