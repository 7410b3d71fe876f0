/// Writes the sheets of `reconciliation.xlsx`. The caller closes the workbook into an open file.
/// See docs/spec/interfaces.md#night-workbook.
///
/// - Parameters:
///   - temporaryFolder: where libxlsxwriter keeps files until the workbook is closed.
///   - rowsMax: how many rows a sheet may have. A longer table continues on further sheets.
///   - threads: how many sheets are written at the same time.
///   - others: what the threads do when no sheet is left for them. All of it is done when the function returns.
public func nightWorkbook(
    _ report: NightReport, _ texts: Texts, temporaryFolder: String, rowsMax: Int = Sheet.rowsMax,
    threads: Int = 1, beside others: [@Sendable () -> Void] = []
) throws(XlsxError) -> Workbook {
    // 0 would mean "now" to libxlsxwriter, so the first second of 1970 becomes the second.
    let createdAt = max(1, Int(report.asOf.milliseconds.flooredDivision(by: 1000)))
    let title = texts.label(.title) + " " + report.businessDate.text
    var workbook = try Workbook(temporaryFolder: temporaryFolder, createdAt: createdAt, title: title)
    let writer = SheetWriter(
        styles: try SheetStyles(workbook), texts: texts, zone: report.zone,
        footer: texts.label(.footer, report.businessDate.text), rowsMax: rowsMax)
    let blocks = NightBlocks(report, texts)
    try SummarySheet(blocks).page.write(named: texts.sheet(.summary), with: writer, to: &workbook)
    if !report.purchases.isEmpty {
        try Page(lostOrders: report.purchases, gaps: report.coverageGaps, texts).write(
            named: texts.sheet(.lostOrders), with: writer, to: &workbook)
    }
    try writer.add(report.loss, of: report.businessDate...report.businessDate, to: &workbook)
    try writer.add(
        exceptionSheets(report, writer) + otherSheets(report, blocks.figures, writer), threads: threads,
        beside: others, to: &workbook)
    return workbook
}

/// The sheets of new and of resolved exceptions, and one for each verdict with exceptions.
private func exceptionSheets(_ report: NightReport, _ writer: SheetWriter) -> [TableSheet] {
    let texts = writer.texts
    var layout = texts.layout
    let labels = labelColumns(report.labels)
    let added = labels.map { Layout.Column(column: $0.name, width: 16) }
    layout.new.columns += added
    layout.exceptions.columns += added
    let standing = Dictionary(grouping: report.exceptions.lazy.filter { $0.state != .resolved }) { $0.verdict }
    let tables =
        [
            (texts.sheet(.new), report.exceptions.filter { $0.state == .new }, layout.new),
            (texts.sheet(.resolved), report.exceptions.filter { $0.state == .resolved }, layout.exceptions),
        ]
        + exceptionVerdicts.compactMap { verdict in
            standing[verdict].map { (texts.title(verdict), $0, layout.exceptions) }
        }
    let catalogue = exceptionCatalogue(texts).values + labels
    return tables.flatMap { name, rows, layout in
        writer.sheets(of: rows, named: name, catalogue: catalogue, layout: layout)
    }
}

private func otherSheets(
    _ report: NightReport, _ figures: RegisterFigures, _ writer: SheetWriter
) -> [TableSheet] {
    let (texts, layout) = (writer.texts, writer.texts.layout)
    func sheets<Row: Sendable>(
        _ sheet: SheetKind, _ rows: [Row], _ catalogue: [Column<Row>], layout: Layout.Sheet? = nil
    ) -> [TableSheet] {
        writer.sheets(
            of: rows, named: texts.sheet(sheet), catalogue: catalogue, layout: layout ?? figureLayout(catalogue))
    }
    return sheets(.aging, figures.aging, agingColumns(texts))
        + sheets(.rollForward, report.rollForward, rollForwardColumns(texts))
        + sheets(.refunds, report.refunds, refundCatalogue(texts), layout: layout.refunds)
        + sheets(.rejects, report.rejects, rejectCatalogue, layout: layout.rejects)
        + sheets(.sources, report.files, sourceCatalogue(texts), layout: layout.sources)
}

/// A layout for verdict, currency, then counts and amounts by turns, and at the end the verdict's code, for the screen
/// only.
private func figureLayout<Row>(_ columns: [Column<Row>]) -> Layout.Sheet {
    let widths: [Double] = [24, 9] + (2..<columns.count - 1).map { $0 % 2 == 0 ? 11 : 13 } + [24]
    return Layout.Sheet(
        printed: columns.count - 1,
        columns: zip(columns, widths).map { Layout.Column(column: $0.name, width: $1) })
}
