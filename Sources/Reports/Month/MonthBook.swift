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
            .tieOut: TieOutSheet(report, details.ranges, texts).page, .bridge: BridgeSheet(report.apple, texts).page,
            .restated: RestatedSheet(report, texts).page, .year: YearSheet(report.year, texts).page,
            .cohorts: CohortSheet(report.cohorts, texts).page, .journal: JournalSheet(report, texts).page,
            .notes: notesPage(texts),
        ]
        if let apple = report.apple {
            pages[.inTransit] = TransitSheet(apple, texts).page
            pages[.partnerShare] = PartnerShareSheet(apple, texts).page
        }
        sheets = details.sheets.merging(pages) { $1 }
        for (sheet, content) in sheets {
            content.add(to: cells, named: texts.monthSheet(sheet), rowsMax: writer.rowsMax)
        }
    }

    func write(to workbook: inout Workbook) throws(XlsxError) {
        for sheet in MonthSheet.allCases {
            if sheet == .charts { try addCharts(to: &workbook) }
            try sheets[sheet]?.write(
                named: writer.texts.monthSheet(sheet), with: writer, cells: cells, to: &workbook)
        }
    }

    private func addCharts(to workbook: inout Workbook) throws(XlsxError) {
        try writer.addCharts(report, to: &workbook)
        if report.fulfilment.isEmpty { return }
        let lost = LostOrderSheet(report.fulfilment, writer)
        try workbook.addSheet(writer.texts.sheet(.lostOrders)) { lost.write(to: &$0) }
    }
}

private func notesPage(_ texts: Texts) -> Page {
    var page = Page(widths: [46, 120])
    for note in texts.monthNotes {
        // Programs other than Excel do not find the height of wrapped rows by themselves.
        let lines = max(wrapped(note.term, to: 38).count, wrapped(note.meaning, to: 96).count)
        page.add([.label(note.term), .text(note.meaning, \.wrapped)], height: 15.5 * Double(lines))
    }
    return page
}
