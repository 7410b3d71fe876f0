internal import Domain

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
        var block = ScriptData()
        block.add("<script type=\"application/json\" id=\"data\">{\"words\":")
        block.add(wording.line.replacing("<", with: "\\u003c"))
        block.add(",\"rows\":[")
        for (index, row) in rows.enumerated() {
            if index > 0 { block.add(",\n") }
            add(row, to: &block)
            if block.bytes.count >= 1 << 18 { try file.append(block.take()) }
        }
        block.add("]}</script>\n")
        try file.append(block.take())
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

    /// Adds a row: the number of its ruling, then the values of the columns. The first nine are ids.
    private func add(_ row: ExceptionRow, to block: inout ScriptData) {
        block.add("[" + String(rulings[Ruling(verdict: row.fields.verdict, cause: row.fields.cause)]!))
        for ids in [
            [row.fields.id], row.fields.accounts, row.fields.orders, row.fields.transactions,
            row.fields.originals == row.fields.transactions ? [] : row.fields.originals,
            row.fields.receipts, row.fields.credits,
        ] { block.add(quoted: ids) }
        let amount = row.fields.amount.map { $0.decimal + " " + $0.currency } ?? ""
        for value in [
            row.fields.suggestedOrder ?? "", row.fields.retryKey ?? "", row.fields.product ?? "", amount,
            row.fields.firstSeen,
            words.word(.state, row.fields.state.rawValue), words.word(.action, row.fields.action.rawValue),
        ] { block.add(quoted: [value]) }
        block.add("]")
    }
}

/// JSON as bytes, because there may be as many rows as a night has exceptions.
private struct ScriptData {
    private(set) var bytes: [UInt8] = []

    mutating func add(_ source: String) { bytes.append(contentsOf: source.utf8) }

    /// Adds a comma and one string: the texts separated by blanks.
    mutating func add(quoted texts: [String]) {
        bytes.append(contentsOf: [UInt8(ascii: ","), UInt8(ascii: "\"")])
        for (index, text) in texts.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: " ")) }
            if text.utf8.allSatisfy(isHarmless) {
                bytes.append(contentsOf: text.utf8)
            } else {
                let json = JSON.text(display(text)).line.replacing("<", with: "\\u003c")
                bytes.append(contentsOf: json.utf8.dropFirst().dropLast())
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Whether the byte needs no escaping in JSON, in a page and on a screen.
    private func isHarmless(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte < 0x7F && byte != 0x22 && byte != 0x5C && byte != 0x3C
    }

    mutating func take() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
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
