internal import Base
internal import Domain
internal import Engine

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
            html.element("p", [("id", "found"), ("class", "dim"), ("aria-live", "polite")]) { _ in }
            html.element("div", [("id", "hits")]) { _ in }
            html.element("noscript") { $0.text(texts.page(.noScript)) }
        }
    }
}

/// All open exceptions with their ids, as data for the page's search script. This is JSON in a script block that
/// browsers do not execute, without any character that could end the block.
struct SearchIndex {
    private let rows: [ExceptionRow]
    private let texts: Texts
    private let words: WordTable
    private let rulings: [Ruling: Int]
    private let rulingList: [Ruling]

    private struct Ruling: Hashable {
        var verdict: Verdict
        var cause: Cause
    }

    init(_ report: NightReport, _ texts: Texts) {
        rows = report.exceptions.filter { $0.state != .resolved && $0.state != .waived }
        self.texts = texts
        words = WordTable(texts)
        let known = Set(rows.map { Ruling(verdict: $0.verdict, cause: $0.cause) })
        rulingList = known.sorted {
            ($0.verdict.rawValue, $0.cause.rawValue) < ($1.verdict.rawValue, $1.cause.rawValue)
        }
        rulings = Dictionary(uniqueKeysWithValues: rulingList.enumerated().map { ($1, $0) })
    }

    func write(to file: inout OutputFile) throws(ReportError) {
        var data = JSONWriter(escaping: .script)
        try file.append(Array("<script type=\"application/json\" id=\"data\">".utf8))
        try data.object { data throws(ReportError) in
            data.key("words")
            data.write(wording)
            data.key("rows")
            try data.list { data throws(ReportError) in
                for (index, row) in rows.enumerated() {
                    if index > 0 { data.breakLine() }
                    add(row, to: &data)
                    if data.bytes.count >= 1 << 18 { try file.append(data.takeBytes()) }
                }
            }
        }
        try file.append(data.takeBytes() + Array("</script>\n".utf8))
    }

    private var wording: JSON {
        let explained = rulingList.map { ruling in
            let words = texts.explanation(ruling.verdict, ruling.cause)
            let title = texts.explanation(ruling.verdict).title
            return JSON.object([
                "title": .text(ruling.cause == .none ? title : texts.lookup(.headline, title, words.title)),
                "next": .text(words.next),
            ])
        }
        let columns = [
            "exception_id", "account_id", "order_id", "transaction_id", "original_transaction_id", "receipt_id",
            "credit_id", "suggested_order_id", "retry_key", "product_id", "amount", "first_seen", "state", "action",
        ]
        return .object([
            "rulings": .list(explained), "columns": .list(columns.map { .text(texts.column($0)) }),
            "none": .text(texts.page(.nothingFound)), "told": .text(texts.page(.told)),
            "many": .text(texts.page(.found, "{0}", "{1}")),
        ])
    }

    /// Adds a row: the number of its ruling, then the values of the columns. The first nine are ids; several ids of one
    /// column are separated by blanks.
    private func add(_ row: ExceptionRow, to data: inout JSONWriter) {
        data.list { list in
            list.write(Int64(rulings[Ruling(verdict: row.verdict, cause: row.cause)]!))
            for ids in [
                [row.id.text], row.accounts, row.orders, row.transactions,
                row.originals == row.transactions ? [] : row.originals, row.receipts, row.credits,
            ] { list.write(ids.count == 1 ? display(ids[0]) : ids.map(display).joined(separator: " ")) }
            for value in [
                row.suggestedOrder ?? "", row.retryKey ?? "", row.product ?? "",
                row.amount.map { $0.description } ?? "", row.firstSeen.text,
                words.word(.state, row.state.rawValue), words.word(.action, row.action.rawValue),
            ] { list.write(display(value)) }
        }
    }
}

/// Finds rows by a part of any id, and shows them as text, never as markup.
let searchScript = """
    "use strict";
    (() => {
      const { words, rows } = JSON.parse(document.getElementById("data").textContent);
      const field = document.getElementById("search");
      const found = document.getElementById("found");
      const hits = document.getElementById("hits");
      const idColumns = 9, shown = 20;
      let keys = null;
      const make = (name, text, style) => {
        const element = document.createElement(name);
        if (text) element.textContent = text;
        if (style) element.className = style;
        return element;
      };
      const card = (row) => {
        const ruling = words.rulings[row[0]];
        const hit = make("div", "", "hit");
        hit.append(make("h3", ruling.title), make("p", row[idColumns] ? words.told : ruling.next));
        const list = make("dl");
        words.columns.forEach((title, column) => {
          const value = row[column + 1];
          if (value) list.append(make("dt", title), make("dd", value));
        });
        hit.append(list);
        return hit;
      };
      const search = () => {
        const wanted = field.value.trim().toLowerCase();
        hits.replaceChildren();
        found.textContent = "";
        if (wanted.length < 3) return;
        keys = keys || rows.map((row) => row.slice(1, idColumns + 1).join(" ").toLowerCase());
        const matches = [];
        keys.forEach((key, index) => { if (key.includes(wanted)) matches.push(index); });
        const isWhole = (index) => (" " + keys[index] + " ").includes(" " + wanted + " ");
        matches.sort((left, right) => isWhole(right) - isWhole(left) || left - right);
        const first = matches.slice(0, shown);
        found.textContent = matches.length === 0
          ? words.none : words.many.replace("{0}", first.length).replace("{1}", matches.length);
        hits.append(...first.map((index) => card(rows[index])));
      };
      field.addEventListener("input", search);
      // report.html#2000000123456789 opens with its answer.
      field.value = location.hash.slice(1);
      search();
    })();
    """
