internal import Domain
internal import ReportData
internal import Xlsx

/// The closed months of the year up to this one, with quarters and the year to date as formulas over them.
struct YearSheet {
    private let texts: Texts
    private(set) var page: Page
    private static let ids = 4

    /// One row: a month as it was closed, or what changed since.
    private struct Row {
        var line: YearLine
        var status: String
        var movements: Movements
    }

    init(_ lines: [YearLine], _ texts: Texts) {
        self.texts = texts
        page = Page(title: texts.monthSheet(.year), widths: [11, 9, 22, 9] + Array(repeating: 15, count: 8))
        page.add([.text(texts.month(.yearWhat))])
        let rows = lines.flatMap { line -> [Row] in
            let own = Row(
                line: line, status: texts.month(line.isClosed ? .asClosed : .open), movements: line.reported)
            guard line.change != Movements() else { return [own] }
            return [own, Row(line: line, status: texts.month(.changedSince), movements: line.change)]
        }
        let quarters = Set(lines.map { Group(quarter: $0.quarter, currency: $0.currency) }).sorted()
        let years = Set(lines.map { Group(quarter: nil, currency: $0.currency) }).sorted()
        // Months stand below the sums, which have a heading and a header each, and an empty row before.
        let first = page.next + 3 + years.count + 3 + quarters.count + 3
        let range = first...(first + max(0, rows.count - 1))
        for (title, groups) in [(MonthLabel.yearToDate, years), (.quarters, quarters)] {
            heading(title)
            for group in groups { add(group, range) }
        }
        heading(.months)
        for row in rows { add(row) }
    }

    /// A quarter, or the year so far, in one currency.
    private struct Group: Hashable, Comparable {
        var quarter: Int?
        var currency: Currency

        static func < (left: Self, right: Self) -> Bool {
            (left.currency, left.quarter ?? 0) < (right.currency, right.quarter ?? 0)
        }
    }

    private mutating func heading(_ title: MonthLabel) {
        page.addHeading(
            texts.month(title),
            [texts.month(.quarter), texts.column("closed_month"), texts.month(.status), texts.column("currency")],
            movementLines.map { texts.month($0.label) })
    }

    private mutating func add(_ group: Group, _ range: ClosedRange<Int>) {
        let row = page.next
        let column = { (index: Int) in rangeName(range, column: index) }
        let quarter = group.quarter.map { _ in ",\(column(0)),\(cellName(row: row, column: 0))" } ?? ""
        let figures = movementLines.indices.map { index in
            Page.Entry.formula(
                "SUMIFS(\(column(Self.ids + index)),\(column(3)),\(cellName(row: row, column: 3))\(quarter))",
                group.currency)
        }
        page.add(
            [.text(group.quarter.map { "Q\($0)" } ?? ""), .text(""), .text(""), .text(group.currency.text)] + figures)
    }

    private mutating func add(_ row: Row) {
        let line = row.line
        page.add(
            [.text("Q\(line.quarter)"), .text(line.period), .text(row.status), .text(line.currency.text)]
                + movementLines.map { .money($0.value(row.movements), line.currency) })
    }
}
