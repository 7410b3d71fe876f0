/// By how many half hours the time in a feed is later than Apple's, where it is off by nearly a whole number of them: such
/// times were probably exported in another time zone than the feed's. Negative if it is earlier.
public struct ClockShift: Codable, Hashable, Sendable {
    /// The shift in half hours. Never 0.
    public let halfHours: Int32

    public init(halfHours: Int32) { self.halfHours = halfHours }

    /// 26 hours: two time zones are never further apart.
    private static let halfHoursMax: Int64 = 52

    /// Nil if the two times are within 20 minutes of each other or more than 26 hours apart, or their difference is more than
    /// 10 minutes away from each whole number of half hours.
    public init?(of time: Instant, against apples: Instant) {
        let difference = (time - apples).count
        let halfHour: Int64 = 1_800_000
        let nearest = (difference + halfHour / 2).flooredDivision(by: halfHour)
        guard nearest != 0, abs(nearest) <= Self.halfHoursMax,
            abs(difference - nearest * halfHour) <= halfHour / 3
        else { return nil }
        halfHours = Int32(nearest)
    }

    /// The shift's size: `8 h`, `5 h 30 min`, `30 min`.
    public var text: String {
        let (hours, minutes) = (abs(halfHours) / 2, abs(halfHours) % 2 * 30)
        return [hours > 0 ? "\(hours) h" : nil, minutes > 0 ? "\(minutes) min" : nil].compactMap { $0 }.joined(
            separator: " ")
    }
}
