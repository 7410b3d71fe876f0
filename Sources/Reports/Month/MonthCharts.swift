extension Page {
    /// The sheet of charts: new exceptions by week, and the value of open ones by verdict, one chart per currency.
    init(charts report: MonthReport, _ texts: Texts) {
        self.init(widths: [30, 18, 18], texts)
        let weeks = weeks(of: report.nights)
        addChart(
            texts.month(.newInWeek), color: 0x2F5597, heading: texts.month(.exceptionsByWeek),
            columns: [texts.month(.week), texts.month(.newInWeek), texts.month(.openAfter)],
            rows: weeks.map { [.text($0.start), .cell(Cell($0.new)), .cell(Cell($0.open))] }, height: 12)
        var top = 0
        for currency in Set(report.rollForward.map(\.currency)).subtracting([.absent]).ordered() {
            let lines = report.rollForward.filter { $0.currency == currency && $0.closing.count > 0 }
            if lines.isEmpty { continue }
            let title = texts.month(.valueByVerdict, currency.text)
            // A chart is as high as its block, and a page has about 36 rows.
            if next + 7 + lines.count - top > 36 {
                breaks.append(next)
                top = next
            }
            addChart(
                title, color: 0xC55A11, heading: title,
                columns: [texts.column("verdict"), texts.column("amount"), texts.label(.count)],
                rows: lines.map { line in
                    [
                        .text(texts.title(line.verdict)), .money(line.closing.minor, currency),
                        .cell(Cell(line.closing.count)),
                    ]
                }, height: 4 + lines.count)
        }
    }

    /// Adds a heading, a table and beside it a chart of its second column.
    ///
    /// - Parameter height: how many rows the chart needs at least.
    private mutating func addChart(
        _ title: String, color: UInt32, heading: String, columns: [String], rows: [[Entry]], height: Int
    ) {
        add([.text(heading, \.heading)])
        add([.header(columns[0])] + columns.dropFirst().map(Entry.figureHeader))
        let first = next
        for row in rows { add(row) }
        if !rows.isEmpty {
            charts.append(
                BarChart(
                    rows: first...(next - 1), values: 1, title: title, row: first - 2, column: 4,
                    size: (620, 80 + 20 * Double(rows.count)), color: color))
        }
        repeat { add() } while next < first + height
    }
}

/// The exceptions of all verdicts and currencies by week, from its Monday: how many were new, and how many were open after its
/// last night. Counts, not values.
private func weeks(of nights: [NightMovement]) -> [(start: String, new: Int, open: Int)] {
    // 1970-01-05 was a Monday.
    let weeks = Dictionary(grouping: nights) { Int64($0.date.day - 4).flooredDivision(by: 7) }
    return weeks.ordered().map { week, nights in
        (
            BusinessDate(day: Int32(week * 7 + 4)).text,
            nights.reduce(0) { $0 + $1.line.new.count + $1.line.reopened.count },
            nights.filter { $0.run == nights.last?.run }.reduce(0) { $0 + $1.line.closing.count }
        )
    }
}
