/// A moment in time: milliseconds since 1970-01-01T00:00:00Z. As in POSIX, leap seconds do not exist.
@frozen
public struct Instant: Hashable, Comparable, Sendable {
    /// Milliseconds since 1970, UTC; negative before it.
    public var milliseconds: Int64

    @inlinable
    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// Nothing was bought in the App Store before it opened.
    public static let appStoreOpening = Instant(milliseconds: 1_215_648_000_000)

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

extension Instant {
    /// ISO 8601 in UTC, with milliseconds only where they are not zero: `2025-11-18T03:04:05Z`, `…05.250Z`.
    public var text: String {
        let day = milliseconds.flooredDivision(by: 86_400_000)
        let rest = Int(milliseconds &- day &* 86_400_000)
        let date = BusinessDate(day: Int32(clamping: day)).yearMonthDay
        // Real data has no other years; a failing test may print them.
        let year = min(max(0, date.year), 9999)
        return String(unsafeUninitializedCapacity: 24) { memory in
            var end = 0
            func add(_ number: Int, _ digits: Int, then sign: Unicode.Scalar) {
                UnsafeMutableRawBufferPointer(memory).write(UInt64(number), digits: digits, at: end)
                memory[end + digits] = UInt8(ascii: sign)
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

/// As milliseconds since 1970, UTC.
extension Instant: Codable {
    public init(from decoder: any Decoder) throws {
        self.init(milliseconds: try decoder.singleValueContainer().decode(Int64.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(milliseconds)
    }
}

extension Instant: CustomStringConvertible {
    public var description: String { text }
}

extension Int64 {
    /// The quotient rounded toward minus infinity, so that instants before 1970 fall into the right day.
    public func flooredDivision(by divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }
}
