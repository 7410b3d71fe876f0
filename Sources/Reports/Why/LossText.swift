/// `reconcile why`: the report for a terminal. No line is wider than the screen, and untrusted text is escaped.
///
/// - Parameters:
///   - dates: those that were asked for.
///   - dimension: the one whose values are listed. Nil for labels and what is most often to blame, where there are values
///     to compare.
public func lossText(
    _ report: LossReport, of dates: ClosedRange<BusinessDate>, by dimension: String?, texts: Texts, screen: Screen
) -> String {
    var page = ScreenPage(screen: screen)
    page.title(texts.why(.screenTitle, dates.lowerBound.text, dates.upperBound.text))
    guard !report.days.isEmpty else {
        page.paragraph(texts.why(.noPurchases))
        return page.text
    }
    page.add(
        texts.why(.rates), [texts.total(of: report.days), report.rate.map(texts.sentence) ?? texts.why(.rateUnknown)])
    if let delays = texts.delays(in: report) { page.add(texts.why(.delays), delays) }
    let explanations = report.explanations.map { texts.sentence($0, of: dates) }
    page.add(texts.why(.title), explanations.isEmpty ? [texts.why(.nothing)] : explanations)
    let tables = report.valueTables
    let shown = tables.filter { lines in
        guard let dimension else { return lines.count > 1 && (lines[0].isLabel || isUsual(lines[0].dimension)) }
        return lines[0].dimension == dimension
    }
    for lines in shown { page.add(lines, texts) }
    let others = tables.map { $0[0].dimension }.filter { name in !shown.contains { $0[0].dimension == name } }
    if dimension == nil, !others.isEmpty {
        page.blank()
        page.paragraph(texts.why(.moreDimensions, others.joined(separator: texts.label(.listSeparator))))
    }
    return page.text
}

private func isUsual(_ dimension: String) -> Bool { ["product", "storefront", "app_version"].contains(dimension) }

extension LossReport {
    /// The names that values can be listed by.
    public var dimensions: [String] { valueTables.map { $0[0].dimension } }

    /// The values of each dimension, in the order of the report.
    fileprivate var valueTables: [[ValueLine]] {
        values.reduce(into: []) { tables, line in
            let isSame = tables.last.map { $0[0].dimension == line.dimension && $0[0].isLabel == line.isLabel } ?? false
            if isSame { tables[tables.count - 1].append(line) } else { tables.append([line]) }
        }
    }
}

extension ValueLine {
    /// The share of lost orders, 0 to 1.
    var rate: Double { purchases == 0 ? 0 : Double(lost) / Double(purchases) }
}

extension Texts {
    fileprivate func total(of days: [LossDay]) -> String {
        let (lost, all) = (days.reduce(0) { $0 + $1.lost }, days.reduce(0) { $0 + $1.purchases })
        return why(
            .allDates, days[0].date.text, days[days.count - 1].date.text, String(lost), String(all),
            percent(Double(lost) / Double(max(1, all))))
    }

    /// The delays of the newest settled date; nil without one.
    func delays(in report: LossReport) -> [String]? {
        let day =
            report.days.last { $0.date == report.delay?.date } ?? report.days.last { $0.isSettled && $0.p90 != nil }
        guard let day, let p50 = day.p50, let p90 = day.p90, let p99 = day.p99 else { return nil }
        return [why(.delayParts, day.date.text, duration(p50), duration(p90), duration(p99))]
            + (report.delay.map { [sentence($0)] } ?? [])
    }
}

extension ScreenPage {
    /// The values that are shown of a dimension.
    private static let valuesMax = 10

    fileprivate mutating func add(_ heading: String, _ lines: [String]) {
        blank()
        paragraph(heading, style: .bold)
        for line in lines { paragraph(line, indent: 2) }
    }

    /// Adds the values of a dimension with the most lost orders.
    fileprivate mutating func add(_ lines: [ValueLine], _ texts: Texts) {
        let name = lines[0].dimension
        add(texts.why(.by, texts.dimension(name, isLabel: lines[0].isLabel)), [])
        let sorted = lines.enumerated().ordered {
            ($1.element.lost, $1.element.purchases, $0.offset) < ($0.element.lost, $0.element.purchases, $1.offset)
        }
        let names = ["purchases", "lost_orders", "lost_order_rate", "lost_worth"]
        table(
            TextTable(
                columns: [(texts.title(lines[0]), false)] + names.map { (texts.column($0), $0 != "lost_worth") },
                rows: sorted.prefix(Self.valuesMax).map { cells(of: $0.element, texts) }, plain: { $0.sheetText ?? "" })
        )
        let rest = lines.count - Self.valuesMax
        if rest > 0 { paragraph(texts.why(.moreValues, String(rest), name), indent: 2) }
    }

    private func cells(of line: ValueLine, _ texts: Texts) -> [Cell] {
        [
            texts.value(line.value, of: line.dimension, isLabel: line.isLabel), String(line.purchases),
            String(line.lost), texts.percent(line.rate), texts.amounts(line.lostAmounts, shown: 2),
        ].map(Cell.text)
    }
}
