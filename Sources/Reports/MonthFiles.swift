package import Domain
package import Glibc
internal import Xlsx

/// Writes a month's files into `folder`: `month.xlsx`, `month.csv`, `month.json`, `SHA256SUMS`. INTERFACES §3.
///
/// The same report and texts give the same bytes. Files and folder are synced; when it throws, the folder is not to be used.
package func writeMonthReport(
    _ report: MonthReport, texts: Texts, into folder: String, fileMode: mode_t
) throws(ReportError) {
    var folder = try ReportFolder(folder, fileMode: fileMode)
    let path = folder.path
    try folder.add("month.xlsx") { file throws(ReportError) in
        do throws(XlsxError) {
            try writeMonthWorkbook(report, texts, descriptor: file.descriptor, temporaryFolder: path)
        } catch {
            throw .workbook(path: file.path, error)
        }
    }
    try folder.add("month.csv") { file throws(ReportError) in try file.append(monthCSV(report)) }
    try folder.add("month.json", text: monthJSON(report).page)
    try folder.finish()
}
