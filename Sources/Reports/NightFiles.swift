package import Domain
package import Glibc
internal import Xlsx

/// Writes a night's files into `folder`: `exceptions.csv`, `reconciliation.xlsx`, `report.html`, `rejected.jsonl`,
/// `summary.json`, `summary.txt`, `SHA256SUMS` and, where the configuration wants them, the retry files. INTERFACES §3.
///
/// The same report and texts give the same bytes. Files and folder are synced; when it throws, the folder is not to be used.
///
/// - Parameters:
///   - folder: an existing, empty folder that nobody else writes to.
///   - fileMode: the files' permissions, whatever the umask.
package func writeNightReport(
    _ report: NightReport, texts: Texts, into folder: String, fileMode: mode_t
) throws(ReportError) {
    var folder = try ReportFolder(folder, fileMode: fileMode)
    try folder.add("exceptions.csv") { file throws(ReportError) in
        var csv = CSVWriter()
        csv.header(exceptionColumns)
        for row in report.exceptions {
            csv.row(row, of: exceptionColumns)
            if csv.bytes.count >= 1 << 18 { try file.append(csv.take()) }
        }
        try file.append(csv.take())
    }
    let path = folder.path
    try folder.add("reconciliation.xlsx") { file throws(ReportError) in
        do throws(XlsxError) {
            try writeWorkbook(report, texts, descriptor: file.descriptor, temporaryFolder: path)
        } catch {
            throw .workbook(path: file.path, error)
        }
    }
    try folder.add("report.html") { file throws(ReportError) in try writeNightPage(report, texts, to: &file) }
    try folder.add("rejected.jsonl", text: rejectedJSONLines(report.rejects))
    if let lists = report.retryLists {
        try folder.add("retry-manifest.jsonl", text: retryJSONLines(lists.emitted))
        try folder.add("held.jsonl", text: retryJSONLines(lists.held))
        try folder.add("dead-letter.jsonl", text: deadJSONLines(lists.dead))
    }
    try folder.add("summary.json", text: summaryJSON(report).page)
    try folder.add("summary.txt", text: summaryText(report, texts: texts))
    try folder.finish()
}
