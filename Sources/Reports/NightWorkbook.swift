public import Domain
public import Xlsx

/// Writes `reconciliation.xlsx` into an open file. INTERFACES §3.
///
/// - Parameter rowsMax: how many rows a sheet may have.
public func writeWorkbook(
    _ report: NightReport, _ texts: Texts, descriptor: Int32, temporaryFolder: String, rowsMax: Int = Sheet.rowsMax
) throws(XlsxError) {
    // A workbook that was made in the first second of 1970 gets the next one: 0 would be the clock's.
    let createdAt = max(1, Int(report.asOf.flooredDivision(by: 1000)))
    let title = texts.label(.title) + " " + report.businessDate
    var book = try Workbook(
        descriptor: descriptor, temporaryFolder: temporaryFolder, createdAt: createdAt, title: title)
    let writer = SheetWriter(
        styles: try SheetStyles(&book), texts: texts, zone: Zone(report.timeZone) ?? .utc,
        footer: texts.label(.footer, report.businessDate), rowsMax: rowsMax)
    let figures = NightFigures(report.exceptions)
    var summary = SummarySheet(report, figures, writer)
    try book.addSheet(texts.sheet(.summary)) { summary.write(to: &$0) }
    try addExceptionSheets(report, writer, &book)
    try addOtherSheets(report, figures, writer, &book)
    try book.close()
}

/// What is new, what was resolved, and a sheet for each verdict that has rows.
private func addExceptionSheets(
    _ report: NightReport, _ writer: SheetWriter, _ book: inout Workbook
) throws(XlsxError) {
    let catalogue = exceptionCatalogue(writer.texts)
    let layout = writer.texts.layout.exceptions
    let columns = layout.columns.compactMap { catalogue[$0.column] }
    func add(_ name: String, _ rows: [ExceptionRow]) throws(XlsxError) {
        try writer.add(Table(columns: columns, rows: rows), named: name, layout: layout, to: &book)
    }
    let resolved = report.exceptions.filter { $0.state == .resolved }
    let standing = Dictionary(grouping: report.exceptions.lazy.filter { $0.state != .resolved }, by: \.verdict)
    try add(writer.texts.sheet(.new), report.exceptions.filter { $0.state == .new })
    try add(writer.texts.sheet(.resolved), resolved)
    for verdict in exceptionVerdicts {
        if let rows = standing[verdict] { try add(writer.texts.explanation(verdict).title, rows) }
    }
}

private func addOtherSheets(
    _ report: NightReport, _ figures: NightFigures, _ writer: SheetWriter, _ book: inout Workbook
) throws(XlsxError) {
    let texts = writer.texts
    let aging = Table(columns: agingColumns(texts), rows: figures.aging)
    try writer.add(aging, named: texts.sheet(.aging), layout: figureLayout(aging.columns), to: &book)
    let rollForward = Table(columns: rollForwardColumns(texts), rows: report.rollForward)
    let layout = figureLayout(rollForward.columns)
    try writer.add(rollForward, named: texts.sheet(.rollForward), layout: layout, to: &book)
    try writer.add(
        table(refundCatalogue(texts), report.refunds, texts.layout.refunds), named: texts.sheet(.refunds),
        layout: texts.layout.refunds, to: &book)
    try writer.add(
        table(rejectCatalogue, report.rejects, texts.layout.rejects), named: texts.sheet(.rejects),
        layout: texts.layout.rejects, to: &book)
    try writer.add(
        table(sourceCatalogue(texts), report.files, texts.layout.sources), named: texts.sheet(.sources),
        layout: texts.layout.sources, to: &book)
}

/// Verdict, currency, then numbers and amounts by turns; at the end the verdict's code, for the screen only.
private func figureLayout<Row>(_ columns: [Column<Row>]) -> Layout.Sheet {
    let widths: [Double] = [24, 9] + (2..<columns.count - 1).map { $0 % 2 == 0 ? 11 : 13 } + [24]
    return Layout.Sheet(
        printed: columns.count - 1,
        columns: zip(columns, widths).map { Layout.Column(column: $0.name, width: $1) })
}

private func table<Row>(_ catalogue: [Column<Row>], _ rows: [Row], _ layout: Layout.Sheet) -> Table<Row> {
    Table(columns: layout.columns.compactMap { wanted in catalogue.first { $0.name == wanted.column } }, rows: rows)
}
