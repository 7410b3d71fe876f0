internal import Domain
internal import Engine
internal import Xlsx

extension SheetWriter {
    /// The sheet of charts: new exceptions by week, and the value of open ones by verdict, one chart per currency.
    func addCharts(_ report: MonthReport, to workbook: inout Workbook) throws(XlsxError) {
        let weeks = WeekLine.weeks(of: report.nights)
        try workbook.addSheet(texts.monthSheet(.charts)) { sheet in
            sheet.setWidths([30, 18, 18])
            var row = 0
            let first = writeBlock(
                texts.month(.exceptionsByWeek), [texts.month(.week), texts.month(.newInWeek), texts.month(.openAfter)],
                weeks.map { [.text($0.start), .integer(Int64($0.new)), .integer(Int64($0.open))] }, &row, &sheet)
            addBars(texts.month(.newInWeek), first, count: weeks.count, color: 0x2F5597, &sheet)
            row = max(row, first + 12)
            var (breaks, top) = ([Int](), 0)
            for currency in Set(report.rollForward.map(\.currency)).subtracting([.absent]).sorted() {
                let lines = report.rollForward.filter { $0.currency == currency && $0.closing.count > 0 }
                if lines.isEmpty { continue }
                let title = texts.month(.valueByVerdict, currency.text)
                let rows: [[Cell]] = lines.map { line in
                    [
                        .text(texts.explanation(line.verdict).title),
                        .money(Money(minor: line.closing.minor, currency: currency)), Cell(line.closing.count),
                    ]
                }
                // A chart is as high as its block, and a page has about 40 rows.
                let height = 8 + lines.count * 2
                if row + height - top > 40 {
                    breaks.append(row)
                    top = row
                }
                let start = writeBlock(
                    title, [texts.column("verdict"), texts.column("amount"), texts.label(.count)], rows, &row, &sheet)
                addBars(title, start, count: rows.count, color: 0xC55A11, &sheet)
                row = max(row, start + 4 + lines.count * 2)
            }
            sheet.breakPages(above: breaks)
            sheet.setUpPrint(repeating: nil, footer: footer)
        }
    }

    /// Writes a title, a header and rows. Returns the index of the first row.
    private func writeBlock(
        _ title: String, _ titles: [String], _ rows: [[Cell]], _ row: inout Int, _ sheet: inout Sheet
    ) -> Int {
        sheet.write(title, row: row, column: 0, style: styles.heading)
        writeHeader(titles.enumerated().map { ($1, $0 > 0) }, row: row + 1, to: &sheet)
        row += 2
        let first = row
        for cells in rows {
            for (column, cell) in cells.enumerated() { write(cell, row: row, column: column, to: &sheet) }
            row += 1
        }
        row += 1
        return first
    }

    private func addBars(_ title: String, _ first: Int, count: Int, color: UInt32, _ sheet: inout Sheet) {
        guard count > 0 else { return }
        sheet.addBars(
            of: first...(first + count - 1), names: 0, values: 1, title: title, row: first - 2, column: 4,
            size: (620, 90 + 30 * Double(count)), color: color)
    }
}

/// A week's exceptions of all verdicts and currencies: counts, not values.
private struct WeekLine {
    /// The date of the Monday.
    var start: String
    var new = 0
    /// Open exceptions after the week's last night.
    var open = 0

    static func weeks(of nights: [NightMovement]) -> [WeekLine] {
        var weeks: [Int: WeekLine] = [:]
        var lastRun: [Int: RunID] = [:]
        for night in nights {
            // 1970-01-05 was a Monday.
            let week = Int(Int64(night.date.day - 4).flooredDivision(by: 7))
            var line = weeks[week] ?? WeekLine(start: BusinessDate(day: Int32(week * 7 + 4)).text)
            line.new += night.line.new.count + night.line.reopened.count
            if lastRun[week] != night.run { line.open = 0 }
            lastRun[week] = night.run
            line.open += night.line.closing.count
            weeks[week] = line
        }
        return weeks.sorted { $0.key < $1.key }.map(\.value)
    }
}
