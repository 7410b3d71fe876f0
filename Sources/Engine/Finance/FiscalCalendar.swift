/// Apple's fiscal calendar. See docs/spec/app-store.md#fiscal-calendar.
///
/// Weeks run from Sunday to Saturday. A quarter has months of five, four and four weeks, and the year ends with the
/// last Saturday of September. In a year of 53 weeks, December has the extra week. Months have the names of the
/// calendar's: fiscal September 2014 runs from 2014-08-31 to 2014-09-27, and October begins the next fiscal year.
public enum FiscalCalendar {
    /// The fiscal month with the calendar name `YYYY-MM`; nil for any other text.
    public static func month(_ name: String) -> Period? {
        guard let calendar = Period(calendarMonth: name) else { return nil }
        let (year, month, _) = calendar.first.yearMonthDay
        let fiscalYear = month >= 10 ? year + 1 : year
        let starts = monthStarts(of: fiscalYear)
        let index = (month + 2) % 12
        return Period(
            name: name, isFiscal: true, first: starts[index], last: starts[index + 1].advanced(by: -1))
    }

    /// The fiscal month that a day falls into, numbered as year × 12 + month − 1 by its calendar name.
    public static func number(of date: BusinessDate) -> Int {
        var year = date.yearMonthDay.year
        if date > end(of: year) { year += 1 }
        let index = monthStarts(of: year).lastIndex { $0 <= date } ?? 0
        // October is the first month, and belongs to the calendar year before the fiscal year's.
        return (year - 1) * 12 + 9 + index
    }

    /// The first days of the fiscal year's twelve months, and the first day of the next year.
    private static func monthStarts(of year: Int) -> [BusinessDate] {
        let first = end(of: year - 1).advanced(by: 1)
        let next = end(of: year).advanced(by: 1)
        var weeks = [5, 4, 4, 5, 4, 4, 5, 4, 4, 5, 4, 4]
        if next.day - first.day == 53 * 7 { weeks[2] = 5 }
        return weeks.reduce(into: [first]) { $0.append($0.last!.advanced(by: $1 * 7)) }
    }

    /// The last Saturday of September.
    private static func end(of year: Int) -> BusinessDate {
        guard let last = BusinessDate(year: year, month: 9, day: 30) else {
            preconditionFailure("September has 30 days")
        }
        // 1970-01-03 was a Saturday.
        let since = (Int(last.day) - 2) % 7
        return last.advanced(by: -(since < 0 ? since + 7 : since))
    }
}

extension Period {
    /// The month of that name, `YYYY-MM`; nil for any other text.
    ///
    /// - Parameter isFiscal: whether it is a month of Apple's fiscal calendar.
    public static func month(_ name: String, isFiscal: Bool) -> Period? {
        isFiscal ? FiscalCalendar.month(name) : Period(calendarMonth: name)
    }

    /// The number of the month of this period's calendar that a date falls into. Months are numbered consecutively.
    func number(of date: BusinessDate) -> Int {
        if isFiscal { return FiscalCalendar.number(of: date) }
        let (year, month, _) = date.yearMonthDay
        return year * 12 + month - 1
    }

    /// The name of that month, `YYYY-MM`.
    func monthName(of date: BusinessDate) -> String {
        let number = number(of: date)
        return "\(number / 12)-" + padded(number % 12 + 1, 2)
    }
}
