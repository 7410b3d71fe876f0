internal import Engine
internal import Xlsx

/// All sheets of a month, laid out.
///
/// The first sheet, the tie-out, shows each figure as this program computed it, beside a live formula that adds up the
/// rows of the detail sheets, and a check that must be 0. An accountant can thus trace every figure to its rows. The
/// order of work follows from that: `MonthDetails` makes the tables and knows where their columns will be, the pages are
/// laid out with formulas that refer to them, `WorkbookCells` computes the formulas from all of it, and only then are the
/// sheets written, the tie-out first.
struct MonthBook {
    let cells = WorkbookCells()
    private let report: MonthReport
    private let writer: SheetWriter
    private let sheets: [MonthSheet: any BookSheet]

    init(_ report: MonthReport, _ writer: SheetWriter) {
        self.report = report
        self.writer = writer
        let texts = writer.texts
        let details = MonthDetails(report, texts, rowsMax: writer.rowsMax)
        var pages: [MonthSheet: Page] = [
            .tieOut: TieOutSheet(report, ranges: details.ranges, texts).page, .charts: Page(charts: report, texts),
            .bridge: BridgeSheet(report.apple, texts).page, .restated: Page(restated: report, texts),
            .year: Page(report.year, texts), .cohorts: Page(report.cohorts, texts),
            .journal: Page(journal: report, texts), .notes: notesPage(texts),
        ]
        if let apple = report.apple {
            pages[.inTransit] = Page(inTransit: apple, texts)
            pages[.partnerShare] = Page(partnerShare: apple, texts)
        }
        sheets = details.sheets.merging(pages) { $1 }
        for (sheet, content) in sheets {
            content.add(to: cells, named: texts.monthSheet(sheet), rowsMax: writer.rowsMax)
        }
    }

    func write(to workbook: inout Workbook) throws(XlsxError) {
        let texts = writer.texts
        for sheet in MonthSheet.allCases {
            try sheets[sheet]?.write(named: texts.monthSheet(sheet), with: writer, cells: cells, to: &workbook)
            guard sheet == .charts, !report.fulfilment.isEmpty else { continue }
            try Page(lostOrders: report.fulfilment, texts).write(
                named: texts.sheet(.lostOrders), with: writer, to: &workbook)
        }
    }
}

private func notesPage(_ texts: Texts) -> Page {
    var page = Page(widths: [46, 120], texts)
    for note in texts.monthNotes {
        // Programs other than Excel do not find the height of wrapped rows by themselves.
        let lines = max(wrapped(note.term, to: 38).count, wrapped(note.meaning, to: 96).count)
        page.add([.label(note.term), .text(note.meaning, \.wrapped)], height: 15.5 * Double(lines))
    }
    return page
}
