/// The first sheet of the workbook: the night on one page, from the headline to the control totals.
struct SummarySheet {
    private let blocks: NightBlocks
    private(set) var page: Page
    private var figures: RegisterFigures { blocks.figures }
    private var texts: Texts { blocks.texts }

    init(_ blocks: NightBlocks) {
        self.blocks = blocks
        let title = blocks.texts.label(.title) + " " + blocks.report.businessDate.text
        page = Page(title: title, widths: [30, 26, 13, 18, 13, 13], blocks.texts)
        page.add([.text(blocks.headline, \.headline)])
        page.add()
        for fact in blocks.facts.rows { page.add(fact.map(Page.Entry.cell)) }
        add(blocks.states)
        addVerdicts()
        add(blocks.coverageGaps)
        for remark in blocks.remarks { add(remark) }
        addMeanings()
        for block in [controlTotals, blocks.retry, blocks.selfTest, subjects] { add(block) }
    }

    private mutating func add(_ block: Block) {
        addHeading(block.heading, block.columns)
        for cells in block.rows { page.add(cells.map(Page.Entry.cell)) }
        for text in block.lines { page.add([.text(text)]) }
    }

    private mutating func addHeading(_ heading: String, _ columns: [(title: String, isFigure: Bool)] = []) {
        page.add()
        page.add([.text(heading, \.heading)])
        if columns.isEmpty { return }
        page.add(columns.map { $0.isFigure ? .figureHeader($0.title) : .header($0.title) })
    }

    /// Also adds the chart beside the head of the page, which shows the counts of this block.
    private mutating func addVerdicts() {
        addHeading(
            texts.label(.exceptionsByVerdict),
            blocks.titles(["verdict", "verdict_code"], figures: [])
                + [(texts.label(.count), true), (texts.sheet(.new), true)])
        let first = page.next
        for verdict in figures.openVerdicts {
            let title = texts.title(verdict)
            let open = figures.count(of: verdict, where: \.isOpen)
            let new = figures.count(of: verdict) { $0 == .new }
            page.add([
                .link(title, sheet: title), .text(verdict.rawValue), .cell(Cell(open)), .cell(Cell(new)),
            ])
        }
        guard page.next > first else { return page.add([.text(texts.label(.none))]) }
        page.charts = [
            BarChart(
                rows: first...(page.next - 1), values: 2, title: texts.label(.exceptionsByVerdict), row: 2, column: 6,
                size: (620, 120 + 28 * Double(page.next - first)), color: 0x2F5597)
        ]
    }

    /// One line per verdict and currency. The count is on the verdict's first line only, because it is not divided by
    /// currency.
    private var subjects: Block {
        let rows = blocks.report.talliesByVerdict.flatMap { tally -> [[Cell]] in
            let head: [Cell] = [texts.verdict(tally.verdict), .text(tally.verdict.rawValue)]
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

    private mutating func addMeanings() {
        guard !figures.openVerdicts.isEmpty else { return }
        addHeading(texts.label(.meaning))
        for verdict in figures.openVerdicts {
            let explanation = texts.explanation(verdict)
            page.add([.label(explanation.title), .text(explanation.meaning)])
            page.add([.text(texts.label(.next)), .text(explanation.next)])
        }
    }
}
