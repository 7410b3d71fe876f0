/// Counts months without end, so that two of them can be compared.
public enum MonthCalendar: Sendable {
    case business
    case fiscal(@Sendable (BusinessDate) -> Int)

    public func number(of date: BusinessDate) -> Int {
        switch self {
        case .business:
            let (year, month, _) = date.yearMonthDay
            return year * 12 + month
        case .fiscal(let number): return number(date)
        }
    }
}
