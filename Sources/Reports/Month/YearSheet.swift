extension Page {
    /// The closed months of the year up to this one, and those of the year before where any has changed.
    init(year report: MonthReport, _ texts: Texts) {
        self.init(title: texts.monthSheet(.year), widths: [11, 9, 22, 9] + Array(repeating: 15, count: 8), texts)
        add([.text(texts.month(.yearWhat))])
        if let other = texts.otherCalendar(report) { add([.label(other)]) }
        addYear(report.year, .yearToDate)
        if !report.priorYear.isEmpty { addYear(report.priorYear, .priorYear) }
    }

    /// Months, with quarters and the year as formulas over them.
    private mutating func addYear(_ lines: [YearLine], _ year: MonthLabel) {
        let currencies = Set(lines.map(\.currency)).ordered()
        let years = currencies.map { (quarter: Int?.none, currency: $0) }
        let quarters = currencies.flatMap { currency in
            Set(lines.filter { $0.currency == currency }.map(\.quarter)).ordered().map {
                (quarter: Int?.some($0), currency: currency)
            }
        }
        // Months stand below the sums, which have a heading and a header each, and an empty row before.
        let first = next + 3 + years.count + 3 + quarters.count + 3
        let count = lines.count + lines.count { $0.change != .zero }
        for (title, groups) in [(year, years), (.quarters, quarters)] {
            addYearHeading(title)
            for group in groups {
                addSums(of: group.quarter, group.currency, over: first...(first + max(0, count - 1)))
            }
        }
        addYearHeading(.months)
        for line in lines {
            add(line.reported, of: line, as: line.isClosed ? .asClosed : .open)
            if line.change != .zero { add(line.change, of: line, as: .changedSince) }
        }
    }

    private mutating func addYearHeading(_ title: MonthLabel) {
        addHeading(
            texts.month(title),
            texts: [
                texts.month(.quarter), texts.column("month"), texts.month(.status), texts.column("currency"),
            ], figures: movementLines.map { texts.month($0.label) })
    }

    /// Adds the sums of a quarter, or of the year so far without one.
    private mutating func addSums(of quarter: Int?, _ currency: Currency, over rows: ClosedRange<Int>) {
        let row = next
        let own = (quarter == nil ? [3] : [3, 0]).map { column in
            (range: Formula.column(column, rows), value: Formula.cell(row: row, column: column))
        }
        let figures = movementLines.indices.map { index in
            Entry.formula(.sums(.column(4 + index, rows), where: own), currency)
        }
        add([.text(quarter.map(name) ?? ""), .text(""), .text(""), .text(currency.text)] + figures)
    }

    private func name(_ quarter: Int) -> String { texts.month(.quarterOf, String(quarter)) }

    /// Adds a month as it was closed, or what changed since.
    private mutating func add(_ movements: Movements, of line: YearLine, as status: MonthLabel) {
        add(
            [.text(name(line.quarter)), .text(line.period), .text(texts.month(status)), .text(line.currency.text)]
                + movementLines.map { .money($0.value(movements), line.currency) })
    }
}
