internal import Engine
internal import Xlsx

/// All sheets of a month, laid out.
///
/// The first sheet, the tie-out, shows each figure as this program computed it, beside a live formula that adds up the
/// rows of the detail sheets, and a check that must be 0. An accountant can thus trace every figure to its rows. The
/// order of work follows from that: `MonthDetails` makes the tables, `MonthRanges` knows where their columns will be,
/// the pages are laid out with formulas that refer to them, `WorkbookCells` computes the formulas from all of it, and
/// only then are the sheets written, the tie-out first.
struct MonthBook {
    let cells = WorkbookCells()
    private let report: MonthReport
    private let writer: SheetWriter
    private let details: MonthDetails
    private let pages: [MonthSheet: Page]

    init(_ report: MonthReport, _ writer: SheetWriter) {
        self.report = report
        self.writer = writer
        details = MonthDetails(report, writer.texts)
        let texts = writer.texts
        var pages: [MonthSheet: Page] = [
            .tieOut: TieOutSheet(report, MonthRanges(details, rowsMax: writer.rowsMax), texts).page,
            .bridge: BridgeSheet(report.apple, texts).page, .restated: RestatedSheet(report, texts).page,
            .year: YearSheet(report.year, texts).page, .cohorts: CohortSheet(report.cohorts, texts).page,
            .journal: JournalSheet(report, texts).page,
        ]
        if let apple = report.apple {
            pages[.inTransit] = TransitSheet(apple, texts).page
            pages[.partnerShare] = PartnerShareSheet(apple, texts).page
        }
        self.pages = pages
        for (sheet, page) in pages { cells.add(page, named: texts.monthSheet(sheet)) }
        let (cells, rowsMax) = (cells, writer.rowsMax)
        func know<Row>(_ detail: DetailSheet<Row>) { cells.add(detail.table, named: detail.name, rowsMax: rowsMax) }
        know(details.byApp)
        know(details.byProduct)
        know(details.byStorefront)
        know(details.bookings)
        know(details.refunds)
        know(details.open)
        know(details.cleared)
        know(details.cutOff)
        know(details.differences)
        know(details.register)
        know(details.nights)
    }

    func write(to workbook: inout Workbook) throws(XlsxError) {
        try add(.tieOut, TieOutSheet.widths, to: &workbook)
        try writer.addCharts(report, to: &workbook)
        if !report.fulfilment.isEmpty {
            let lost = LostOrderSheet(report.fulfilment, writer)
            try workbook.addSheet(writer.texts.sheet(.lostOrders)) { lost.write(to: &$0) }
        }
        if Set(report.sales.map(\.bundle)).count > 1 { try add(details.byApp, to: &workbook) }
        try add(details.byProduct, to: &workbook)
        try add(details.byStorefront, to: &workbook)
        try add(details.bookings, to: &workbook)
        try add(details.refunds, to: &workbook)
        try add(details.open, to: &workbook)
        try add(details.cleared, to: &workbook)
        try add(details.aging, to: &workbook)
        try add(details.cutOff, to: &workbook)
        try add(details.differences, to: &workbook)
        try add(details.register, to: &workbook)
        try add(details.nights, to: &workbook)
        try add(.bridge, BridgeSheet.widths, to: &workbook)
        try add(.inTransit, TransitSheet.widths, to: &workbook)
        try add(.partnerShare, PartnerShareSheet.widths, to: &workbook)
        try add(.restated, RestatedSheet.widths, to: &workbook)
        try add(.year, YearSheet.widths, to: &workbook)
        try add(.cohorts, CohortSheet.widths, to: &workbook)
        try add(.journal, JournalSheet.widths, to: &workbook)
        try add(details.sources, to: &workbook)
        try writer.addNotes(to: &workbook)
    }

    private func add(_ sheet: MonthSheet, _ widths: [Double], to workbook: inout Workbook) throws(XlsxError) {
        guard let page = pages[sheet] else { return }
        try writer.add(page, cells, named: writer.texts.monthSheet(sheet), widths: widths, to: &workbook)
    }

    private func add<Row>(_ detail: DetailSheet<Row>, to workbook: inout Workbook) throws(XlsxError) {
        let texts = writer.texts
        let words = DetailWords(total: { texts.month(.totalOf, $0) }, nothing: texts.month(.nothing))
        try writer.add(detail, cells, words, to: &workbook)
    }
}
