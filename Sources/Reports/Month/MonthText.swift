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
    if let lost = texts.lostOrders(in: report) { lines.append("  " + lost) }
    lines += (report.loss?.explanations ?? []).map { "  " + texts.sentence($0, of: report.first...report.last) }
    if let apple = report.apple { lines += bridgeText(apple, texts) }
    let restated = report.restated.map(\.period) + (report.restatedFigures ?? []).map(\.period)
    if !restated.isEmpty {
        let months = Set(restated).ordered().joined(separator: ", ")
        lines.append("  " + texts.monthSheet(.restated) + ": " + months)
    }
    return lines.map { $0 + "\n" }.joined()
}

/// What `monthly` prints about a closed month: who approved it, and one digest of all closed months.
public func closedText(
    _ report: MonthReport, approval: MonthApproval?, seals: [MonthSeal], texts: Texts
) -> String {
    let zone = Zone(report.timeZone) ?? .utc
    let first =
        approval.map { texts.month(.approvedOn, $0.by, $0.user, localTime($0.at, zone)) }
        ?? texts.month(.notApproved, report.period)
    return "  \(first)\n  " + texts.month(.chained, String(seals.count), seals.chained) + "\n"
}

/// The bridge in money: a line for each currency, and the products whose residual is largest.
private func bridgeText(_ apple: AppleBridge, _ texts: Texts) -> [String] {
    let residuals: [(MonthLabel, (BridgeLine) -> Int64)] = [
        (.unexplained, { $0.unexplained.minor }), (.price, { $0.steps[.priceDifference]?.minor ?? 0 }),
        (.lost, { $0.steps[.neverCollected]?.minor ?? 0 }),
    ]
    var lines: [String] = []
    for currency in Set(apple.lines.map(\.currency)).subtracting([.absent]).ordered() {
        let own = apple.lines.filter { $0.currency == currency }
        // Residuals of different signs must not hide each other.
        let sums = residuals.map { figure in own.reduce(0) { $0 &+ Int64(clamping: figure.1($1).magnitude) } }
        let closing = own.reduce(0) { $0 &+ ($1.steps[.closingInTransit]?.minor ?? 0) }
        let late = own.reduce(0) { $0 &+ Int64(clamping: $1.late.minor.magnitude) }
        let unknown = own.reduce(0) { $0 &+ Int64(clamping: ($1.steps[.unknownProduct]?.minor ?? 0).magnitude) }
        let words = (sums + [unknown, closing, late]).map { decimalText($0, currency) }
        lines.append(
            "  " + texts.month(.bridgeLine, currency.text, words[0], words[1], words[2], words[3], words[4], words[5]))
        let details =
            (residuals + [(.steady, { $0.steady.minor })]).flatMap { label, minor in
                own.map { ($0, texts.month(label), minor($0)) }
            }
            + own.map { ($0, texts.title(.unknownProduct), $0.steps[.unknownProduct]?.minor ?? 0) }
        let worst = details.filter { $0.2 != 0 }.ordered { $0.2.magnitude > $1.2.magnitude }.prefix(5)
        lines += worst.map { line, label, minor in
            "    "
                + texts.month(
                    .bridgeDetail, line.product, line.country, texts.title(line.kind), label,
                    decimalText(minor, currency))
        }
    }
    if let first = apple.earlierMissing { lines.append("  " + texts.month(.earlierMissing, first.text)) }
    if let payout = apple.payout, !payout.isTied {
        lines.append("  " + texts.month(.payoutUntied, texts.monthSheet(.partnerShare)))
    }
    return lines
}

/// `provisional` or when it was closed, and what is missing.
func monthStatus(_ report: MonthReport, _ texts: Texts) -> String {
    let zone = Zone(report.timeZone) ?? .utc
    let closed = report.closedAt.map { texts.month(.closed, zone.date(of: $0).text) }
    let state = closed ?? texts.month(.provisional, report.lastNight.text)
    guard !report.isComplete else { return state }
    let spots = report.coverageGaps.prefix(5).map { texts.word(.feed, $0.feed.rawValue) + " " + $0.date.text }
    let rest = report.coverageGaps.count - spots.count
    let start = report.recordsFrom.map { [texts.month(.recordsFrom, $0.text)] } ?? []
    let list = start + spots + (rest > 0 ? [texts.label(.more, String(rest))] : [])
    return state + " · " + texts.month(.incomplete, list.joined(separator: ", "))
}
