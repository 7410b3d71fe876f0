public import Domain

extension Month {
    /// Adds what the report says about its year: the closed months before it, and refunds by month of purchase.
    ///
    /// - Parameter earlier: the reports of months that were closed before.
    public func addYear(
        to report: inout MonthReport, _ period: Period, _ calendar: MonthCalendar, earlier: [MonthReport]
    ) {
        let zone = Zone(report.timeZone) ?? .utc
        report.year = yearLines(report, period)
        var purchases: [String: MonthSeal.Figures] = known
        for line in report.restated { purchases[line.period, default: [:]][line.currency] = line.now }
        purchases[report.period] = report.figures
        let own = report.ownCohorts(calendar, zone: zone) { purchases[$0]?[$1]?.purchases }
        let before = earlier.filter { $0.period < report.period }.sorted { $0.period < $1.period }.suffix(11).flatMap {
            month in month.cohorts.filter { $0.refundMonth == month.period }
        }
        report.cohorts = before + own
    }

    /// The figures of all closed months as they were reported last.
    private var known: [String: MonthSeal.Figures] {
        seals.reduce(into: [:]) { $0.merge($1.known) { $1 } }
    }

    /// The months of the report's year up to its own, by month and currency.
    private func yearLines(_ report: MonthReport, _ period: Period) -> [YearLine] {
        let (year, quarter) = period.yearAndQuarter
        let latest = known
        let before = seals.filter { $0.period < period.name && $0.month?.yearAndQuarter.year == year }
            .sorted { $0.period < $1.period }
        let closed = before.flatMap { seal -> [YearLine] in
            let reported = seal.known[seal.period] ?? [:]
            let now = latest[seal.period] ?? [:]
            return Set(reported.keys).union(now.keys).union(
                report.restated.filter { $0.period == seal.period }.map(\.currency)
            ).sorted().map { currency in
                let restated = report.restated.first { $0.period == seal.period && $0.currency == currency }
                let last = restated?.now ?? now[currency] ?? Movements()
                let own = reported[currency] ?? Movements()
                return YearLine(
                    period: seal.period, quarter: seal.month?.yearAndQuarter.quarter ?? 0, isClosed: true,
                    currency: currency, reported: own, change: last - own)
            }
        }
        let own = report.money.map { line in
            YearLine(
                period: report.period, quarter: quarter, isClosed: false, currency: line.currency,
                reported: line.movements, change: Movements())
        }
        return closed + own
    }
}
