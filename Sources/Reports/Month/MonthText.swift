internal import Domain
public import ReportData

/// What `reconcile monthly` prints: the state of the month, and for each currency the unexplained difference.
public func monthText(_ report: MonthReport, texts: Texts) -> String {
    var lines = [texts.month(.title) + " " + report.period + " · " + monthStatus(report, texts)]
    for line in report.money {
        let amounts = [
            (MonthLabel.net, line.movements.net), (.netCredited, line.movements.netCredited),
            (.difference, line.movements.difference), (.unexplained, line.unexplained),
        ].map { texts.month($0.0) + " " + decimalText($0.1, line.currency) }
        lines.append("  \(line.currency)  " + amounts.joined(separator: ", "))
    }
    if report.unpriced.total > 0 { lines.append("  " + texts.month(.unpricedWhat, String(report.unpriced.total))) }
    if let apple = report.apple {
        let units = apple.lines.reduce(UInt64(0)) { $0 &+ $1.unexplained.units.magnitude }
        lines.append(
            "  " + texts.monthSheet(.bridge) + ": " + texts.month(.unexplained) + " \(units) " + texts.month(.units))
    }
    if !report.restated.isEmpty {
        let months = Set(report.restated.map(\.period)).sorted().joined(separator: ", ")
        lines.append("  " + texts.monthSheet(.restated) + ": " + months)
    }
    return lines.map { $0 + "\n" }.joined()
}

/// `provisional` or when it was closed, and what is missing.
func monthStatus(_ report: MonthReport, _ texts: Texts) -> String {
    let closed = report.closedAt.map { texts.month(.closed, $0.text) }
    let state = closed ?? texts.month(.provisional, report.lastNight.text)
    guard !report.isComplete else { return state }
    let spots = report.coverageGaps.prefix(5).map { texts.word(.feed, $0.feed.rawValue) + " " + $0.date.text }
    let rest = report.coverageGaps.count - spots.count
    let start = report.recordsFrom.map { [texts.month(.recordsFrom, $0.text)] } ?? []
    let list = start + spots + (rest > 0 ? [texts.label(.more, String(rest))] : [])
    return state + " · " + texts.month(.incomplete, list.joined(separator: ", "))
}
