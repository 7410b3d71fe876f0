/// A table in plain text for a terminal or an e-mail. Wide characters count as two columns.
struct TextTable {
    private let rows: [[String]]
    /// For each column, whether it contains figures, which are aligned right.
    private let figures: [Bool]

    /// - Parameter columns: empty for a table without titles.
    init(columns: [(title: String, isFigure: Bool)], rows: [[Cell]], plain: (Cell) -> String) {
        let titles = columns.isEmpty ? [] : [columns.map { display($0.title) }]
        self.rows = titles + rows.map { $0.map { display(plain($0)) } }
        figures = columns.isEmpty ? rows.first?.map(\.isFigure) ?? [] : columns.map(\.isFigure)
    }

    /// The lines, indented by two blanks. If a line would be longer than `columnsMax`, the first column is cut.
    func rendered(columnsMax: Int) -> String {
        var widths = figures.indices.map { column in rows.map { displayWidth($0[column]) }.max() ?? 0 }
        let excess = 2 * widths.count + widths.reduce(0, +) - columnsMax
        if excess > 0 { widths[0] = max(8, widths[0] - excess) }
        return rows.map { row in
            let line = row.indices.map { "  " + padded(row[$0], to: widths[$0], isFigure: figures[$0]) }.joined()
            return cut(String(line.trimmingSuffix(" ")), to: columnsMax) + "\n"
        }.joined()
    }

    private func padded(_ text: String, to width: Int, isFigure: Bool) -> String {
        let text = cut(text, to: width)
        let blanks = String(repeating: " ", count: max(0, width - displayWidth(text)))
        return isFigure ? blanks + text : text + blanks
    }
}

/// The text or, if it is wider than `width` columns, its beginning and `…`.
func cut(_ text: String, to width: Int) -> String {
    guard displayWidth(text) > width else { return text }
    var result = ""
    var taken = 1
    for character in text {
        taken += displayWidth(String(character))
        if taken > width { break }
        result.append(character)
    }
    return result + "…"
}
