internal import Foundation

/// HTML under construction. Untrusted text enters only through `text` and as attribute values, and is escaped.
struct HTML {
    private(set) var source = ""

    /// The text, escaped for use between tags or in a quoted attribute.
    static func escaped(_ text: String) -> String {
        var result = ""
        for character in display(text).unicodeScalars {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            default: result.unicodeScalars.append(character)
            }
        }
        return result
    }

    mutating func text(_ text: String) { source += Self.escaped(text) }

    /// Adds a start tag: of an element without content, or whose end tag may be omitted.
    mutating func tag(_ name: String, _ attributes: [(name: String, value: String)] = []) {
        source += "<" + name
        for attribute in attributes { source += " \(attribute.name)=\"\(Self.escaped(attribute.value))\"" }
        source += ">"
    }

    mutating func lineFeed() { source += "\n" }

    mutating func element(
        _ name: String, _ attributes: [(name: String, value: String)] = [], content: (inout HTML) -> Void
    ) {
        tag(name, attributes)
        content(&self)
        source += "</" + name + ">\n"
    }

    mutating func element(_ name: String, class style: String? = nil, _ text: String) {
        element(name, style.map { [("class", $0)] } ?? []) { $0.text(text) }
    }

    mutating func link(_ address: String, _ text: String) {
        element("a", [("href", address)]) { $0.text(text) }
    }

    /// Adds a table. On a narrow screen the table scrolls, not the page.
    mutating func table(_ columns: [(title: String, isFigure: Bool)], _ rows: [[String]], isList: Bool = false) {
        table(of: rows, isList: isList, [("tabindex", "0")]) { html in
            for column in columns {
                html.element("th", [("scope", "col")] + (column.isFigure ? [("class", "figure")] : [])) {
                    $0.text(column.title)
                }
            }
        } row: { row, html in
            for (cell, column) in zip(row, columns) {
                html.element(
                    "td",
                    (column.isFigure ? [("class", "figure")] : []) + (isList ? [("data-title", column.title)] : [])
                ) { $0.text(cell) }
            }
        }
    }

    /// Adds a table whose cells `head` and `row` add.
    /// - Parameter isList: on a phone, each cell is a line with the title in its `data-title`.
    mutating func table<Row>(
        of rows: some Sequence<Row>, isList: Bool = true, _ attributes: [(name: String, value: String)] = [],
        head: (inout HTML) -> Void, row addRow: (Row, inout HTML) -> Void
    ) {
        element("div", [("class", "wide")] + attributes) { html in
            html.element("table", isList ? [("class", "queue")] : []) { html in
                html.element("thead") { $0.element("tr", content: head) }
                html.element("tbody") { html in
                    for row in rows { html.element("tr") { addRow(row, &$0) } }
                }
            }
        }
    }

    /// Adds a list of labels and their texts.
    mutating func pairs(_ pairs: [LabelledText]) {
        element("dl") { html in
            for pair in pairs {
                html.element("dt", pair.label)
                html.element("dd") { html in
                    html.text(pair.text)
                    for line in pair.sources { html.element("span", class: pair.areLines ? "line" : "source", line) }
                }
            }
        }
    }

    /// Adds a chart. The longest bar has the full width, and the others their share of it.
    mutating func bars(_ lines: [BarLine]) {
        let lengths = lines.map { $0.parts.reduce(0) { $0 + $1.value.magnitude } }
        element("div", [("class", "bars")]) { html in
            for line in lines {
                html.element("span", line.title)
                html.element("span", line.numbers)
                html.bar(line.parts, of: lengths.max() ?? 0, label: "\(line.title): \(line.numbers)")
            }
        }
    }

    /// Adds what the colours of bars mean.
    mutating func legend(_ parts: [(style: String, word: String)]) {
        element("p", [("class", "legend")]) { html in
            for (style, word) in parts {
                html.element("span") { html in
                    html.bar([(1, style)], of: 1, label: word)
                    html.text(word)
                }
            }
        }
    }

    private mutating func bar(_ parts: [(value: Int64, style: String)], of whole: UInt64, label: String) {
        let attributes = [
            ("viewBox", "0 0 1000 10"), ("preserveAspectRatio", "none"), ("role", "img"), ("aria-label", label),
        ]
        element("svg", attributes) { html in
            var start: UInt64 = 0
            for (value, style) in parts where value != 0 {
                // In thousandths.
                let share = whole.dividingFullWidth(value.magnitude.multipliedFullWidth(by: 1000)).quotient
                let width = max(2, share)
                let place = [
                    ("class", style), ("x", String(start)), ("y", "0"), ("width", String(width)), ("height", "10"),
                ]
                html.element("rect", place) { _ in }
                start += width
            }
        }
    }
}

/// One line of a chart: a bar between its title and its numbers.
struct BarLine {
    var title: String
    var numbers: String
    var parts: [(value: Int64, style: String)]
}

/// The text as a part of an address: bytes other than letters, digits, `-`, `.` and `_` as `%E4`.
func percentEncoded(_ text: String) -> String {
    let plain = CharacterSet(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._")
    return text.addingPercentEncoding(withAllowedCharacters: plain)!
}
