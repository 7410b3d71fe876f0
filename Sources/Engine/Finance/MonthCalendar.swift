public import Domain

/// Numbers the months of a calendar consecutively, so that two dates can be compared by month.
public enum MonthCalendar: Sendable {
    /// Calendar months.
    case business
    /// Apple's fiscal months, numbered by the function.
    case fiscal(@Sendable (BusinessDate) -> Int)

    /// The number of the month that `date` falls into. Numbers of different calendars cannot be compared.
    public func number(of date: BusinessDate) -> Int {
        switch self {
        case .business:
            let (year, month, _) = date.yearMonthDay
            return year * 12 + month
        case .fiscal(let number): return number(date)
        }
    }
}
