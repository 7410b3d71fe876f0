/// `report.html`: the night as a self-contained page that can be opened from disk.
/// See docs/spec/interfaces.md#night-files.
func writeNightPage(_ report: NightReport, _ texts: Texts, to file: inout OutputFile) throws(ReportError) {
    let title = texts.label(.title) + " " + report.businessDate.text
    let page = HTMLPage(title: title, language: texts.language, script: searchScript)
    try file.append(page.head.utf8)
    let writer = NightPageWriter(report, texts)
    try file.append(writer.body.utf8)
    try SearchIndex(writer.blocks).write(to: &file)
    try file.append(page.foot.utf8)
}

/// The sections of the page, from the most urgent to the proof that no row was lost.
struct NightPageWriter {
    let report: NightReport
    let texts: Texts
    let blocks: NightBlocks
    /// Whether the page can search for open exceptions.
    var hasSearch = true
    var figures: RegisterFigures { blocks.figures }
    /// How many rows a list shows. All rows are in the workbook and can be found by the page's search.
    static let rowsMax = 100

    init(_ report: NightReport, _ texts: Texts) {
        self.report = report
        self.texts = texts
        blocks = NightBlocks(report, texts)
    }

    var body: String {
        var html = HTML()
        addHead(&html)
        addSearch(&html)
        if !report.coverageGaps.isEmpty { add(blocks.coverageGaps, class: "warning", &html) }
        for remark in blocks.remarks { add(remark, &html) }
        addList(.new, of: { $0.state == .new }, &html)
        addCharts(&html)
        addLoss(&html)
        addLostOrders(&html)
        addList(.resolved, of: { $0.state == .resolved }, &html)
        add(subjects, &html)
        add(blocks.controlTotals, &html)
        addFiles(&html)
        addRun(&html)
        return html.source
    }

    /// Adds a section.
    ///
    /// - Parameter notes: stand below it, in a lighter colour.
    private func add(_ block: Block, class style: String? = nil, notes: [String] = [], _ html: inout HTML) {
        html.element("section", style.map { [("class", $0)] } ?? []) { html in
            html.element("h2", block.heading)
            if !block.columns.isEmpty { add(table: block, &html) }
            for line in block.lines { html.element("p", line) }
            for note in notes { html.element("p", class: "dim", note) }
        }
    }

    private func add(table block: Block, _ html: inout HTML) {
        html.table(block.columns, block.rows.map { $0.map(blocks.plain) })
    }

    private func addHead(_ html: inout HTML) {
        html.element("h1", texts.label(.title) + " " + report.businessDate.text)
        html.element("p", blocks.headline)
        html.element("div", [("class", "counts")]) { html in
            for state in blocks.states.rows.map({ $0.map(blocks.plain) }) {
                html.element("div") { html in
                    html.element("b", state[1])
                    html.element("span", state[0])
                }
            }
        }
    }

    private func addList(_ sheet: SheetKind, of belongs: (ExceptionRow) -> Bool, _ html: inout HTML) {
        let rows = report.exceptions.filter(belongs)
        if rows.isEmpty { return add(Block(heading: texts.sheet(sheet)), notes: [texts.label(.none)], &html) }
        let names = ["verdict", "cause", "account_id", "order_id", "transaction_id", "amount", "action"]
        let catalogue = pageColumns(texts)
        let block = Block(
            heading: texts.sheet(sheet), table: names.compactMap { catalogue[$0] }, rows: rows.prefix(Self.rowsMax),
            texts: texts)
        let rest = rows.count - Self.rowsMax
        add(block, notes: rest > 0 ? [texts.page(.rest, String(rest))] : [], &html)
    }

    private var subjects: Block {
        Block(
            heading: texts.label(.allSubjects),
            columns: [(texts.column("verdict"), false), (texts.label(.count), true), (texts.column("amounts"), false)],
            rows: report.talliesByVerdict.map { tally in
                let amounts = tally.amounts.map { $0.currency.text + " " + $0.text }
                return [
                    texts.verdict(tally.verdict), Cell(tally.subjects),
                    .text(amounts.joined(separator: texts.label(.listSeparator))),
                ]
            })
    }

    private func addFiles(_ html: inout HTML) {
        if report.files.isEmpty { return }
        let names = ["file", "feed", "rows", "accepted", "duplicates", "rejected", "digest"]
        let columns = sourceCatalogue(texts).filter { names.contains($0.name) }
        let table = Block(heading: "", table: columns, rows: report.files, texts: texts)
        html.element("section") { html in
            html.element("details") { html in
                html.element("summary", texts.sheet(.sources))
                add(table: table, &html)
            }
        }
    }

    private func addRun(_ html: inout HTML) {
        let retries = blocks.retry.rows.map { $0.map(blocks.plain).joined(separator: " ") } + blocks.retry.lines
        html.element("section") { html in
            html.pairs(
                blocks.facts.rows.map { $0.map(blocks.plain) }.map { LabelledText(label: $0[0], text: $0[1]) } + [
                    LabelledText(
                        label: texts.label(.retry), text: retries.joined(separator: texts.label(.listSeparator))),
                    LabelledText(label: texts.label(.selfTest), text: blocks.selfTest.lines[0]),
                ])
        }
    }
}
