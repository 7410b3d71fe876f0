internal import Domain
internal import ReportData

/// The roll-forward of the month's exceptions, and the control totals of its files.
extension TieOutSheet {
    /// Adds the roll-forward: first the counts, then the amounts.
    mutating func addRollForward() {
        addRollForward(.rollForward, { .integer(Int64($0.count)) }, suffix: "", report.rollForward)
        addRollForward(
            .rollForwardAmounts, nil, suffix: "_amount", report.rollForward.filter { $0.currency != .absent })
    }

    /// - Parameters:
    ///   - count: how a count becomes a cell; nil to show amounts.
    ///   - suffix: of the columns' names on the nights sheet.
    private mutating func addRollForward(
        _ label: MonthLabel, _ count: ((CountAndAmount) -> Cell)?, suffix: String, _ lines: [RollForwardLine]
    ) {
        let movements = rollForwardFigures.map { (texts.column($0.name), true) }
        page.beginPart()
        heading(
            texts.month(label),
            [(texts.column("currency"), false), (texts.column("verdict"), false)]
                + movements + [(texts.month(.byRows), true), (texts.label(.check), true)])
        if lines.isEmpty { page.add([.text(texts.month(.nothing))]) }
        for line in lines {
            let row = page.next
            let conditions = [
                RangeCondition("currency", cell: cellName(row: row, column: 0)),
                RangeCondition("verdict_code", is: line.verdict.rawValue),
            ]
            let cell = { (value: CountAndAmount) in
                count?(value) ?? .money(Money(minor: value.minor, currency: line.currency))
            }
            let rows =
                count == nil ? ranges.open.sum("amount", where: conditions) : ranges.open.count(where: conditions)
            page.add(
                [
                    .text(line.currency == .absent ? texts.label(.unpriced) : line.currency.text),
                    .cell(words.verdict(line.verdict)),
                ] + rollForwardFigures.map { .cell(cell($0.value(line))) }
                    + [
                        .formula(rows, cell(line.closing)),
                        .check(check(row, conditions, suffix: suffix, exponent: line.currency.exponent)),
                    ])
        }
    }

    /// The check of one line: opening plus the movements of all nights less closing, and open rows less closing.
    private func check(_ row: Int, _ conditions: [RangeCondition], suffix: String, exponent: Int) -> String {
        let moved = rollForwardFigures.dropFirst().dropLast().map { figure in
            let isOut = ["changed_out", "resolved", "waived"].contains(figure.name)
            return (isOut ? "-(" : "+(") + ranges.nights.sum(figure.name + suffix, where: conditions) + ")"
        }.joined()
        let (opening, closing) = (cellName(row: row, column: 2), cellName(row: row, column: 9))
        let rows = cellName(row: row, column: 10)
        return "ROUND(ABS(\(opening)\(moved)-\(closing))+ABS(\(rows)-\(closing)),\(exponent))"
    }

    /// Adds the control totals of all files by feed.
    mutating func addSources() {
        page.beginPart()
        heading(
            texts.month(.controlTotals),
            [(texts.column("feed"), false), ("", false)]
                + ["rows", "accepted", "duplicates", "rejected"].map { (texts.column($0), true) }
                + [(texts.label(.check), true)])
        let feeds = Dictionary(grouping: report.sources, by: \.feed)
        if feeds.isEmpty { page.add([.text(texts.month(.nothing))]) }
        for (feed, files) in feeds.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            let counts = [\RowCounts.rows, \.accepted, \.duplicates, \.rejected].map { column in
                files.reduce(0) { $0 + $1.counts[keyPath: column] }
            }
            let cells = (2...5).map { cellName(row: page.next, column: $0) }
            page.add(
                [.cell(words.text(.feed, feed.rawValue)), .text("")] + counts.map { .cell(Cell($0)) }
                    + [.check("\(cells[0])-\(cells[1])-\(cells[2])-\(cells[3])")])
        }
    }
}
