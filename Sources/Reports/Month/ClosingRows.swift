internal import Domain
internal import ReportData

/// The rows of the first sheet about the month's closing, and about closed months that were restated since.
struct ClosingRows {
    let rows: [(entries: [Page.Entry], height: Double?)]

    init(_ report: MonthReport, _ writer: SheetWriter) {
        rows =
            Self.closing(report, writer).map { ($0, nil) }
            + Self.restated(report, writer).enumerated().map { ($1, $0 == 2 ? 32 : nil) }
    }

    private static func closing(_ report: MonthReport, _ writer: SheetWriter) -> [[Page.Entry]] {
        guard let closing = report.closing else { return [] }
        let texts = writer.texts
        let label = { (label: MonthLabel) in Page.Entry.text(texts.month(label), writer.styles.label) }
        let approver =
            closing.approver.map { closing.isSegregated ? $0 : texts.month(.samePerson, $0) }
            ?? texts.month(.noApprover)
        // The labels are longer than the first column, so the second one stays empty.
        var rows: [[Page.Entry]] = [
            [label(.closedBy), .text(""), .text(closing.by), .cell(.instant(closing.at))],
            [label(.approvedBy), .text(""), .text(approver)],
        ]
        if let note = closing.note { rows.append([label(.note), .text(""), .text(note)]) }
        if let accepted = closing.acceptedUnexplained {
            rows.append([label(.acceptedUnexplained), .text(""), .text(accepted)])
        }
        if let seal = closing.seal { rows.append([label(.seal), .text(""), .text(seal)]) }
        return rows
    }

    private static func restated(_ report: MonthReport, _ writer: SheetWriter) -> [[Page.Entry]] {
        if report.restated.isEmpty { return [] }
        let texts = writer.texts
        let money = { (minor: Int64, line: RestatedLine) in
            Page.Entry.cell(.money(Money(minor: minor, currency: line.currency)))
        }
        let titles: [Page.Entry] =
            [
                .text(texts.column("closed_month"), writer.styles.header),
                .text(texts.column("currency"), writer.styles.header),
            ]
            + [MonthLabel.net, .netCredited, .difference].map { .text(texts.month($0), writer.styles.figureHeader) }
        return [[], [.text(texts.month(.restatedSince), writer.styles.heading)], titles]
            + report.restated.map { line in
                [
                    .text(line.period), .text(line.currency.text), money(line.change.net, line),
                    money(line.change.netCredited, line), money(line.change.difference, line),
                ]
            }
    }
}
