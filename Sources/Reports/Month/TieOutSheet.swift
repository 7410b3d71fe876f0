internal import Domain
internal import ReportData
internal import Xlsx

/// The first sheet of a month's workbook: the money tie-out, the roll-forward and the control totals.
///
/// Each figure has three cells: the value that this program computed, a live formula (SUMIFS or COUNTIFS) that adds up
/// the rows of a detail sheet or the lines above it, and a check, which is their rounded difference and must be 0. The
/// sum of all checks is at the top of the sheet, so a reviewer needs to look at one cell only. Because the page is laid
/// out before it is written, a formula may refer to rows below it. A month whose checks are not 0 is not published.
struct TieOutSheet {
    let report: MonthReport
    let writer: SheetWriter
    let texts: Texts
    let ranges: MonthRanges
    let words: WordTable
    var page = Page()
    /// Where each figure of the money is, by currency.
    var moneyCells: [Currency: [MonthLabel: String]] = [:]
    static let widths: [Double] = [24, 44, 17, 17, 13, 12, 12, 12, 12, 14, 14, 11, 14]

    init(_ report: MonthReport, _ ranges: MonthRanges, _ writer: SheetWriter) {
        self.report = report
        self.writer = writer
        self.ranges = ranges
        texts = writer.texts
        words = WordTable(writer.texts)
        addHead()
        (page.frozen, page.repeated) = (1, 0)
        addMoney()
        addRollForward()
        addPopulation()
        addCompleteness()
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
        page.addTotal(of: .text(texts.month(.allChecks), styles.label), column: 2)
        page.add()
        let head = [MonthLabel.name, .date, .signature].map { Page.Entry.text(texts.month($0), styles.header) }
        page.add([.text("", styles.header)] + head)
        for person in [MonthLabel.preparer, .reviewer] {
            page.add(
                [.text(texts.month(person), styles.label)] + (0..<3).map { _ in .text("", styles.blank) }, height: 24)
        }
    }

    mutating func heading(_ title: String, _ titles: [(text: String, isFigure: Bool)]) {
        page.add()
        page.add([.text(title, writer.styles.heading)])
        page.add(
            titles.map { .text($0.text, $0.isFigure ? writer.styles.figureHeader : writer.styles.header) }, height: 32)
    }
}
