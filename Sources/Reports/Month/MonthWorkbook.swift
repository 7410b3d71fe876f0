internal import Domain
public import ReportData
public import Xlsx

/// The detail sheets, as formulas refer to them.
struct MonthRanges {
    let byProduct: DetailRange
    let byStorefront: DetailRange
    let refunds: DetailRange
    let open: DetailRange
    let cutOff: DetailRange
    let differences: DetailRange
    let nights: DetailRange

    init(_ details: MonthDetails, _ texts: Texts, rowsMax: Int) {
        byProduct = DetailRange(texts.monthSheet(.byProduct), details.byProduct, rowsMax: rowsMax)
        byStorefront = DetailRange(texts.monthSheet(.byStorefront), details.byStorefront, rowsMax: rowsMax)
        refunds = DetailRange(texts.monthSheet(.refunds), details.refunds, rowsMax: rowsMax)
        open = DetailRange(texts.monthSheet(.open), details.open, rowsMax: rowsMax)
        cutOff = DetailRange(texts.monthSheet(.cutOff), details.cutOff, rowsMax: rowsMax)
        differences = DetailRange(texts.monthSheet(.differences), details.differences, rowsMax: rowsMax)
        nights = DetailRange(texts.monthSheet(.nights), details.nights, rowsMax: rowsMax)
    }
}

/// Writes `month.xlsx` into an open file. See docs/spec/interfaces.md#month-files.
///
/// The first sheet, the tie-out, shows each figure as this program computed it, beside a live formula that adds up the
/// rows of the detail sheets, and a check that must be 0. An accountant can thus trace every figure to its rows. The
/// order of work follows from that: `MonthDetails` makes the tables, `MonthRanges` knows where their columns will be,
/// `TieOutSheet` is laid out with formulas that refer to them, and only then are the sheets written, the tie-out first.
///
/// - Parameters:
///   - descriptor: the file, which is overwritten.
///   - temporaryFolder: where rows are kept until the workbook is complete.
///   - rowsMax: how many rows a sheet may have. A longer table continues on further sheets.
public func writeMonthWorkbook(
    _ report: MonthReport, _ texts: Texts, descriptor: Int32, temporaryFolder: String, rowsMax: Int = Sheet.rowsMax
) throws(XlsxError) {
    let createdAt = max(1, Int(report.asOf.milliseconds.flooredDivision(by: 1000)))
    var workbook = try Workbook(
        temporaryFolder: temporaryFolder, createdAt: createdAt, title: texts.month(.title) + " " + report.period)
    let writer = SheetWriter(
        styles: try SheetStyles(&workbook), texts: texts, zone: Zone(report.timeZone) ?? .utc,
        footer: texts.month(.footer, report.period), rowsMax: rowsMax)
    let details = MonthDetails(report, texts)
    let ranges = MonthRanges(details, texts, rowsMax: rowsMax)
    try writer.add(
        TieOutSheet(report, ranges, writer).page, named: texts.monthSheet(.tieOut), widths: TieOutSheet.widths,
        to: &workbook)
    try writer.addCharts(report, to: &workbook)
    try writer.add(details.byProduct, .byProduct, [34, 9], to: &workbook)
    try writer.add(details.byStorefront, .byStorefront, [12, 9], to: &workbook)
    try writer.add(
        details.refunds, .refunds, [19, 24, 10, 18, 17, 17, 11, 11, 9, 9, 12, 12, 17, 22, 26], printed: 13,
        to: &workbook)
    let exceptions: [Double] = [24, 26, 7, 11, 18, 18, 19, 22, 8, 9, 12, 11, 30, 12, 17, 26, 19, 24]
    try writer.add(details.open, .open, exceptions, printed: 11, to: &workbook)
    try writer.add(details.cleared, .cleared, exceptions, printed: 13, to: &workbook)
    let ages = details.aging.columns
    try writer.add(
        details.aging, .aging, [24, 9] + ages.dropFirst(2).map { _ in 11 }, printed: ages.count - 1, to: &workbook)
    let differences: [Double] = [9, 24, 19, 22, 16, 12, 17, 17, 17, 17, 22, 26, 24]
    try writer.add(details.cutOff, .cutOff, differences, printed: 10, to: &workbook)
    try writer.add(details.differences, .differences, differences, printed: 10, to: &workbook)
    try writer.add(details.nights, .nights, [11, 7, 24, 9], printed: 12, to: &workbook)
    let bridge = BridgeSheet(report.apple, writer)
    try writer.add(bridge.page, named: texts.monthSheet(.bridge), widths: BridgeSheet.widths, to: &workbook)
    if let apple = report.apple {
        try writer.add(
            TransitSheet(apple, writer).page, named: texts.monthSheet(.inTransit), widths: TransitSheet.widths,
            to: &workbook)
        try writer.add(
            PartnerShareSheet(apple, writer).page, named: texts.monthSheet(.partnerShare),
            widths: PartnerShareSheet.widths, to: &workbook)
    }
    try writer.add(
        RestatedSheet(report, writer).page, named: texts.monthSheet(.restated), widths: RestatedSheet.widths,
        to: &workbook)
    try writer.add(
        YearSheet(report.year, writer).page, named: texts.monthSheet(.year), widths: YearSheet.widths, to: &workbook)
    try writer.add(
        CohortSheet(report.cohorts, writer).page, named: texts.monthSheet(.cohorts), widths: CohortSheet.widths,
        to: &workbook)
    try writer.add(
        JournalSheet(report, writer).page, named: texts.monthSheet(.journal), widths: JournalSheet.widths,
        to: &workbook)
    let layout = texts.layout.sources
    try writer.add(
        Table(
            columns: layout.columns.compactMap { wanted in sourceCatalogue(texts).first { $0.name == wanted.column } },
            rows: report.sources),
        named: texts.monthSheet(.sources), layout: layout, to: &workbook)
    try writer.addNotes(to: &workbook)
    try workbook.close(into: descriptor)
}

extension SheetWriter {
    /// Adds a sheet that was laid out as a page.
    func add(
        _ page: Page, named name: String, widths: [Double], to workbook: inout Workbook
    ) throws(XlsxError) {
        try workbook.addSheet(name) { sheet in
            sheet.setWidths(widths)
            page.write(with: self, to: &sheet)
            sheet.setUpPrint(repeating: nil, footer: footer)
        }
    }

    /// Adds a detail sheet.
    ///
    /// - Parameters:
    ///   - widths: of the first columns; the others contain figures and have the same width.
    ///   - printed: how many columns, from the left, are printed; the others are only for the screen. Nil for all.
    func add<Row: Sendable>(
        _ table: Table<Row>, _ sheet: MonthSheet, _ widths: [Double], printed: Int? = nil, to workbook: inout Workbook
    ) throws(XlsxError) {
        let columns = table.columns.enumerated().map { index, column in
            Layout.Column(column: column.name, width: index < widths.count ? widths[index] : 13)
        }
        try add(
            table, named: texts.monthSheet(sheet), layout: Layout.Sheet(printed: printed, columns: columns),
            to: &workbook)
    }

    func addNotes(to workbook: inout Workbook) throws(XlsxError) {
        var page = Page()
        for note in texts.monthNotes {
            // Programs other than Excel do not find the height of wrapped rows by themselves.
            let lines = max(wrapped(note.term, to: 40).count, wrapped(note.meaning, to: 110).count)
            page.add([.text(note.term, styles.label), .text(note.meaning, styles.wrapped)], height: 15 * Double(lines))
        }
        try add(page, named: texts.monthSheet(.notes), widths: [46, 120], to: &workbook)
    }
}
