internal import Domain
public import ReportData
public import Xlsx

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
    var summary = SummarySheet(blocks, writer)
    try workbook.addSheet(texts.sheet(.summary)) { summary.write(to: &$0) }
    if !report.purchases.isEmpty {
        let lost = LostOrderSheet(report.purchases, writer)
        try workbook.addSheet(texts.sheet(.lostOrders)) { lost.write(to: &$0) }
    }
    try addExceptions(report, writer, to: &workbook)
    try addOthers(report, blocks.figures, writer, to: &workbook)
    return workbook
}

/// Adds the sheets of new and of resolved exceptions, and one for each verdict with exceptions.
private func addExceptions(
    _ report: NightReport, _ writer: SheetWriter, to workbook: inout Workbook
) throws(XlsxError) {
    let (texts, layout) = (writer.texts, writer.texts.layout)
    let catalogue = exceptionCatalogue(texts)
    func add(_ name: String, _ rows: [ExceptionRow], _ layout: Layout.Sheet) throws(XlsxError) {
        let columns = layout.columns.compactMap { catalogue[$0.column] }
        try writer.add(Table(columns: columns, rows: rows), named: name, layout: layout, to: &workbook)
    }
    try add(texts.sheet(.new), report.exceptions.filter { $0.state == .new }, layout.new)
    try add(texts.sheet(.resolved), report.exceptions.filter { $0.state == .resolved }, layout.exceptions)
    let standing = Dictionary(grouping: report.exceptions.lazy.filter { $0.state != .resolved }) { $0.verdict }
    for verdict in exceptionVerdicts {
        guard let rows = standing[verdict] else { continue }
        try add(texts.explanation(verdict).title, rows, layout.exceptions)
    }
}

private func addOthers(
    _ report: NightReport, _ figures: NightFigures, _ writer: SheetWriter, to workbook: inout Workbook
) throws(XlsxError) {
    let (texts, layout) = (writer.texts, writer.texts.layout)
    func add<Row>(_ sheet: SheetKind, _ table: Table<Row>, _ layout: Layout.Sheet) throws(XlsxError) {
        try writer.add(table, named: texts.sheet(sheet), layout: layout, to: &workbook)
    }
    let aging = Table(columns: agingColumns(texts), rows: figures.aging)
    try add(.aging, aging, figureLayout(aging.columns))
    let rollForward = Table(columns: rollForwardColumns(texts), rows: report.rollForward)
    try add(.rollForward, rollForward, figureLayout(rollForward.columns))
    try add(.refunds, table(refundCatalogue(texts), report.refunds, layout.refunds), layout.refunds)
    try add(.rejects, table(rejectCatalogue, report.rejects, layout.rejects), layout.rejects)
    try add(.sources, table(sourceCatalogue(texts), report.files, layout.sources), layout.sources)
}

/// A layout for verdict, currency, then counts and amounts by turns, and at the end the verdict's code, for the screen
/// only.
private func figureLayout<Row>(_ columns: [Column<Row>]) -> Layout.Sheet {
    let widths: [Double] = [24, 9] + (2..<columns.count - 1).map { $0 % 2 == 0 ? 11 : 13 } + [24]
    return Layout.Sheet(
        printed: columns.count - 1,
        columns: zip(columns, widths).map { Layout.Column(column: $0.name, width: $1) })
}

private func table<Row>(_ catalogue: [Column<Row>], _ rows: [Row], _ layout: Layout.Sheet) -> Table<Row> {
    Table(columns: layout.columns.compactMap { wanted in catalogue.first { $0.name == wanted.column } }, rows: rows)
}
