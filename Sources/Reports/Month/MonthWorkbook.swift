internal import Domain
public import ReportData
public import Xlsx

/// The detail sheets, as formulas refer to them.
struct MonthRanges {
    let byProduct: DetailRange
    let byStorefront: DetailRange
    let bookings: DetailRange
    let refunds: DetailRange
    let open: DetailRange
    let cutOff: DetailRange
    let differences: DetailRange
    let nights: DetailRange
    let register: DetailRange

    init(_ details: MonthDetails, rowsMax: Int) {
        func range<Row>(_ detail: DetailSheet<Row>) -> DetailRange {
            DetailRange(detail.name, detail.table, rowsMax: rowsMax)
        }
        byProduct = range(details.byProduct)
        byStorefront = range(details.byStorefront)
        bookings = range(details.bookings)
        refunds = range(details.refunds)
        open = range(details.open)
        cutOff = range(details.cutOff)
        differences = range(details.differences)
        nights = range(details.nights)
        register = range(details.register)
    }
}

/// Writes `month.xlsx` into an open file. See docs/spec/interfaces.md#month-files.
///
/// - Parameters:
///   - descriptor: the file, which is overwritten.
///   - temporaryFolder: where rows are kept until the workbook is complete.
///   - rowsMax: how many rows a sheet may have. A longer table continues on further sheets.
/// - Returns: the checks that do not come to 0. A workbook with such a check must not be published.
public func writeMonthWorkbook(
    _ report: MonthReport, _ texts: Texts, descriptor: Int32, temporaryFolder: String, rowsMax: Int = Sheet.rowsMax
) throws(XlsxError) -> [String] {
    let createdAt = max(1, Int(report.asOf.milliseconds.flooredDivision(by: 1000)))
    var workbook = try Workbook(
        temporaryFolder: temporaryFolder, createdAt: createdAt, title: texts.month(.title) + " " + report.period)
    let writer = SheetWriter(
        styles: try SheetStyles(workbook), texts: texts, zone: Zone(report.timeZone) ?? .utc,
        footer: texts.month(.footer, report.period), rowsMax: rowsMax)
    let book = MonthBook(report, writer)
    try book.write(to: &workbook)
    try workbook.close(into: descriptor)
    return book.cells.failedChecks
}

extension SheetWriter {
    /// Adds a sheet that was laid out as a page.
    func add(
        _ page: Page, _ cells: WorkbookCells, named name: String, widths: [Double], to workbook: inout Workbook
    ) throws(XlsxError) {
        try workbook.addSheet(name) { sheet in
            sheet.setWidths(widths)
            page.write(with: self, cells, widths: widths, to: &sheet)
            sheet.setUpPrint(repeating: page.repeated, footer: footer)
        }
    }

    func addNotes(to workbook: inout Workbook) throws(XlsxError) {
        var page = Page()
        for note in texts.monthNotes {
            // Programs other than Excel do not find the height of wrapped rows by themselves.
            let lines = max(wrapped(note.term, to: 38).count, wrapped(note.meaning, to: 96).count)
            page.add([.label(note.term), .text(note.meaning, \.wrapped)], height: 15.5 * Double(lines))
        }
        let cells = WorkbookCells()
        cells.add(page, named: texts.monthSheet(.notes))
        try add(page, cells, named: texts.monthSheet(.notes), widths: [46, 120], to: &workbook)
    }
}
