internal import Domain

/// When the sample happens: three business dates in Shanghai and the history before them. No clock has a say in it.
enum SampleCalendar {
    static let zone: Zone = {
        guard let zone = Zone("Asia/Shanghai") else { preconditionFailure("every system knows Asia/Shanghai") }
        return zone
    }()
    private static let last: BusinessDate = {
        guard let date = BusinessDate("2025-11-18") else { preconditionFailure("a day of the calendar") }
        return date
    }()
    /// The business dates that are delivered and reconciled; the first one's files hold the history, too.
    static let dates = [last.advanced(by: -2), last.advanced(by: -1), last]
    /// The nightly run of `date`: at four in the morning of the day after.
    static func run(of date: BusinessDate) -> Instant { zone.end(of: date) + .hours(4) }

    /// Ordinary purchases are spread over so many days, the last date among them.
    private static let days = 5

    /// How busy each hour of the day is: most in the evening, and not over at midnight.
    private static let busyness = [6, 4, 2, 1, 1, 1, 2, 3, 4, 5, 6, 7, 9, 8, 6, 5, 5, 6, 8, 10, 13, 14, 12, 9]

    /// A moment of the day that is so many days before the last date. `hours`: of its clock, their last minute left
    /// out, so that what follows at once is still within them.
    static func moment(daysAgo: Int, hours: Range<Int>, _ chance: inout Chance) -> Instant {
        let second = chance.int(in: hours.lowerBound * 3600..<hours.upperBound * 3600 - 60)
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

    /// Whose file a row written at `moment` is in; nil for what has not happened by the last date's end.
    static func delivery(of moment: Instant) -> Int? {
        let date = zone.date(of: moment)
        return date <= dates[0] ? 0 : dates.firstIndex(of: date)
    }
}

extension Milliseconds {
    static func seconds(_ count: Int) -> Milliseconds { Milliseconds(Int64(count) * 1000) }
}
