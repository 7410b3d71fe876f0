internal import Domain
public import Engine
public import Xlsx

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
