public import Glibc

/// The names of all files that a night's report may consist of.
public let nightFileNames: Set = [
    "reconciliation.xlsx", "exceptions.csv", "report.html", "rejected.jsonl", "summary.json", "summary.txt",
    "retry-manifest.jsonl", "held.jsonl", "dead-letter.jsonl", "SHA256SUMS",
]

/// Writes the files of a night into `folder`: `exceptions.csv`, `reconciliation.xlsx`, `report.html`, `rejected.jsonl`,
/// `summary.json`, `summary.txt`, `SHA256SUMS` and, if the configuration enables them, the retry files.
/// See docs/spec/interfaces.md#night-files.
///
/// The same report and texts produce the same bytes. Files and folder are synced. If this throws, the folder must not
/// be used.
///
/// - Parameters:
///   - folder: an existing, empty folder that no other process writes to.
///   - fileMode: the files' permissions, regardless of the umask.
///   - threads: how many files are written at the same time.
///   - work: counts the rows and bytes that are written.
public func writeNightReport(
    _ report: NightReport, texts: Texts, into folder: String, fileMode: mode_t,
    threads: Int = 1, work: WorkCount = WorkCount()
) throws(ReportError) {
    let temporaryFolder = folder
    let folder = try ReportFolder(folder, fileMode: fileMode)
    let others =
        [
            ReportPart("report.html") { file throws(ReportError) in try writeNightPage(report, texts, to: &file) },
            ReportPart("exceptions.csv") { file throws(ReportError) in try writeExceptions(report, to: &file) },
        ] + retryParts(report.retryLists) + [
            ReportPart("rejected.jsonl") { file throws(ReportError) in
                try file.append(rejectedJSONLines(report.rejects).utf8)
            },
            ReportPart("summary.json") { file throws(ReportError) in
                try file.append(summaryJSON(report).page.utf8)
            },
            ReportPart("summary.txt") { file throws(ReportError) in
                try file.append(summaryText(report, texts: texts).utf8)
            },
        ]
    try folder.write("reconciliation.xlsx", beside: others, work: work) { file, others throws(ReportError) in
        do throws(XlsxError) {
            try nightWorkbook(
                report, texts, temporaryFolder: temporaryFolder, threads: threads, beside: others
            ).close(into: file.descriptor)
        } catch {
            throw .workbook(path: file.path, error)
        }
    }
    work.add(rows: report.exceptions.count)
}

/// The retry files; none if the configuration does not enable them.
private func retryParts(_ lists: RetryLists?) -> [ReportPart] {
    guard let lists else { return [] }
    func part(_ name: String, _ lines: [RetryLine], isDead: Bool = false) -> ReportPart {
        ReportPart(name) { file throws(ReportError) in
            for line in lines { try file.append(retryJSONLine(line, isDead: isDead)) }
        }
    }
    return [
        part("retry-manifest.jsonl", lists.emitted), part("held.jsonl", lists.held),
        part("dead-letter.jsonl", lists.dead, isDead: true),
    ]
}

private func writeExceptions(_ report: NightReport, to file: inout OutputFile) throws(ReportError) {
    var csv = CSVWriter()
    let columns = exceptionColumns(labels: report.labels)
    csv.header(columns)
    for row in report.exceptions {
        csv.row(row, of: columns)
        if csv.bytes.count >= 1 << 18 { try file.append(csv.take()) }
    }
    try file.append(csv.take())
}
