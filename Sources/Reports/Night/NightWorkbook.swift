internal import Domain
public import ReportData
public import Xlsx

/// Writes the sheets of `reconciliation.xlsx`. The caller closes the workbook into an open file.
/// See docs/spec/interfaces.md#night-workbook.
///
/// - Parameters:
///   - temporaryFolder: where rows are kept until the workbook is closed.
///   - rowsMax: how many rows a sheet may have. A longer table continues on further sheets.
///   - threads: how many sheets are written at the same time.
public func nightWorkbook(
    _ report: NightReport, _ texts: Texts, temporaryFolder: String, rowsMax: Int = Sheet.rowsMax, threads: Int = 1
) throws(XlsxError) -> Workbook {
    // 0 would mean "now" to libxlsxwriter, so the first second of 1970 becomes the second.
    let createdAt = max(1, Int(report.asOf.milliseconds.flooredDivision(by: 1000)))
    let title = texts.label(.title) + " " + report.businessDate.text
    var workbook = try Workbook(temporaryFolder: temporaryFolder, createdAt: createdAt, title: title)
    let writer = SheetWriter(
        styles: try SheetStyles(&workbook), texts: texts, zone: Zone(report.timeZone) ?? .utc,
        footer: texts.label(.footer, report.businessDate.text), rowsMax: rowsMax)
    let figures = NightFigures(report.exceptions)
    var summary = SummarySheet(report, figures, writer)
    try workbook.addSheet(texts.sheet(.summary)) { summary.write(to: &$0) }
    if let purchases = report.purchases, !purchases.isEmpty {
        let lost = LostOrderSheet(purchases, writer)
        try workbook.addSheet(texts.sheet(.lostOrders)) { lost.write(to: &$0) }
    }
    try workbook.addSheets(exceptionSheets(report, writer) + otherSheets(report, figures, writer), threads: threads)
    return workbook
}

/// The sheets of new and of resolved exceptions, and one for each verdict with exceptions.
private func exceptionSheets(_ report: NightReport, _ writer: SheetWriter) -> [SheetDraft] {
    let (texts, layout) = (writer.texts, writer.texts.layout)
    let catalogue = exceptionCatalogue(texts)
    func drafts(_ name: String, _ rows: [ExceptionRow], _ layout: Layout.Sheet) -> [SheetDraft] {
        let columns = layout.columns.compactMap { catalogue[$0.column] }
        return writer.drafts(of: Table(columns: columns, rows: rows), named: name, layout: layout)
    }
    let resolved = report.exceptions.filter { $0.state == .resolved }
    let standing = Dictionary(grouping: report.exceptions.lazy.filter { $0.state != .resolved }) { $0.verdict }
    return drafts(texts.sheet(.new), report.exceptions.filter { $0.state == .new }, layout.new)
        + drafts(texts.sheet(.resolved), resolved, layout.exceptions)
        + exceptionVerdicts.flatMap { verdict in
            standing[verdict].map { drafts(texts.explanation(verdict).title, $0, layout.exceptions) } ?? []
        }
}

private func otherSheets(_ report: NightReport, _ figures: NightFigures, _ writer: SheetWriter) -> [SheetDraft] {
    let texts = writer.texts
    func drafts<Row>(_ sheet: SheetKind, _ table: Table<Row>, _ layout: Layout.Sheet) -> [SheetDraft] {
        writer.drafts(of: table, named: texts.sheet(sheet), layout: layout)
    }
    let aging = Table(columns: agingColumns(texts), rows: figures.aging)
    let rollForward = Table(columns: rollForwardColumns(texts), rows: report.rollForward)
    let layout = texts.layout
    return drafts(.aging, aging, figureLayout(aging.columns))
        + drafts(.rollForward, rollForward, figureLayout(rollForward.columns))
        + drafts(.refunds, table(refundCatalogue(texts), report.refunds, layout.refunds), layout.refunds)
        + drafts(.rejects, table(rejectCatalogue, report.rejects, layout.rejects), layout.rejects)
        + drafts(.sources, table(sourceCatalogue(texts), report.files, layout.sources), layout.sources)
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
