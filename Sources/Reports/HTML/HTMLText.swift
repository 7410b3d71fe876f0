internal import Base
internal import Domain

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

    /// Adds text.
    mutating func text(_ text: String) { source += Self.escaped(text) }

    /// Adds a start tag: of an element without content, or whose end tag may be omitted.
    mutating func tag(_ name: String, _ attributes: [(name: String, value: String)] = []) {
        source += "<" + name
        for attribute in attributes { source += " \(attribute.name)=\"\(Self.escaped(attribute.value))\"" }
        source += ">"
    }

    /// Adds an element with the content that `content` adds.
    mutating func element(
        _ name: String, _ attributes: [(name: String, value: String)] = [], _ content: (inout HTML) -> Void
    ) {
        tag(name, attributes)
        content(&self)
        source += "</" + name + ">\n"
    }

    /// Adds an element with text.
    mutating func element(_ name: String, class style: String? = nil, _ text: String) {
        element(name, style.map { [("class", $0)] } ?? []) { $0.text(text) }
    }

    /// Adds a link.
    mutating func link(_ address: String, _ text: String) {
        element("a", [("href", address)]) { $0.text(text) }
    }

    /// Adds a table. On a narrow screen the table scrolls, not the page.
    mutating func table(_ columns: [(title: String, isFigure: Bool)], _ rows: [[String]]) {
        element("div", [("class", "wide")]) { html in
            html.element("table") { html in
                html.element("thead") { html in
                    html.element("tr") { html in
                        for column in columns {
                            html.element("th", class: column.isFigure ? "figure" : nil, column.title)
                        }
                    }
                }
                html.element("tbody") { html in
                    for row in rows {
                        html.element("tr") { html in
                            for (cell, column) in zip(row, columns) {
                                html.element("td", class: column.isFigure ? "figure" : nil, cell)
                            }
                        }
                    }
                }
            }
        }
    }

    /// Adds a list of labels and their values.
    mutating func pairs(_ pairs: [(label: String, text: String)]) {
        element("dl") { html in
            for pair in pairs {
                html.element("dt", pair.label)
                html.element("dd", pair.text)
            }
        }
    }

    /// Adds a bar of several parts, whose lengths are shares of `whole`. Each part has its own style.
    mutating func bar(_ parts: [(value: Int64, style: String)], of whole: Int64, label: String) {
        let attributes = [
            ("viewBox", "0 0 1000 10"), ("preserveAspectRatio", "none"), ("role", "img"), ("aria-label", label),
        ]
        element("svg", attributes) { html in
            var start: Int64 = 0
            for part in parts where part.value != 0 {
                let width = max(2, share(part.value, of: whole))
                html.element(
                    "rect",
                    [
                        ("class", part.style), ("x", String(start)), ("y", "0"), ("width", String(width)),
                        ("height", "10"),
                    ]
                ) { _ in }
                start += width
            }
        }
    }

}

/// `value` in thousandths of `whole`, rounded down. `whole` must not be less than `value`.
private func share(_ value: Int64, of whole: Int64) -> Int64 {
    Int64(clamping: whole.magnitude.dividingFullWidth(value.magnitude.multipliedFullWidth(by: 1000)).quotient)
}
