/// Writes `month.xlsx` into an open file. See docs/spec/interfaces.md#month-files.
///
/// The first sheet, the tie-out, shows each figure as this program computed it, beside a live formula that adds up the
/// rows of the detail sheets, and a check that must be 0. An accountant can thus trace every figure to its rows. The
/// order of work follows from that: `MonthDetails` makes the tables and knows where their columns will be, the pages are
/// laid out with formulas that refer to them, `WorkbookCells` computes the formulas from all of it, and only then are the
/// sheets written, the tie-out first.
///
/// - Parameters:
///   - descriptor: the file, which is overwritten.
///   - temporaryFolder: where rows are kept until the workbook is complete.
/// - Returns: the checks that do not come to 0. A workbook with such a check must not be published.
public func writeMonthWorkbook(
    _ report: MonthReport, _ texts: Texts, descriptor: Int32, temporaryFolder: String
) throws(XlsxError) -> [String] {
    let createdAt = max(1, Int(report.asOf.milliseconds.flooredDivision(by: 1000)))
    var workbook = try Workbook(
        temporaryFolder: temporaryFolder, createdAt: createdAt, title: texts.title(of: report))
    let writer = SheetWriter(
        styles: try SheetStyles(workbook), texts: texts, zone: report.zone,
        header: texts.title(of: report), footer: texts.month(.footer, report.period))
    let sheets = monthSheets(report, texts)
    let cells = WorkbookCells()
    for (sheet, content) in sheets { content.add(to: cells, named: texts.monthSheet(sheet), rowsMax: writer.rowsMax) }
    for sheet in MonthSheet.allCases {
        try sheets[sheet]?.write(named: texts.monthSheet(sheet), with: writer, cells: cells, to: &workbook)
        guard sheet == .charts, !report.fulfilment.isEmpty else { continue }
        try Page(lostOrders: report.fulfilment, gaps: report.coverageGaps, texts).write(
            named: texts.sheet(.lostOrders), with: writer, to: &workbook)
        try writer.add(report.loss, of: report.first...report.last, to: &workbook)
    }
    try workbook.close(into: descriptor)
    return cells.failedChecks
}

/// All sheets of a month, laid out.
private func monthSheets(_ report: MonthReport, _ texts: Texts) -> [MonthSheet: any BookSheet] {
    let details = MonthDetails(report, texts)
    let tieOut = TieOutSheet(report, ranges: details.ranges, texts)
    var pages: [MonthSheet: Page] = [
        .tieOut: tieOut.page, .charts: Page(charts: report, texts),
        .bridge: BridgeSheet(report.apple, thresholds: texts.thresholds(report), texts).page,
        .restated: Page(restated: report, texts),
        .year: Page(year: report, texts), .cohorts: Page(report.cohorts, texts),
        .journal: Page(
            journal: report, closingNet: tieOut.moneyCells.compactMapValues { $0[.closingNet] },
            ranges: details.ranges, texts),
        .work: Page(work: report, texts), .notes: notesPage(texts),
    ]
    if let apple = report.apple {
        pages[.inTransit] = Page(inTransit: apple, texts)
        pages[.transitAging] = Page(agingOf: apple, texts)
        pages[.partnerShare] = Page(partnerShare: apple, texts)
    }
    return details.sheets.merging(pages) { $1 }
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
