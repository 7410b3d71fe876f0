public import Engine

/// Writes the sheets of `reconciliation.xlsx`. The caller closes the workbook into an open file.
/// See docs/spec/interfaces.md#night-workbook.
///
/// - Parameters:
///   - temporaryFolder: where rows are kept until the workbook is closed.
///   - rowsMax: how many rows a sheet may have. A longer table continues on further sheets.
public func nightWorkbook(
    _ report: NightReport, _ texts: Texts, temporaryFolder: String, rowsMax: Int = Sheet.rowsMax
) throws(XlsxError) -> Workbook {
    // 0 would mean "now" to libxlsxwriter, so the first second of 1970 becomes the second.
    let createdAt = max(1, Int(report.asOf.milliseconds.flooredDivision(by: 1000)))
    let title = texts.label(.title) + " " + report.businessDate.text
    var workbook = try Workbook(temporaryFolder: temporaryFolder, createdAt: createdAt, title: title)
    let writer = SheetWriter(
        styles: try SheetStyles(workbook), texts: texts, zone: Zone(report.timeZone) ?? .utc,
        footer: texts.label(.footer, report.businessDate.text), rowsMax: rowsMax)
    let blocks = NightBlocks(report, texts)
    try SummarySheet(blocks).page.write(named: texts.sheet(.summary), with: writer, to: &workbook)
    if !report.purchases.isEmpty {
        try Page(lostOrders: report.purchases, texts).write(
            named: texts.sheet(.lostOrders), with: writer, to: &workbook)
    }
    try addExceptions(report, writer, to: &workbook)
    try addOthers(report, blocks.figures, with: writer, to: &workbook)
    return workbook
}

/// Adds the sheets of new and of resolved exceptions, and one for each verdict with exceptions.
private func addExceptions(
    _ report: NightReport, _ writer: SheetWriter, to workbook: inout Workbook
) throws(XlsxError) {
    let (texts, layout) = (writer.texts, writer.texts.layout)
    let catalogue = exceptionCatalogue(texts).values
    let new = report.exceptions.filter { $0.state == .new }
    try writer.add(new, named: texts.sheet(.new), catalogue: catalogue, layout: layout.new, to: &workbook)
    func add(_ rows: [ExceptionRow], named name: String) throws(XlsxError) {
        try writer.add(rows, named: name, catalogue: catalogue, layout: layout.exceptions, to: &workbook)
    }
    try add(report.exceptions.filter { $0.state == .resolved }, named: texts.sheet(.resolved))
    let standing = Dictionary(grouping: report.exceptions.lazy.filter { $0.state != .resolved }) { $0.verdict }
    for verdict in exceptionVerdicts {
        if let rows = standing[verdict] { try add(rows, named: texts.title(verdict)) }
    }
}

private func addOthers(
    _ report: NightReport, _ figures: NightFigures, with writer: SheetWriter, to workbook: inout Workbook
) throws(XlsxError) {
    let (texts, layout) = (writer.texts, writer.texts.layout)
    func add<Row>(
        _ rows: [Row], to sheet: SheetKind, _ catalogue: [Column<Row>], layout: Layout.Sheet? = nil
    ) throws(XlsxError) {
        try writer.add(
            rows, named: texts.sheet(sheet), catalogue: catalogue, layout: layout ?? figureLayout(catalogue),
            to: &workbook)
    }
    try add(figures.aging, to: .aging, agingColumns(texts))
    try add(report.rollForward, to: .rollForward, rollForwardColumns(texts))
    try add(report.refunds, to: .refunds, refundCatalogue(texts), layout: layout.refunds)
    try add(report.rejects, to: .rejects, rejectCatalogue, layout: layout.rejects)
    try add(report.files, to: .sources, sourceCatalogue(texts), layout: layout.sources)
}

/// A layout for verdict, currency, then counts and amounts by turns, and at the end the verdict's code, for the screen
/// only.
private func figureLayout<Row>(_ columns: [Column<Row>]) -> Layout.Sheet {
    let widths: [Double] = [24, 9] + (2..<columns.count - 1).map { $0 % 2 == 0 ? 11 : 13 } + [24]
    return Layout.Sheet(
        printed: columns.count - 1,
        columns: zip(columns, widths).map { Layout.Column(column: $0.name, width: $1) })
}
