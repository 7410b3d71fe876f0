internal import Console
internal import Domain
internal import Finance
internal import Foundation
internal import Intake
internal import ReportData
internal import Settings
internal import Text

/// Apple's financial reports for a month: those named on the command line, or else those of the feeds that cover
/// Apple's fiscal month of that name.
struct AppleReports {
    private(set) var reports: [AppleReport] = []
    private(set) var files: [AppleReportFile] = []

    /// The largest reports have a few megabytes.
    private static let bytesMax = 256 << 20

    /// - Throws: `Failure` with `inputRefused` if a named file is not such a report, or covers the same as another;
    ///   `IntakeError`.
    init(_ request: MonthlyRequest, _ configuration: Configuration, folder: String) throws {
        if request.appleReports.isEmpty {
            try readFeeds(of: configuration, for: request.period.name)
        } else {
            for name in request.appleReports { try take(name, path: absolute(name, in: folder)) { _ in true } }
        }
        try refuseRepetitions()
    }

    private mutating func readFeeds(of configuration: Configuration, for name: String) throws {
        let feeds = configuration.feeds.filter { $0.kind == .appleFinance }
        guard !feeds.isEmpty, let month = FiscalCalendar.month(name) else { return }
        for file in try findFiles(of: feeds, base: configuration.folder, through: .distantFuture) {
            try take(file.name, path: file.path) { $0.first == month.first && $0.last == month.last }
        }
    }

    private mutating func take(
        _ name: String, path: String, where isWanted: (AppleReport) -> Bool
    ) throws {
        switch try WholeFile(path: path, bytesMax: Self.bytesMax) {
        case .refused(let reason): throw Self.refused(name, reason)
        case .read(let bytes, let digest):
            let report: AppleReport
            do {
                report = try AppleReport(String(decoding: bytes, as: UTF8.self))
            } catch {
                throw Self.refused(name + (error.line.map { ":\($0)" } ?? ""), error.reason)
            }
            // The same file twice adds nothing.
            guard isWanted(report), !files.contains(where: { $0.digest == digest.hex }) else { return }
            reports.append(report)
            files.append(
                AppleReportFile(
                    name: name, digest: digest.hex, rows: report.rows.count, first: report.first,
                    last: report.last, remarks: report.remarks))
        }
    }

    private static func refused(_ name: String, _ reason: String) -> Failure {
        Failure(
            .inputRefused, "\(quoted(name)) is refused: \(reason)",
            remedy: "Name Apple's financial report as downloaded; nothing was changed.")
    }

    /// Two files must not cover the same days, country and currency, because units would count twice.
    private func refuseRepetitions() throws(Failure) {
        for index in reports.indices {
            for other in 0..<index where reports[other].repeats(reports[index]) {
                throw Failure(
                    .inputRefused,
                    "\(quoted(files[other].name)) and \(quoted(files[index].name)) cover the same days and country",
                    remedy: "Name one of them; nothing was changed.")
            }
        }
    }
}

extension AppleReport {
    /// Whether both cover a common day for different spans, or the same span for the same country and currency.
    fileprivate func repeats(_ other: AppleReport) -> Bool {
        guard first <= other.last, other.first <= last else { return false }
        guard first == other.first, last == other.last else { return true }
        return !Set(rows.map(\.market)).isDisjoint(with: other.rows.map(\.market))
    }
}

extension AppleRow {
    fileprivate var market: String { country + " " + currency.text }
}

extension BusinessDate {
    /// Later than the date of any file.
    fileprivate static let distantFuture = BusinessDate(day: 1_000_000)
}
