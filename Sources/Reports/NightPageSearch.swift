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

/// All open exceptions with all their ids, as data that the page's script searches. Never code: JSON in a block that
/// no browser runs, without a character that could end it.
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
        try file.append("<script type=\"application/json\" id=\"data\">{\"words\":".utf8)
        try file.append(inert(wording.line).utf8)
        try file.append(",\"rows\":[".utf8)
        for (index, row) in rows.enumerated() {
            if index > 0 { try file.append(",\n".utf8) }
            try file.append(inert(json(row).line).utf8)
        }
        try file.append("]}</script>\n".utf8)
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

    /// The ruling's number, then the columns' values; the first nine are ids.
    private func json(_ row: ExceptionRow) -> JSON {
        let originals = row.originals == row.transactions ? [] : row.originals
        let ids = [
            [row.id], row.accounts, row.orders, row.transactions, originals, row.receipts, row.credits,
            row.suggestedOrder.map { [$0] } ?? [], row.retryKey.map { [$0] } ?? [],
        ]
        let amount = row.amount.map { $0.decimal + " " + $0.currency } ?? ""
        let others = [
            row.product ?? "", amount, row.firstSeen, words.word(.state, row.state.rawValue),
            words.word(.action, row.action.rawValue),
        ]
        let values = ids.map { $0.map(display).joined(separator: " ") } + others.map(display)
        return .list([JSON(rulings[Ruling(verdict: row.verdict, cause: row.cause)]!)] + values.map { .text($0) })
    }

    /// Nothing in it can end the block or begin a comment.
    private func inert(_ json: String) -> String {
        json.utf8.contains(UInt8(ascii: "<")) ? json.replacing("<", with: "\\u003c") : json
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
