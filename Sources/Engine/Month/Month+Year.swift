extension Month {
    /// Adds what the report says about the closed months before it: its year, refunds by month of purchase, and where its
    /// opening balances differ from the closing balances of the month before.
    ///
    /// - Parameter earlier: the reports of months that were closed before.
    public func addYear(to report: inout MonthReport, earlier: [MonthReport]) {
        let (year, quarter) = report.month.yearAndQuarter
        let own = report.money.map { line in
            YearLine(
                period: report.period, quarter: quarter, isClosed: false, currency: line.currency,
                reported: line.movements, change: Movements())
        }
        report.year = yearLines(year, before: report) + own
        let prior = yearLines(year - 1, before: report)
        if prior.contains(where: { $0.change != Movements() }) { report.priorYear = prior }
        let known = known(with: report)
        let purchases = { (month: String, currency: Currency) in known[month]?[currency]?.purchases }
        let cohorts = report.ownCohorts(purchases: purchases) + report.restatedCohorts(purchases: purchases)
        let before = earlier.filter { $0.period < report.period }.ordered { $0.period < $1.period }.suffix(11)
        // What was taken back of a refund before them has nothing to be subtracted from.
        let first = before.first?.period ?? report.period
        report.cohorts = (before.flatMap { month in month.cohorts.filter { $0.knownIn == month.period } } + cohorts)
            .filter { $0.refundMonth >= first || $0.minor > 0 }
        // A month of purchase has one figure, whenever its refunds became known.
        for (index, cohort) in report.cohorts.enumerated() {
            if let now = purchases(cohort.purchaseMonth, cohort.currency) { report.cohorts[index].purchases = now }
        }
        report.restatedFigures = restatedFigures(report, earlier: earlier)
        guard let last = earlier.first(where: { $0.last.advanced(by: 1) == report.first }) else { return }
        for (index, line) in report.money.enumerated() {
            let closing = last.money.first { $0.currency == line.currency }?.closing ?? .zero
            if closing != line.opening { report.money[index].openingAsClosed = closing }
        }
    }

    /// The figures beside the movements that changed in closed months, from what each subject changed.
    private func restatedFigures(_ report: MonthReport, earlier: [MonthReport]) -> [RestatedFigure] {
        var lines: [RestatedFigure] = []
        for subject in report.restatedSubjects {
            for (name, change) in subject.figures {
                let index = lines.firstIndex {
                    $0.period == subject.period && $0.currency == subject.currency && $0.figure == name
                }
                if let index {
                    lines[index].change &+= change
                } else {
                    lines.append(
                        RestatedFigure(
                            period: subject.period, currency: subject.currency, figure: name,
                            reported: earlier.reported(name, of: subject.period, subject.currency), change: change))
                }
            }
        }
        let ranks = MonthReport.figureRanks
        return lines.filter { $0.change != 0 }.ordered {
            ($0.period, $0.currency, ranks[$0.figure] ?? 0) < ($1.period, $1.currency, ranks[$1.figure] ?? 0)
        }
    }

    var known: [String: MonthSeal.Figures] { seals.known }

    /// The present figures of the report's month and of every month closed before.
    public func known(with report: MonthReport) -> [String: MonthSeal.Figures] {
        var known = known
        for line in report.restated { known[line.period, default: [:]][line.currency] = line.now }
        known[report.period] = Dictionary(uniqueKeysWithValues: report.money.map { ($0.currency, $0.movements) })
        return known
    }

    /// The closed months of a year before the report's own, by month and currency.
    private func yearLines(_ year: Int, before report: MonthReport) -> [YearLine] {
        let latest = known(with: report)
        let before = seals.filter { $0.period < report.period && $0.month?.yearAndQuarter.year == year }
            .ordered { $0.period < $1.period }
        return before.flatMap { seal -> [YearLine] in
            let reported = seal.known[seal.period] ?? [:]
            let now = latest[seal.period] ?? [:]
            return Set(reported.keys).union(now.keys).ordered().map { currency in
                let (own, last) = (reported[currency] ?? Movements(), now[currency] ?? Movements())
                return YearLine(
                    period: seal.period, quarter: seal.month?.yearAndQuarter.quarter ?? 0, isClosed: true,
                    currency: currency, reported: own, change: last - own)
            }
        }
    }
}

extension MonthReport {
    /// The words of the figures beside the movements, with their places in reports.
    fileprivate static let figureRanks = Dictionary(
        uniqueKeysWithValues: (["booked"] + BookingReason.allCases.map(\.rawValue)
            + (DifferenceClass.explanations + [.unexplained]).map(\.code) + [RegisterReason.wrongAccount.rawValue])
            .enumerated().map { ($1, $0) })
}

extension [MonthReport] {
    /// A figure of a closed month as it was reported last: by a later month that was closed, else by itself.
    fileprivate func reported(_ figure: String, of period: String, _ currency: Currency) -> Int64 {
        for report in reversed() {
            if report.period == period {
                return report.money.first { $0.currency == currency }?.named[figure] ?? 0
            }
            let later = report.restatedFigures.first {
                $0.period == period && $0.currency == currency && $0.figure == figure
            }
            if let later { return later.now }
        }
        return 0
    }
}
