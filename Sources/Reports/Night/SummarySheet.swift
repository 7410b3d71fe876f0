internal import Domain
internal import Engine
internal import Xlsx

/// The first sheet of the workbook: the night on one page, from the headline to the control totals.
struct SummarySheet {
    private let blocks: NightBlocks
    private let writer: SheetWriter
    private var row = 0
    private var figures: NightFigures { blocks.figures }
    private var texts: Texts { writer.texts }

    init(_ blocks: NightBlocks, _ writer: SheetWriter) {
        self.blocks = blocks
        self.writer = writer
    }

    static let widths: [Double] = [30, 26, 13, 18, 13, 13]

    mutating func write(to sheet: inout Sheet) {
        sheet.setWidths(Self.widths)
        sheet.setUpPrint(repeating: nil, footer: writer.footer)
        writeHead(&sheet)
        write(blocks.states, &sheet)
        writeVerdicts(&sheet)
        write(blocks.coverageGaps, &sheet)
        for remark in blocks.remarks { write(remark, &sheet) }
        writeMeanings(&sheet)
        write(controlTotals, &sheet)
        write(blocks.retry, &sheet)
        write(blocks.selfTest, &sheet)
        write(subjects, &sheet)
    }

    private mutating func write(_ block: Block, _ sheet: inout Sheet) {
        heading(block.heading, &sheet)
        if !block.columns.isEmpty { header(block.columns, &sheet) }
        for cells in block.rows { line(cells, &sheet) }
        for text in block.lines { line([.text(text)], &sheet) }
    }

    private mutating func writeHead(_ sheet: inout Sheet) {
        let report = blocks.report
        line([.text(texts.label(.title) + " " + report.businessDate.text)], &sheet, style: writer.styles.title)
        line([.text(Headline(blocks).text)], &sheet, style: writer.styles.headline)
        row += 1
        for fact in blocks.facts.rows { line(fact, &sheet) }
    }

    /// Also adds the chart beside the head of the page, which shows the counts of this block.
    private mutating func writeVerdicts(_ sheet: inout Sheet) {
        heading(texts.label(.exceptionsByVerdict), &sheet)
        header(
            blocks.titles(["verdict", "verdict_code"], figures: [])
                + [(texts.label(.count), true), (texts.sheet(.new), true)], &sheet)
        let first = row
        for verdict in figures.openVerdicts {
            let title = texts.explanation(verdict).title
            sheet.write(title, linkTo: title, row: row, column: 0, style: writer.styles.link)
            let open = figures.count(of: verdict, where: \.isOpen)
            let new = figures.count(of: verdict) { $0 == .new }
            line([.empty, .text(verdict.rawValue), Cell(open), Cell(new)], &sheet)
        }
        guard row > first else { return line([.text(texts.label(.none))], &sheet) }
        sheet.addBars(
            of: first...(row - 1), names: 0, values: 2, title: texts.label(.exceptionsByVerdict), row: 2,
            column: 6, size: (620, 120 + 28 * Double(row - first)), color: 0x2F5597)
    }

    /// One line per verdict and currency. The count is on the verdict's first line only, because it is not divided by
    /// currency.
    private var subjects: Block {
        let rows = blocks.report.talliesByVerdict.flatMap { tally -> [[Cell]] in
            let head: [Cell] = [blocks.words.verdict(tally.verdict), .text(tally.verdict.rawValue)]
            if tally.amounts.isEmpty { return [head + [.empty, .empty, Cell(tally.subjects)]] }
            return tally.amounts.enumerated().map { index, amount in
                head + [.text(amount.currency.text), .money(amount), index == 0 ? Cell(tally.subjects) : .empty]
            }
        }
        return Block(
            heading: texts.label(.allSubjects),
            columns: blocks.titles(["verdict", "verdict_code", "currency"], figures: ["amount", "subjects"]), rows: rows
        )
    }

    /// With a check, which must be 0.
    private var controlTotals: Block {
        var block = blocks.controlTotals
        block.columns.append((texts.label(.check), true))
        block.rows = block.rows.map { cells in
            var check: Int64 = 0
            for case (let column, .integer(let count)) in cells.enumerated() { check += column == 1 ? count : -count }
            return cells + [.integer(check)]
        }
        block.rows.append([.text(texts.label(.filesSkipped)), Cell(blocks.report.filesSkipped)])
        return block
    }

    private mutating func writeMeanings(_ sheet: inout Sheet) {
        guard !figures.openVerdicts.isEmpty else { return }
        heading(texts.label(.meaning), &sheet)
        for verdict in figures.openVerdicts {
            let explanation = texts.explanation(verdict)
            sheet.write(explanation.title, row: row, column: 0, style: writer.styles.label)
            line([.empty, .text(explanation.meaning)], &sheet)
            line([.text(texts.label(.next)), .text(explanation.next)], &sheet)
        }
    }

    private mutating func heading(_ heading: String, _ sheet: inout Sheet) {
        row += 1
        line([.text(heading)], &sheet, style: writer.styles.heading)
    }

    private mutating func header(_ titles: [(title: String, isFigure: Bool)], _ sheet: inout Sheet) {
        writer.writeHeader(titles.map { ($0.title, $0.isFigure) }, row: row, to: &sheet)
        row += 1
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
