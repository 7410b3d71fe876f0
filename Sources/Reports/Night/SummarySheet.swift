internal import Domain
internal import ReportData
internal import Xlsx

/// The first sheet of the workbook: the night on one page, from the headline to the control totals.
struct SummarySheet {
    let report: NightReport
    let figures: NightFigures
    let writer: SheetWriter
    private var row = 0
    private let words: WordTable
    private var texts: Texts { writer.texts }

    init(_ report: NightReport, _ figures: NightFigures, _ writer: SheetWriter) {
        self.report = report
        self.figures = figures
        self.writer = writer
        words = WordTable(writer.texts)
    }

    static let widths: [Double] = [30, 26, 13, 18, 13, 13]

    mutating func write(to sheet: inout Sheet) {
        sheet.setWidths(Self.widths)
        sheet.setUpPrint(repeating: nil, footer: writer.footer)
        writeHead(&sheet)
        writeStates(&sheet)
        writeVerdicts(&sheet)
        writeCoverageGaps(&sheet)
        writeRemarks(&sheet)
        writeMeanings(&sheet)
        writeControlTotals(&sheet)
        writeCounts(&sheet)
        writeSubjects(&sheet)
    }

    private mutating func writeHead(_ sheet: inout Sheet) {
        let headline = Headline(report, figures, texts)
        line([.text(texts.label(.title) + " " + report.businessDate.text)], &sheet, style: writer.styles.title)
        line([.text(headline.text)], &sheet, style: writer.styles.headline)
        row += 1
        fact(.businessDate, .date(report.businessDate), &sheet)
        fact(.asOf, .instant(report.asOf), &sheet)
        fact(.horizon, .instant(report.horizon), &sheet)
        fact(.timeZone, .text(report.timeZone), &sheet)
        fact(.run, .text("\(report.run) (reconcile \(report.version))"), &sheet)
    }

    private mutating func writeStates(_ sheet: inout Sheet) {
        heading(.exceptions, &sheet)
        for state in ExceptionState.allCases {
            line([.text(texts.title(ofCount: state)), Cell(figures.states[state] ?? 0)], &sheet)
        }
    }

    /// Also adds the chart beside the head of the page, which shows the counts of this block.
    private mutating func writeVerdicts(_ sheet: inout Sheet) {
        heading(.exceptionsByVerdict, &sheet)
        header(["verdict", "verdict_code"].map(texts.column), [texts.label(.count), texts.sheet(.new)], &sheet)
        let first = row
        for verdict in figures.openVerdicts {
            let open = figures.open[verdict]!
            let title = texts.explanation(verdict).title
            sheet.write(title, linkTo: title, row: row, column: 0, style: writer.styles.link)
            line([.empty, .text(verdict.rawValue), Cell(open.count), Cell(open.new)], &sheet)
        }
        guard row > first else { return line([.text(texts.label(.none))], &sheet) }
        sheet.addBars(
            .init(rows: first...(row - 1), names: 0, values: 2), title: texts.label(.exceptionsByVerdict), row: 2,
            column: 6, size: (620, 120 + 28 * Double(row - first)), color: 0x2F5597)
    }

    private mutating func writeCoverageGaps(_ sheet: inout Sheet) {
        heading(.coverageGaps, &sheet)
        guard !report.coverageGaps.isEmpty else { return line([.text(texts.label(.noCoverageGaps))], &sheet) }
        header(["feed", "file_date", "why"].map(texts.column), [], &sheet)
        for spot in report.coverageGaps {
            let why = texts.sentence(spot.reason)
            line([words.text(.feed, spot.feed.rawValue), .date(spot.date), .text(why)], &sheet)
        }
        line([.text(texts.label(.gapRemedy))], &sheet)
    }

    private mutating func writeRemarks(_ sheet: inout Sheet) {
        for remark in texts.remarks(on: report) {
            heading(remark.heading, &sheet)
            for text in remark.lines { line([.text(text)], &sheet) }
        }
    }

    /// One line per verdict and currency. The count is on the verdict's first line only, because it is not divided by
    /// currency.
    private mutating func writeSubjects(_ sheet: inout Sheet) {
        heading(.allSubjects, &sheet)
        header(
            ["verdict", "verdict_code", "currency"].map(texts.column), ["amount", "subjects"].map(texts.column), &sheet)
        for tally in talliesByVerdict(report) {
            let head: [Cell] = [words.verdict(tally.verdict), .text(tally.verdict.rawValue)]
            if tally.amounts.isEmpty { line(head + [.empty, .empty, Cell(tally.subjects)], &sheet) }
            for (index, amount) in tally.amounts.enumerated() {
                let count: Cell = index == 0 ? Cell(tally.subjects) : .empty
                line(head + [.text(amount.currency.text), .money(amount), count], &sheet)
            }
        }
    }

    private mutating func writeControlTotals(_ sheet: inout Sheet) {
        heading(.controlTotals, &sheet)
        let names = ["rows", "accepted", "duplicates", "rejected"].map(texts.column)
        header([texts.column("feed")], names + [texts.label(.check)], &sheet)
        for (feed, counts) in report.conservation.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            let numbers = [counts.rows, counts.accepted, counts.duplicates, counts.rejected]
            let check = counts.rows - counts.accepted - counts.duplicates - counts.rejected
            line([words.text(.feed, feed.rawValue)] + (numbers + [check]).map { Cell($0) }, &sheet)
        }
        line([.text(texts.label(.filesSkipped)), Cell(report.filesSkipped)], &sheet)
    }

    private mutating func writeCounts(_ sheet: inout Sheet) {
        let retry = report.retry
        heading(.retry, &sheet)
        for (label, count) in [
            (Label.retryEmitted, retry.emitted), (.retryWaiting, retry.waiting), (.retryHeld, retry.held),
            (.retryDead, retry.dead),
        ] { line([.text(texts.label(label)), Cell(count)], &sheet) }
        if let reason = retry.holdReason { line([.text(texts.label(.retryReason, reason))], &sheet) }
        heading(.selfTest, &sheet)
        let alive = texts.label(.selfTestResult, String(report.detectorsAlive), String(report.detectors))
        line([.text(alive)], &sheet)
    }

    private mutating func writeMeanings(_ sheet: inout Sheet) {
        guard !figures.openVerdicts.isEmpty else { return }
        heading(.meaning, &sheet)
        for verdict in figures.openVerdicts {
            let explanation = texts.explanation(verdict)
            sheet.write(explanation.title, row: row, column: 0, style: writer.styles.label)
            line([.empty, .text(explanation.meaning)], &sheet)
            line([.text(texts.label(.next)), .text(explanation.next)], &sheet)
        }
    }

    private mutating func heading(_ label: Label, _ sheet: inout Sheet) {
        row += 1
        line([.text(texts.label(label))], &sheet, style: writer.styles.heading)
    }

    private mutating func header(_ titles: [String], _ figures: [String], _ sheet: inout Sheet) {
        writer.writeHeader(titles.map { ($0, false) } + figures.map { ($0, true) }, row: row, to: &sheet)
        row += 1
    }

    private mutating func fact(_ label: Label, _ value: Cell, _ sheet: inout Sheet) {
        line([.text(texts.label(label)), value], &sheet)
    }

    private mutating func line(_ cells: [Cell], _ sheet: inout Sheet, style: Style? = nil) {
        for (column, cell) in cells.enumerated() {
            if let style, case .text(let text) = cell {
                sheet.write(text, row: row, column: column, style: style)
            } else {
                writer.write(cell, row: row, column: column, to: &sheet)
            }
        }
        row += 1
    }
}
