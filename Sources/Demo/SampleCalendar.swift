/// The sample's time: three business dates in Shanghai and the history before them, whatever the clock says.
public enum SampleCalendar {
    static let zone: Zone = {
        guard let zone = Zone("Asia/Shanghai") else { preconditionFailure("every system knows Asia/Shanghai") }
        return zone
    }()
    private static let last: BusinessDate = {
        guard let date = BusinessDate("2025-11-18") else { preconditionFailure("a day of the calendar") }
        return date
    }()
    /// The business dates with files and nightly runs. The files of the first date hold the history as well.
    public static let dates = [last.advanced(by: -2), last.advanced(by: -1), last]
    /// The time of the nightly run for `date`: four in the morning of the day after.
    public static func run(of date: BusinessDate) -> Instant { zone.end(of: date) + .hours(4) }

    /// Ordinary purchases are spread over this many days up to the last date.
    private static let days = 5

    /// The weight of each hour of the day: busiest in the evening, still busy at midnight.
    private static let busyness = [6, 4, 2, 1, 1, 1, 2, 3, 4, 5, 6, 7, 9, 8, 6, 5, 5, 6, 8, 10, 13, 14, 12, 9]

    /// A moment on the day `daysAgo` days before the last date, within `hours` of its clock. The last minute is left
    /// out, so that events right after the moment fall into the same hours.
    static func moment(daysAgo: Int, hours: Range<Int>, _ random: inout SplitMix64) -> Instant {
        let second = random.int(in: hours.lowerBound * 3600..<hours.upperBound * 3600 - 60)
        return zone.start(of: last.advanced(by: -daysAgo)) + .seconds(second)
    }

    /// The moment of the ordinary order `index` of `count`: later for a greater index, closer together in busy hours.
    static func moment(ofOrder index: Int, of count: Int) -> Instant {
        let daily = busyness.reduce(0, +) * 3600
        let place = index * (days * daily) / count
        var left = place % daily
        var hour = 0
        while left >= busyness[hour] * 3600 {
            left -= busyness[hour] * 3600
            hour += 1
        }
        let day = last.advanced(by: place / daily - days + 1)
        return zone.start(of: day) + .seconds(hour * 3600 + left / busyness[hour])
    }

    /// The index of the date in whose file a row written at `moment` is; nil after the end of the last date.
    static func delivery(of moment: Instant) -> Int? {
        let date = zone.date(of: moment)
        return date <= dates[0] ? 0 : dates.firstIndex(of: date)
    }
}

extension Milliseconds {
    static func seconds(_ count: Int) -> Milliseconds { Milliseconds(Int64(count) * 1000) }
}
