internal import Domain
internal import ReportData
internal import Xlsx

/// The first sheet of a month's workbook: the money tie-out, the roll-forward and the control totals.
///
/// Each figure has three cells: the value that this program computed, a live formula (SUMIFS or COUNTIFS) that adds up
/// the rows of a detail sheet, and a check, which is their rounded difference and must be 0. The formulas select rows
/// by the currency and code cells of their own line. The sum of all checks is at the top of the sheet, so a reviewer
/// needs to look at one cell only. Because the page is laid out before it is written, a formula may refer to rows below
/// it.
///
/// The three sections check different things. Money: each sum of the tie-out against the sales, refunds and differences
/// sheets. Roll-forward: opening and the movements of all nights against closing, and closing against the rows of open
/// exceptions. Control totals: rows = accepted + duplicates + rejected for each feed.
struct TieOutSheet {
    private let report: MonthReport
    private let writer: SheetWriter
    private let texts: Texts
    private let ranges: MonthRanges
    private let words: WordTable
    private(set) var page = Page()
    static let widths: [Double] = [10, 30, 22, 16, 16, 12, 12, 12, 12, 12, 12, 12, 12]

    init(_ report: MonthReport, _ ranges: MonthRanges, _ writer: SheetWriter) {
        self.report = report
        self.writer = writer
        self.ranges = ranges
        texts = writer.texts
        words = WordTable(writer.texts)
        addHead()
        addMoney()
        addRollForward()
        addSources()
    }

    /// Title, status, dates, coverage gaps, the sum of all checks, and lines for signatures.
    private mutating func addHead() {
        let styles = writer.styles
        page.add([.text(texts.month(.title) + " " + report.period, styles.title)])
        page.add([.text(monthStatus(report, texts), styles.headline)])
        page.add()
        page.add([.text(texts.month(.days), styles.label), .cell(.date(report.first)), .cell(.date(report.last))])
        page.add([.text(texts.label(.timeZone), styles.label), .text(report.timeZone)])
        page.add([.text(texts.label(.asOf), styles.label), .cell(.instant(report.asOf))])
        page.add([
            .text(texts.month(.lastNight), styles.label), .cell(.date(report.lastNight)),
            .text("\(texts.label(.run)) \(report.run), reconcile \(report.version)"),
        ])
        if let first = report.recordsFrom {
            page.add([
                .text(texts.month(.incomplete, ""), styles.label), .text(texts.month(.recordsFrom, first.text)),
            ])
        }
        for spot in report.coverageGaps {
            page.add([
                .text(texts.month(.incomplete, ""), styles.label), .cell(words.text(.feed, spot.feed.rawValue)),
                .cell(.date(spot.date)), .text(texts.sentence(spot.reason)),
            ])
        }
        for row in ClosingRows(report, writer).rows { page.add(row.entries, height: row.height) }
        page.addTotal(of: .text(texts.month(.allChecks), styles.label), column: 3)
        page.add()
        let head = [MonthLabel.name, .date, .signature].map { Page.Entry.text(texts.month($0), styles.header) }
        page.add([.text("", styles.header)] + head)
        for person in [MonthLabel.preparer, .reviewer] {
            page.add(
                [.text(texts.month(person), styles.label)] + (0..<3).map { _ in .text("", styles.blank) }, height: 24)
        }
    }

    private mutating func heading(_ label: MonthLabel, _ titles: [(text: String, isFigure: Bool)]) {
        page.add()
        page.add([.text(texts.month(label), writer.styles.heading)])
        page.add(
            titles.map { .text($0.text, $0.isFigure ? writer.styles.figureHeader : writer.styles.header) }, height: 32)
    }

    /// The money tie-out: a block per currency, then the counts of what has no price.
    private mutating func addMoney() {
        heading(
            .money,
            [
                (texts.column("currency"), false), (texts.month(.line), false),
                (texts.column("explanation_code"), false),
                (texts.month(.figure), true), (texts.month(.fromDetails), true), (texts.label(.check), true),
            ])
        if report.money.isEmpty { page.add([.text(texts.month(.nothing))]) }
        for line in report.money { add(line) }
        let unpriced = report.unpriced
        for (label, count) in [
            (MonthLabel.purchases, unpriced.purchases), (.refunds, unpriced.refunds), (.credited, unpriced.credited),
            (.reversed, unpriced.reversed),
        ] where count > 0 {
            page.add([
                .text(texts.label(.unpriced)), .text(texts.month(.unpriced) + ": " + texts.month(label)), .text(""),
                .cell(Cell(count)),
            ])
        }
    }

    private mutating func add(_ line: MoneyLine) {
        let currency = cellName(row: page.next, column: 0)
        for (label, value) in movementLines {
            // The sums are checked against two breakdowns of the same sales (by product and by storefront) and the list
            // of refunds, so that these are checked against each other too.
            let sheet: DetailRange =
                switch label {
                case .net, .netCredited, .difference: ranges.byStorefront
                default: ranges.byProduct
                }
            let formula =
                label == .refunds
                ? ranges.refunds.sum("amount", where: [("currency", currency)])
                : sheet.sum(texts.month(label), where: [("currency", currency)])
            addFigure(line.currency, texts.month(label), "", value(line.movements), formula, isLabel: label.isSum)
        }
        for explained in line.explained {
            let code = cellName(row: page.next, column: 2)
            let range = explained.reason == .cutOff ? ranges.cutOff : ranges.differences
            let formula = range.sum("difference", where: [("currency", currency), ("explanation_code", code)])
            addFigure(line.currency, texts.title(explained.reason), explained.reason.code, explained.minor, formula)
        }
        let code = cellName(row: page.next, column: 2)
        let formula = ranges.differences.sum("difference", where: [("currency", currency), ("explanation_code", code)])
        addFigure(line.currency, texts.month(.unexplained), "unexplained", line.unexplained, formula, isLabel: true)
        page.add()
    }

    /// Adds a line: figure, formula over the details, and check.
    private mutating func addFigure(
        _ currency: Currency, _ title: String, _ code: String, _ minor: Int64, _ formula: String, isLabel: Bool = false
    ) {
        let money = Cell.money(Money(minor: minor, currency: currency))
        let exponent = currency.exponent
        let (figure, details) = (cellName(row: page.next, column: 3), cellName(row: page.next, column: 4))
        page.add([
            .text(currency.text), .text(title, isLabel ? writer.styles.label : .plain), .text(code), .cell(money),
            .formula(formula, money), .check("ROUND(\(details)-\(figure),\(exponent))"),
        ])
    }
}

extension MonthLabel {
    fileprivate var isSum: Bool { self == .net || self == .netCredited || self == .difference }
}

extension TieOutSheet {
    /// Adds the roll-forward: first the counts, then the amounts.
    private mutating func addRollForward() {
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
        heading(
            label,
            [
                (texts.column("currency"), false), (texts.column("verdict"), false),
                (texts.column("verdict_code"), false),
            ]
                + movements + [(texts.month(.byRows), true), (texts.label(.check), true)])
        if lines.isEmpty { page.add([.text(texts.month(.nothing))]) }
        for line in lines {
            let row = page.next
            let conditions = [
                (column: "currency", cell: cellName(row: row, column: 0)),
                (column: "verdict_code", cell: cellName(row: row, column: 2)),
            ]
            let cell = { (value: CountAndAmount) in
                count?(value) ?? .money(Money(minor: value.minor, currency: line.currency))
            }
            let rows =
                count == nil ? ranges.open.sum("amount", where: conditions) : ranges.open.count(where: conditions)
            page.add(
                [
                    .text(line.currency == .absent ? texts.label(.unpriced) : line.currency.text),
                    .cell(words.verdict(line.verdict)), .text(line.verdict.rawValue),
                ] + rollForwardFigures.map { .cell(cell($0.value(line))) }
                    + [
                        .formula(rows, cell(line.closing)),
                        .check(
                            check(row, conditions, suffix: suffix, exponent: line.currency.exponent)),
                    ])
        }
    }

    /// The check of one line: opening plus the movements of all nights less closing, and open rows less closing.
    private func check(
        _ row: Int, _ conditions: [(column: String, cell: String)], suffix: String, exponent: Int
    ) -> String {
        let moved = rollForwardFigures.dropFirst().dropLast().map { figure in
            let isOut = ["changed_out", "resolved", "waived"].contains(figure.name)
            return (isOut ? "-(" : "+(") + ranges.nights.sum(figure.name + suffix, where: conditions) + ")"
        }.joined()
        let (opening, closing) = (cellName(row: row, column: 3), cellName(row: row, column: 10))
        let rows = cellName(row: row, column: 11)
        return "ROUND(ABS(\(opening)\(moved)-\(closing))+ABS(\(rows)-\(closing)),\(exponent))"
    }

    /// Adds the control totals of all files by feed.
    private mutating func addSources() {
        heading(
            .controlTotals,
            [(texts.column("feed"), false)]
                + [("", false), ("", false)]
                + ["rows", "accepted", "duplicates", "rejected"].map { (texts.column($0), true) }
                + [(texts.label(.check), true)])
        let feeds = Dictionary(grouping: report.sources, by: \.feed)
        if feeds.isEmpty { page.add([.text(texts.month(.nothing))]) }
        for (feed, files) in feeds.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            let counts = [\RowCounts.rows, \.accepted, \.duplicates, \.rejected].map { column in
                files.reduce(0) { $0 + $1.counts[keyPath: column] }
            }
            let cells = (3...6).map { cellName(row: page.next, column: $0) }
            page.add(
                [.cell(words.text(.feed, feed.rawValue)), .text(""), .text("")] + counts.map { .cell(Cell($0)) }
                    + [.check("\(cells[0])-\(cells[1])-\(cells[2])-\(cells[3])")])
        }
    }
}
