internal import Domain
internal import ReportData
internal import Xlsx

/// What later evidence has changed in closed months: by figure, then by subject.
struct RestatedSheet {
    private let writer: SheetWriter
    private let texts: Texts
    private(set) var page = Page()
    static let widths: [Double] = [12, 26, 22, 16, 16, 16, 16, 12]
    /// The sums from which the others are computed.
    private static let lines = movementLines.filter {
        [.purchases, .refunds, .refundReversals, .credited, .reversed].contains($0.label)
    }

    init(_ report: MonthReport, _ writer: SheetWriter) {
        self.writer = writer
        texts = writer.texts
        page.add([.text(texts.monthSheet(.restated), writer.styles.title)])
        guard !report.restated.isEmpty || !report.restatedSubjects.isEmpty else {
            page.add([.text(texts.month(.restatedNothing))])
            return
        }
        page.addTotal(of: .text(texts.month(.allChecks), writer.styles.label), column: 3)
        page.add()
        header(["closed_month", "currency"], [.line, .reported, .now, .change, .bySubject])
        let first = page.next + report.restated.count * Self.lines.count + 3
        let last = first + max(0, report.restatedSubjects.count - 1)
        for line in report.restated { add(line, subjects: (first, last)) }
        page.add()
        page.add([.text(texts.month(.bySubject), writer.styles.heading)])
        header(
            ["closed_month", "currency", "subject_id", "product_id"],
            [.purchases, .refunds, .refundReversals, .credited, .reversed])
        for subject in report.restatedSubjects { add(subject) }
    }

    private mutating func header(_ columns: [String], _ labels: [MonthLabel]) {
        var titles = columns.map { Page.Entry.text(texts.column($0), writer.styles.header) }
        titles += labels.map { .text(texts.month($0), $0 == .line ? writer.styles.header : writer.styles.figureHeader) }
        if labels.contains(.bySubject) { titles.append(.text(texts.label(.check), writer.styles.figureHeader)) }
        page.add(titles, height: 32)
    }

    private mutating func add(_ line: RestatedLine, subjects: (first: Int, last: Int)) {
        let money = { (minor: Int64) in Cell.money(Money(minor: minor, currency: line.currency)) }
        for (index, (label, value)) in Self.lines.enumerated() {
            let row = page.next
            let range = { (column: Int) in
                cellName(row: subjects.first, column: column) + ":" + cellName(row: subjects.last, column: column)
            }
            // SUMIFS would read the month as a date.
            let rows = "(\(range(0))=\(cellName(row: row, column: 0)))*(\(range(1))=\(cellName(row: row, column: 1)))"
            let exponent = line.currency.exponent
            page.add([
                .text(line.period), .text(line.currency.text), .text(texts.month(label)),
                .cell(money(value(line.reported))),
                .cell(money(value(line.now))), .cell(money(value(line.change))),
                .formula("SUMPRODUCT(\(rows)*\(range(4 + index)))", money(value(line.change))),
                .check("ROUND(\(cellName(row: row, column: 6))-\(cellName(row: row, column: 5)),\(exponent))"),
            ])
        }
    }

    private mutating func add(_ subject: RestatedSubject) {
        page.add(
            [
                .text(subject.period), .text(subject.currency.text),
                .text(subject.subject.isEmpty ? texts.month(.otherVersion) : subject.subject),
                .text(subject.product ?? ""),
            ]
                + Self.lines.map { line in
                    .cell(.money(Money(minor: line.value(subject.change), currency: subject.currency)))
                })
    }
}
