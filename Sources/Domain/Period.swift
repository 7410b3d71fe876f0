/// A month that books are closed for: of the business calendar, or of Apple's.
package struct Period: Hashable, Sendable {
    /// `YYYY-MM`.
    package var name: String
    /// Apple's fiscal month of that name, not the calendar's.
    package var isFiscal: Bool
    package var first: BusinessDate
    /// Part of it.
    package var last: BusinessDate

    package init(name: String, isFiscal: Bool, first: BusinessDate, last: BusinessDate) {
        self.name = name
        self.isFiscal = isFiscal
        self.first = first
        self.last = last
    }

    /// The calendar month `YYYY-MM`; nil where there is none.
    package init?(calendarMonth name: String) {
        guard name.utf8.count == 7, let first = BusinessDate(name + "-01") else { return nil }
        let (year, month, _) = first.yearMonthDay
        let days = BusinessDate.days(inMonth: month, of: year)
        self.init(name: name, isFiscal: false, first: first, last: first.advanced(by: days - 1))
    }

    package func contains(_ date: BusinessDate) -> Bool { first <= date && date <= last }

    /// Its instants in that time zone.
    package func span(in zone: Zone) -> Range<Instant> { zone.start(of: first)..<zone.end(of: last) }
}

/// Counts months without end, so that two of them can be compared.
package enum MonthCalendar: Sendable {
    case business
    case fiscal(@Sendable (BusinessDate) -> Int)

    package func number(of date: BusinessDate) -> Int {
        switch self {
        case .business:
            let (year, month, _) = date.yearMonthDay
            return year * 12 + month
        case .fiscal(let number): return number(date)
        }
    }
}
