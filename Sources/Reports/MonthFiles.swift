public import Domain
public import Glibc
public import Parallel
internal import Xlsx

/// Writes a month's files into `folder`: `month.xlsx`, `month.csv`, `month.json`, `SHA256SUMS`. INTERFACES §3.
///
/// The same report and texts give the same bytes. Files and folder are synced; when it throws, the folder is not to be used.
///
/// - Parameter threads: so many files are written at once.
public func writeMonthReport(
    _ report: MonthReport, texts: Texts, into folder: String, fileMode: mode_t, threads: Int = 1,
    work: WorkCount = WorkCount()
) throws(ReportError) {
    let folder = try ReportFolder(folder, fileMode: fileMode)
    let path = folder.path
    let parts = [
        ReportPart("month.xlsx") { file throws(ReportError) in
            do throws(XlsxError) {
                try writeMonthWorkbook(report, texts, descriptor: file.descriptor, temporaryFolder: path)
            } catch {
                throw .workbook(path: file.path, error)
            }
        },
        ReportPart("month.csv") { file throws(ReportError) in try file.append(monthCSV(report)) },
        ReportPart("month.json") { file throws(ReportError) in try file.append(monthJSON(report).page.utf8) },
    ]
    try folder.write(parts, threads: threads, work: work)
}
