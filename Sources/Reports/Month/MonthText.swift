/// What `reconcile monthly` prints: the state of the month, and for each currency the unexplained difference.
public func monthText(_ report: MonthReport, texts: Texts) -> String {
    var lines = [texts.title(of: report) + " · " + monthStatus(report, texts)]
    if let other = texts.otherCalendar(report) { lines.append("  " + other) }
    for gap in report.acceptedGaps {
        lines.append("  " + texts.month(.pair, texts.label(.acceptedGaps), display(texts.sentence(gap))))
    }
    for line in report.money {
        let amounts = [
            (MonthLabel.net, line.movements.net), (.netCredited, line.movements.netCredited),
            (.difference, line.movements.difference), (.unexplained, line.unexplained),
        ].map { texts.month($0.0) + " " + decimalText($0.1, line.currency) }
        lines.append("  \(line.currency)  " + amounts.joined(separator: texts.label(.listSeparator)))
    }
    if let unpriced = texts.unpriced(report) { lines.append("  " + unpriced) }
    if let lost = texts.lostOrders(in: report) { lines.append("  " + lost) }
    lines += (report.loss?.explanations ?? []).map { "  " + texts.sentence($0, of: report.first...report.last) }
    let others = report.thresholds["finance.otherProducts", default: ""].split(separator: " ").map { String($0) }
    if let apple = report.apple { lines += bridgeText(apple, others, texts) }
    let restated =
        report.restated.map(\.period) + report.restatedFigures.map(\.period)
        + report.restatedSubjects.filter { $0.storefront != nil }.map(\.period)
    if !restated.isEmpty {
        let months = Set(restated).ordered().joined(separator: texts.label(.listSeparator))
        lines.append("  " + texts.month(.pair, texts.monthSheet(.restated), months))
    }
    for change in texts.settingsSince(report) {
        lines.append("  " + texts.month(.pair, texts.month(.settingsSince), display(change)))
    }
    for (label, gap) in texts.decisions(report) {
        lines.append("  " + texts.month(.pair, label, display(texts.sentence(gap))))
    }
    lines += texts.gapLines(report).map { "  " + $0 }
    return lines.map { $0 + "\n" }.joined()
}

/// What `monthly` prints about a closed month: who approved it, and one digest of all closed months.
///
/// - Parameter later: the reports of the other closed months; those before it have changed nothing of it.
public func closedText(
    _ report: MonthReport, approval: MonthApproval?, seals: [MonthSeal], later: [MonthReport], texts: Texts
) -> String {
    let zone = report.zone
    let first =
        approval.map { texts.month(.approvedOn, $0.by, $0.user, localTime($0.at, zone)) }
        ?? texts.month(.notApproved, report.period)
    let moved = Dictionary(uniqueKeysWithValues: seals.changes(of: report.period).map { ($0.currency, $0.change) })
    let others = later.changes(of: report.period)
    let changed = Set(moved.keys).union(others.keys).ordered().map { currency in
        let movements = moved[currency].map {
            [(MonthLabel.net, $0.net), (.netCredited, $0.netCredited), (.difference, $0.difference)].map {
                texts.month($0.0) + " " + decimalText($0.1, currency)
            }
        }
        let other = others[currency].map { other in
            other.figures.ordered().map { texts.title(ofFigure: $0.key) + " " + decimalText($0.value, currency) }
                + (other.moved > 0 ? [texts.month(.otherPlace, String(other.moved))] : [])
        }
        let figures = (movements ?? []) + (other ?? [])
        return "  "
            + texts.month(
                .changedLater, currency.text, figures.joined(separator: texts.label(.listSeparator)),
                texts.monthSheet(.restated)) + "\n"
    }.joined()
    return "  \(first)\n\(changed)  " + texts.month(.chained, String(seals.count), seals.chained) + "\n"
}

/// That closed months have no approval yet. It names at least one.
public func unapprovedText(_ periods: [String], texts: Texts) -> String {
    let names = periods.joined(separator: texts.label(.listSeparator))
    return texts.month(.pair, names, texts.month(.notApproved, periods[0]))
}

/// The bridge in money: a line for each currency, and the products whose residual is largest.
///
/// - Parameter others: `finance.otherProducts`.
private func bridgeText(_ apple: AppleBridge, _ others: [String], _ texts: Texts) -> [String] {
    var lines: [String] = []
    for currency in apple.currencies {
        let own = apple.lines.filter { $0.currency == currency }
        var words = [currency.text] + own.glance.map { decimalText($0, currency) }
        if apple.undetermined.contains(currency) { words[1] = texts.month(.undetermined) }
        lines.append("  " + texts.filled(texts.month(.bridgeLine), words))
        lines += texts.details(of: own, others: others).map { "    " + $0 }
    }
    lines += texts.unsigned(apple).map { "  " + $0 }
    // Some regions share a currency. Where a country has late sales and no row at all, its region's report may be missing.
    // A line of all countries does not say which of them Apple has rows of. What moved there after the closing was sold
    // elsewhere when Apple reported it.
    let unsaid = Set(apple.lines.filter { $0.country.isEmpty && $0.apple.units != 0 }.map(\.currency))
    let silent = Dictionary(grouping: apple.lines, by: \.country).filter { country, lines in
        !country.isEmpty && lines.contains { $0.late.units + ($0.steps[.restated]?.units ?? 0) > 0 }
            && lines.allSatisfy { $0.apple.units == 0 && !unsaid.contains($0.currency) }
    }
    if !silent.isEmpty {
        let countries = silent.keys.ordered().joined(separator: texts.label(.listSeparator))
        lines.append("  " + texts.month(.silentCountries, countries))
    }
    if let night = apple.ledgerNight { lines.append("  " + texts.month(.bridgeKnown, night.text)) }
    if let first = apple.earlierMissing { lines.append("  " + texts.month(.earlierMissing, first.text)) }
    lines += texts.changes(apple).map { "  " + $0 }
    if apple.isBySums { lines.append("  " + texts.month(.bySums)) }
    if let payout = apple.payout, !payout.isTied {
        lines.append("  " + texts.month(.payoutUntied, texts.monthSheet(.partnerShare)))
        lines += payoutDetails(payout, texts)
    }
    return lines
}

extension Texts {
    /// The largest amounts that are left of lines of one currency, and how many more there are.
    fileprivate func details(of lines: [BridgeLine], others: [String] = []) -> [String] {
        let residuals: [(MonthLabel, (BridgeLine) -> Int64)] = [
            (.unexplained, { $0.unexplained.minor }), (.price, { $0.minor(of: .priceDifference) }),
            (.withheld, { $0.withheld.minor }), (.lost, { $0.minor(of: .neverCollected) }),
            (.steady, { $0.steady.minor }),
        ]
        let details =
            residuals.flatMap { label, minor in
                lines.map { line in
                    let isAsClosed = label == .unexplained && line.agreesWithClosing
                    let word =
                        isAsClosed
                        ? .unexplainedSince
                        : label == .lost ? line.lostLabel : label == .price ? line.priceLabel : label
                    return (line, month(word), minor(line))
                }
            }
            + lines.map { line in
                let title = title(.unknownProduct)
                let label = others.match(line.product) ? month(.acceptedProduct, title) : title
                return (line, label, line.minor(of: .unknownProduct))
            }
        let all = details.filter { $0.2 != 0 }.ordered { $0.2.magnitude > $1.2.magnitude }
        return first(5, of: all) { detail($0.0, $0.1, $0.2) }
    }

    /// What earlier periods of closed months leave and no signed page has: a line for each period and currency.
    func unsigned(_ bridge: AppleBridge) -> [String] {
        let groups = Dictionary(grouping: bridge.unsigned) { [$0.last.text, $0.line.currency.text] }
        return groups.ordered { $0.key.lexicographicallyPrecedes($1.key) }.map { key, unsigned in
            month(
                .unsigned, key[0], key[1], details(of: unsigned.map(\.line)).joined(separator: label(.clauseSeparator)))
        }
    }

    /// The currencies of which no check shows that nothing is unexplained in the bridge. Nil where there are none.
    func notChecked(_ bridge: AppleBridge) -> String? {
        let open = bridge.undetermined.map(\.text)
        return open.isEmpty ? nil : month(.notChecked, open.joined(separator: label(.listSeparator)))
    }

    /// One amount of a line of the bridge.
    func detail(_ line: BridgeLine, _ label: String, _ minor: Int64) -> String {
        month(
            .bridgeDetail, line.product, country(of: line), title(line.kind), label.withinSentence,
            decimalText(minor, line.currency))
    }

    /// What closed months have otherwise of Apple's reports, and of what is in transit.
    func changes(_ bridge: AppleBridge) -> [String] {
        let changes = bridge.changes
        // If a replaced file changed no amount, one line says so.
        var told = Set(changes.filter(\.isReportChanged).map(\.now.first))
        return changes.flatMap { change -> [String] in
            let (then, now) = (change.then, change.now)
            func words(_ sum: (TransitLine) -> UnitsAndValue, of subject: String? = nil) -> [String] {
                [now.first.text, now.last.text, subject ?? title(now.kind), now.currency.text]
                    + [then, now].map { decimalText(sum($0).minor, now.currency) }
            }
            let transit = month(now.kind == .sales ? .salesInTransit : .returnsInTransit)
            let subject = transit.prefix(1).uppercased() + transit.dropFirst()
            let isSame = change.isOtherFile && told.insert(now.first).inserted
            return (isSame ? [month(.sameReport, now.first.text, now.last.text)] : [])
                + (change.isOtherFile && change.isReportChanged
                    ? [filled(month(.otherReport), words(\.reported))] : [])
                + (change.isBalanceChanged ? [filled(month(.otherBalance), words(\.closing, of: subject))] : [])
                + (change.isUnexplainedChanged ? [filled(month(.otherUnexplained), words(\.unexplained))] : [])
        }
    }
}

extension AppleBridge {
    /// Those that the ledger or Apple has, sorted.
    var currencies: [Currency] { Set(lines.map(\.currency)).subtracting([.absent]).ordered() }
}

extension String {
    /// Without a capital at the beginning.
    var withinSentence: String { prefix(1).lowercased() + dropFirst() }
}

extension BridgeLine {
    /// Apple's report has what was closed; the ledger has something else since.
    var agreesWithClosing: Bool { unexplained.minor != 0 && unexplained.minor == 0 &- minor(of: .restated) }

    /// Of a price difference.
    var priceLabel: MonthLabel {
        undecided.contains { $0.isWithheld == nil && $0.soldOn == nil } ? .undecided : .price
    }

    /// A return is not collected, so it is called *never reported*.
    var lostLabel: MonthLabel { kind == .sales ? .lost : .lostReturn }
}

extension [BridgeLine] {
    /// What the screen and the first page show of a currency: unexplained, price differences, never collected, and products
    /// that are not in the ledger; in transit and the late part of it, of sales and then of returns.
    var glance: [Int64] {
        // Sales and returns are never netted: what is late would exceed the whole.
        let transit = BridgeLine.Kind.allCases.flatMap { kind in
            [{ $0.minor(of: .closingInTransit) }, \.late.minor].map { (figure: (BridgeLine) -> Int64) in
                reduce(0) { $1.kind == kind ? $0 &+ figure($1) : $0 }
            }
        }
        return Self.residuals.map(gross) + transit
    }

    /// Unexplained, price differences, never collected, and products that are not in the ledger.
    static var residuals: [(BridgeLine) -> Int64] {
        [
            { $0.unexplained.minor }, { $0.minor(of: .priceDifference) },
            { $0.minor(of: .neverCollected) }, { $0.minor(of: .unknownProduct) },
        ]
    }

    /// The sum of a figure's absolute values: opposite ones must not hide each other.
    func gross(_ figure: (BridgeLine) -> Int64) -> Int64 {
        reduce(0) { $0 &+ Int64(clamping: figure($1).magnitude) }
    }
}

/// Where a payment does not lead from the report to the bank, in money.
private func payoutDetails(_ payout: Payout, _ texts: Texts) -> [String] {
    let bank = payout.bankCurrency
    var links: [(Currency, String, MonthLabel, Int64)] = payout.earned.map {
        ($0.currency, payout.file, .earned, $0.isTied ? 0 : $0.difference)
    }
    for line in payout.lines {
        links.append((line.currency, line.region, .owed, line.owedDifference))
        links.append((bank, line.region, .proceeds, line.rateDifference))
    }
    links.append((bank, payout.file, .paid, payout.paidDifference))
    return links.filter { $0.3 != 0 }.map { currency, place, link, minor in
        "    "
            + texts.month(
                .bridgeDetail, currency.text, place, texts.month(link), texts.month(.difference).withinSentence,
                decimalText(minor, currency))
    }
}

/// `provisional` or when it was closed, and what is missing.
func monthStatus(_ report: MonthReport, _ texts: Texts) -> String {
    let zone = report.zone
    let closed = report.closedAt.map { texts.month(.closed, zone.date(of: $0).text) }
    let state = closed ?? texts.month(.provisional, report.lastNight.text)
    guard !report.isComplete else { return state }
    let days = texts.first(5, of: report.coverageGaps) { texts.word(.feed, $0.feed.rawValue) + " " + $0.date.text }
    let start = report.recordsFrom.map { [texts.month(.recordsFrom, $0.text)] } ?? []
    return state + " · " + texts.month(.incomplete, (start + days).joined(separator: texts.label(.listSeparator)))
}
