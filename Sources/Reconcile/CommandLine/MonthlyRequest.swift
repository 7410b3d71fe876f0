internal import Console
internal import Domain
internal import Finance
internal import Text

/// What the command line of `reconcile monthly` requests, checked as far as possible without the configuration.
struct MonthlyRequest: Equatable {
    var period: Period
    var asOf: Instant?
    /// Paths of Apple's financial reports, as typed.
    var appleReports: [String]
    var closes: Bool

    init(_ invocation: Invocation) throws(Failure) {
        let name = invocation.operands[0]
        let isFiscal = invocation.isSet(.fiscal)
        guard let period = isFiscal ? FiscalCalendar.month(name) : Period(calendarMonth: name) else {
            throw invocation.usage("monthly takes a month as YYYY-MM, not \(quoted(name))")
        }
        self.period = period
        asOf = try invocation.instant(.asOf)
        appleReports = invocation.values(.appleReport)
        closes = invocation.isSet(.close)
    }

    var calendar: MonthCalendar { period.isFiscal ? .fiscal(FiscalCalendar.number) : .business }
}
