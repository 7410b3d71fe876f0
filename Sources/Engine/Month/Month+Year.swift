extension Month {
    /// Adds what the report says about its year: the closed months before it, and refunds by month of purchase.
    ///
    /// - Parameter earlier: the reports of months that were closed before.
    public func addYear(to report: inout MonthReport, earlier: [MonthReport]) {
        report.year = yearLines(report)
        let known = known(with: report)
        let purchases = { (month: String, currency: Currency) in known[month]?[currency]?.purchases }
        let own = report.ownCohorts(purchases: purchases) + report.restatedCohorts(purchases: purchases)
        let before = earlier.filter { $0.period < report.period }.ordered { $0.period < $1.period }.suffix(11).flatMap {
            month in month.cohorts.filter { $0.knownIn == month.period }
        }
        report.cohorts = before + own
    }

    /// The figures of all closed months as they were reported last, by the month's name.
    var known: [String: MonthSeal.Figures] { seals.reduce(into: [:]) { $0.merge($1.known) { $1 } } }

    /// The present figures of the report's month and of every month closed before.
    public func known(with report: MonthReport) -> [String: MonthSeal.Figures] {
        var known = known
        for line in report.restated { known[line.period, default: [:]][line.currency] = line.now }
        known[report.period] = Dictionary(uniqueKeysWithValues: report.money.map { ($0.currency, $0.movements) })
        return known
    }

    /// The months of the report's year up to its own, by month and currency.
    private func yearLines(_ report: MonthReport) -> [YearLine] {
        let (year, quarter) = report.month.yearAndQuarter
        let latest = known(with: report)
        let before = seals.filter { $0.period < report.period && $0.month?.yearAndQuarter.year == year }
            .ordered { $0.period < $1.period }
        let closed = before.flatMap { seal -> [YearLine] in
            let reported = seal.known[seal.period] ?? [:]
            let now = latest[seal.period] ?? [:]
            return Set(reported.keys).union(now.keys).ordered().map { currency in
                let (own, last) = (reported[currency] ?? Movements(), now[currency] ?? Movements())
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
