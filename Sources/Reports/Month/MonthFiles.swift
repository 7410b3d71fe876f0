public import Glibc

/// Writes the files of a month into `folder`: `month.xlsx`, `month.csv`, `month-journal.csv`, `month-journal.ledger`,
/// `month-journal.beancount`, `month.json`, `month-purchases.csv.gz`, `SHA256SUMS`.
/// See docs/spec/interfaces.md#month-files.
///
/// The same report and texts produce the same bytes. Files and folder are synced. If this throws, the folder must not
/// be used.
///
/// - Parameters:
///   - earlier: the reports of months that were closed before, in the order of closing.
///   - purchases: the list of the month's purchases; nil if it was not made.
///   - folder: an existing, empty folder.
///   - fileMode: the files' permissions, regardless of the umask.
///   - threads: how many files are written at the same time.
///   - work: counts the bytes that are written.
public func writeMonthReport(
    _ report: MonthReport, earlier: [MonthReport] = [], texts: Texts, purchases: PurchaseFile? = nil,
    into folder: String, fileMode: mode_t,
    threads: Int = 1, work: WorkCount = WorkCount()
) throws(ReportError) {
    let folder = try ReportFolder(folder, fileMode: fileMode)
    let path = folder.path
    let parts = [
        ReportPart("month.xlsx") { file throws(ReportError) in
            let failed: [String]
            do throws(XlsxError) {
                failed = try writeMonthWorkbook(report, texts, descriptor: file.descriptor, temporaryFolder: path)
            } catch {
                throw .workbook(path: file.path, error)
            }
            if !failed.isEmpty { throw .unproven(path: file.path, checks: failed) }
        },
        ReportPart("month.csv") { file throws(ReportError) in try file.append(monthCSV(report)) },
        ReportPart("month-journal.csv") { file throws(ReportError) in try file.append(journalCSV(report, texts)) },
        ReportPart("month-journal.ledger") { file throws(ReportError) in
            try file.append(JournalText.bytes(earlier + [report], in: .ledger, texts))
        },
        ReportPart("month-journal.beancount") { file throws(ReportError) in
            try file.append(JournalText.bytes(earlier + [report], in: .beancount, texts))
        },
        ReportPart("month.json") { file throws(ReportError) in try file.append(monthJSON(report).page.utf8) },
    ]
    let list = purchases.map { purchases in
        [ReportPart("month-purchases.csv.gz") { file throws(ReportError) in try purchases.copy(to: &file) }]
    }
    try folder.write(parts + (list ?? []), threads: threads, work: work)
}
