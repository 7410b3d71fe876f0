internal import CResources

extension NightPageWriter {
    func addSearch(_ html: inout HTML) {
        html.element("section", [("class", "search")]) { html in
            html.element("h2", texts.page(.search))
            let hint = texts.page(.searchHint)
            html.tag(
                "input",
                [
                    ("id", "search"), ("type", "search"), ("placeholder", hint), ("aria-label", hint),
                    ("autocomplete", "off"), ("spellcheck", "false"),
                ])
            html.element("p", class: "dim", texts.page(.searchNote))
            if let name = report.labels.first {
                html.element("p", class: "dim", texts.page(.searchLabels, name))
            }
            for label in report.labels { addValues(of: label, &html) }
            html.element("p", [("id", "found"), ("class", "dim"), ("aria-live", "polite")]) { _ in }
            html.element("div", [("id", "hits")]) { _ in }
            html.element("noscript") { $0.text(texts.page(.noScript)) }
        }
    }

    /// How many values of a label the page offers.
    private static let valuesMax = 8

    /// Adds the values of a label that most open exceptions have. Each is a link that searches for it.
    private func addValues(of label: String, _ html: inout HTML) {
        let values = report.exceptions.filter(\.state.isOpen).compactMap { $0.labels?[label] }
        let counts = Dictionary(values.map { ($0, 1) }, uniquingKeysWith: +)
        if counts.isEmpty { return }
        html.element("p", [("class", "values")]) { html in
            html.text(label + ": ")
            for (value, count) in counts.ordered(by: { ($1.value, $0.key) < ($0.value, $1.key) }).prefix(Self.valuesMax)
            {
                html.link("#" + percentEncoded(label + "=" + value.text), value.text)
                html.text(" (\(count)) ")
            }
        }
    }
}

/// All open exceptions with their ids, as data for the page's search script. This is JSON in a script block that
/// browsers do not execute, without any character that could end the block.
struct SearchIndex {
    /// The columns that the script looks in. The last one also decides what it advises.
    static let idColumns =
        ["exception_id"] + ExceptionFields.list.filter(\.isID).map(\.name).filter { $0 != "retry_key" } + ["retry_key"]
    private let rows: [ExceptionRow]
    private let columns: [Column<ExceptionRow>]
    /// The names of the labels, whose columns are the last.
    private let labels: [String]
    private let blocks: NightBlocks
    private let rulings: [Ruling]
    private var texts: Texts { blocks.texts }

    private struct Ruling: Hashable {
        var verdict: Verdict
        var cause: Cause
    }

    init(_ blocks: NightBlocks) {
        self.blocks = blocks
        rows = blocks.report.exceptions.filter(\.state.isOpen)
        var catalogue = pageColumns(blocks.texts)
        catalogue["original_transaction_id"] = Column("original_transaction_id") { row in
            .list(row.originals == row.transactions ? [] : row.originals)
        }
        let names = Self.idColumns + ["product_id", "amount", "first_seen", "state", "action"]
        labels = blocks.report.labels
        columns = names.compactMap { catalogue[$0] } + labelColumns(labels)
        rulings = Set(rows.map { Ruling(verdict: $0.verdict, cause: $0.cause) }).ordered {
            ($0.verdict.rawValue, $0.cause.rawValue) < ($1.verdict.rawValue, $1.cause.rawValue)
        }
    }

    func write(to file: inout OutputFile) throws(ReportError) {
        let numbers = Dictionary(uniqueKeysWithValues: rulings.enumerated().map { ($1, Int64($0)) })
        var data = JSONWriter(escaping: .script)
        try file.append(Array("<script type=\"application/json\" id=\"data\">".utf8))
        try data.object { data throws(ReportError) in
            data.key("words")
            data.write(wording)
            data.key("rows")
            try data.list { data throws(ReportError) in
                for (index, row) in rows.enumerated() {
                    if index > 0 { data.breakLine() }
                    // The number of its ruling, then the values of the columns.
                    data.list { list in
                        list.write(numbers[Ruling(verdict: row.verdict, cause: row.cause)]!)
                        for column in columns { list.write(display(blocks.plain(column.cell(row)))) }
                    }
                    if data.bytes.count >= 1 << 18 { try file.append(data.takeBytes()) }
                }
            }
        }
        try file.append(data.takeBytes() + Array("</script>\n".utf8))
    }

    private var wording: JSON {
        let explained = rulings.map { ruling in
            JSON.object([
                "title": .text(texts.headline(ruling.verdict, ruling.cause)),
                "next": .text(texts.explanation(ruling.verdict, ruling.cause).next),
            ])
        }
        var words: [String: JSON] = [
            "rulings": .list(explained), "columns": .list(columns.map { .text(texts.column($0.name)) }),
            "none": .text(texts.page(.nothingFound)), "told": .text(texts.page(.told)),
            "many": .text(texts.page(.found, "{0}", "{1}")),
        ]
        if !labels.isEmpty { words["labels"] = .list(labels.map { .text($0) }) }
        return .object(words)
    }
}

/// Finds rows by a part of any id, and shows them as text, never as markup.
let searchScript = String(String(cString: search_script()).dropLast())
    .replacing("ID_COLUMNS", with: String(SearchIndex.idColumns.count))
