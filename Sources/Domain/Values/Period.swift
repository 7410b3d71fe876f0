/// A month that finance closes: a month of the business calendar or of Apple's fiscal calendar.
public struct Period: Hashable, Sendable {
    /// `YYYY-MM`.
    public var name: String
    /// Apple's fiscal month of that name rather than the calendar's.
    public var isFiscal: Bool
    public var first: BusinessDate
    /// The last day, included.
    public var last: BusinessDate

    public init(name: String, isFiscal: Bool, first: BusinessDate, last: BusinessDate) {
        self.name = name
        self.isFiscal = isFiscal
        self.first = first
        self.last = last
    }

    /// The calendar month `YYYY-MM`; nil for any other text.
    public init?(calendarMonth name: String) {
        guard name.utf8.count == 7, let first = BusinessDate(name + "-01") else { return nil }
        let (year, month, _) = first.yearMonthDay
        let days = BusinessDate.days(inMonth: month, of: year)
        self.init(name: name, isFiscal: false, first: first, last: first.advanced(by: days - 1))
    }

    public func contains(_ date: BusinessDate) -> Bool { first <= date && date <= last }

    /// The instants of the month in that time zone.
    public func span(in zone: Zone) -> Range<Instant> { zone.start(of: first)..<zone.end(of: last) }
}
