internal import Domain

/// HTML under construction. What strangers wrote enters through `text` alone, and comes out harmless.
struct HTML {
    private(set) var source = ""

    /// Text between tags, or in an attribute's quotes.
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

    /// A tag that holds nothing, or whose end comes by itself.
    mutating func tag(_ name: String, _ attributes: [(name: String, value: String)] = []) {
        source += "<" + name
        for attribute in attributes { source += " \(attribute.name)=\"\(Self.escaped(attribute.value))\"" }
        source += ">"
    }

    mutating func element(
        _ name: String, _ attributes: [(name: String, value: String)] = [], _ content: (inout HTML) -> Void
    ) {
        tag(name, attributes)
        content(&self)
        source += "</" + name + ">\n"
    }

    mutating func element(_ name: String, class style: String? = nil, _ text: String) {
        element(name, style.map { [("class", $0)] } ?? []) { $0.text(text) }
    }

    /// Rows under titles, wide as it must be: on a narrow screen the table scrolls, not the page.
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

    /// Labels and what they say.
    mutating func pairs(_ pairs: [(label: String, text: String)]) {
        element("dl") { html in
            for pair in pairs {
                html.element("dt", pair.label)
                html.element("dd", pair.text)
            }
        }
    }

    /// A bar of the parts, in shares of `whole`; each part names its style.
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

/// In thousandths, rounded down; `whole` is not less than `value`.
private func share(_ value: Int64, of whole: Int64) -> Int64 {
    Int64(clamping: whole.magnitude.dividingFullWidth(value.magnitude.multipliedFullWidth(by: 1000)).quotient)
}
