internal import Foundation

/// A time zone's offsets, read from the system once, so that converting a date takes a search and no lock.
///
/// It decides only which business date and month an instant falls into, and what a time written without an offset
/// means.
public struct Zone: Sendable {
    /// The zone's name in the IANA database: `Asia/Shanghai`.
    public let name: String
    /// The instants in milliseconds from which each offset holds, ascending. The first offset holds from the beginning.
    private let starts: [Int64]
    /// Milliseconds east of Greenwich.
    private let offsets: [Int64]

    /// Nil if the system does not know the zone. Offsets are known up to the year 2100.
    public init?(_ name: String) {
        guard let zone = TimeZone(identifier: name) else { return nil }
        self.name = name
        var starts = [Int64.min]
        let first = Date(timeIntervalSince1970: 0)
        var offsets = [Int64(zone.secondsFromGMT(for: first)) * 1000]
        var moment = first
        let last = Date(timeIntervalSince1970: 4_102_444_800)  // 2100-01-01
        while let next = zone.nextDaylightSavingTimeTransition(after: moment), next < last {
            starts.append(Int64(next.timeIntervalSince1970 * 1000))
            offsets.append(Int64(zone.secondsFromGMT(for: next)) * 1000)
            moment = next
        }
        self.starts = starts
        self.offsets = offsets
    }

    /// Coordinated universal time.
    public static let utc = Zone("UTC")!

    /// Milliseconds east of Greenwich at `instant`.
    public func offset(at instant: Instant) -> Int64 {
        if offsets.count == 1 { return offsets[0] }
        return offsets[max(0, starts.partitioningIndex { $0 > instant.milliseconds } - 1)]
    }

    /// The calendar day that `instant` falls on in this zone.
    public func date(of instant: Instant) -> BusinessDate {
        let local = instant.milliseconds &+ offset(at: instant)
        return BusinessDate(day: Int32(clamping: local.flooredDivision(by: 86_400_000)))
    }

    /// The hour that clocks in this zone show, 0 to 23.
    public func hour(of instant: Instant) -> Int {
        let hours = (instant.milliseconds &+ offset(at: instant)).flooredDivision(by: 3_600_000)
        return Int(hours - hours.flooredDivision(by: 24) * 24)
    }

    /// The instant at which clocks in this zone show `local`, given as the milliseconds since 1970 that would be right
    /// in UTC.
    ///
    /// A time that occurs twice (when clocks are set back) means the first occurrence. A time that does not occur (when
    /// clocks are set forward) is read with the offset before the change.
    public func instant(local: Int64) -> Instant {
        let before = offset(at: Instant(milliseconds: local - 86_400_000))
        let candidate = Instant(milliseconds: local - before)
        if offset(at: candidate) == before { return candidate }
        let after = offset(at: Instant(milliseconds: local + 86_400_000))
        let second = Instant(milliseconds: local - after)
        return offset(at: second) == after ? second : candidate
    }

    /// The first instant of that day in this zone.
    public func start(of date: BusinessDate) -> Instant {
        instant(local: Int64(date.day) * 86_400_000)
    }

    /// The first instant after that day in this zone.
    public func end(of date: BusinessDate) -> Instant { start(of: date.advanced(by: 1)) }
}
