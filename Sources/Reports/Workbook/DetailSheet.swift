/// A table on a sheet of its own, as finance reads and prints it: columns as wide as their content, long texts wrapped,
/// totals by currency under the rows, and every column printed but the last where it holds codes.
struct DetailSheet<Row: Sendable>: BookSheet {
    let table: Table<Row>
    /// The figures that are added up by currency.
    let totals: [String]
    /// Over how many pages the columns are printed, where one would make the letters too small.
    let pagesWide: Int
    /// The columns that each printed page begins with: up to verdict and currency where they come first.
    var repeated: Int {
        let last = table.columns.prefix(4).lastIndex { ["verdict", "currency"].contains($0.name) }
        return last.map { $0 + 1 } ?? 1
    }

    func add(to cells: WorkbookCells, named name: String, rowsMax: Int) {
        cells.add(table, named: name, rowsMax: rowsMax)
    }

    func write(
        named name: String, with writer: SheetWriter, cells: WorkbookCells, to workbook: inout Workbook
    ) throws(XlsxError) {
        try writer.add(self, named: name, cells, to: &workbook)
    }
}

extension SheetWriter {
    fileprivate func add<Row>(
        _ detail: DetailSheet<Row>, named name: String, _ cells: WorkbookCells, to workbook: inout Workbook
    ) throws(XlsxError) {
        let (table, size, columns) = (detail.table, rowsMax - 1, detail.table.columns.count)
        let hasCodes = table.columns.last?.name.hasSuffix("_code") == true
        let printed = hasCodes ? columns - 1 : columns
        let wide = widths(of: table)
        let found = Self.widthsMax.map { most in wide.map { min($0, most) } }
        let narrow = found.first { $0.prefix(printed).reduce(0) { $0 + $1 + Self.margin } <= Self.printedMax }
        let widths = narrow ?? found[0]
        let pieces = max(1, table.rows.pieces(of: size))
        for number in 0..<pieces {
            try workbook.addSheet(sheetName(name, part: number + 1)) { sheet in
                sheet.setWidths(widths)
                let rows = table.rows.piece(number, of: size)
                let (first, height) = write(rows, of: table.columns, widths: widths, to: &sheet)
                var next = first
                if rows.isEmpty {
                    sheet.write(texts.month(.nothing), row: next, column: 0)
                    next += 1
                }
                // Filters must not end above the row that was written last.
                sheet.filter(header: 0, last: next - 1, columns: columns)
                if number == pieces - 1 { addTotals(detail, named: name, cells, row: &next, to: &sheet) }
                sheet.freeze(rows: 1, columns: 1)
                finish(
                    &sheet, columns: columns, printed: printed, lastRow: next - 1,
                    pagesWide: narrow == nil ? detail.pagesWide : 1, repeated: detail.repeated,
                    height: height + 15 * Double(next - first))
            }
        }
    }

    /// Writes titles and rows. Returns the index of the next row, and how high they are.
    private func write<Row>(
        _ rows: ArraySlice<Row>, of columns: [Column<Row>], widths: [Double], to sheet: inout Sheet
    ) -> (next: Int, height: Double) {
        var height = headerHeight(columns.map(title), widths)
        writeHeader(columns, height: height, to: &sheet)
        for (index, row) in rows.enumerated() {
            let cells = columns.map { $0.cell(row) }
            let lines = zip(cells, widths).map { Self.widthsMax.contains($1) ? lineCount(of: $0, $1) : 1 }.max() ?? 1
            // Not every program finds the height of wrapped rows by itself.
            if lines > 1 { sheet.setHeight(14.5 * Double(lines), row: index + 1) }
            height += max(15, 14.5 * Double(lines))
            for (position, cell) in cells.enumerated() {
                write(cell, row: index + 1, column: position, wraps: lines > 1, to: &sheet)
            }
        }
        return (rows.count + 1, height)
    }

    /// A row for each currency, with the sum of each figure by formula.
    private func addTotals<Row>(
        _ detail: DetailSheet<Row>, named name: String, _ cells: WorkbookCells, row: inout Int, to sheet: inout Sheet
    ) {
        let table = detail.table
        guard !table.rows.isEmpty, !detail.totals.isEmpty,
            let column = table.columns.firstIndex(where: { $0.name == "currency" })
        else { return }
        let range = DetailRange(name, table, rowsMax: rowsMax)
        var exponents: [String: Int] = [:]
        for item in table.rows {
            guard case .text(let code) = table.columns[column].cell(item), exponents[code] == nil else { continue }
            exponents[code] = Currency(code)?.exponent
        }
        row += 1
        for (currency, exponent) in exponents.ordered() {
            sheet.write(texts.month(.totalOf, currency), row: row, column: 0, style: styles.label)
            if column > 0 { sheet.write(currency, row: row, column: column, style: styles.label) }
            for (position, item) in table.columns.enumerated() where detail.totals.contains(item.name) {
                let formula = range.sum(item.name, where: [("currency", .word(currency))])
                let value = formula.value(on: sheet.name, in: cells)
                let isUnits = item.name.hasPrefix("units_")
                sheet.write(
                    formula: formula.text, value: value.double, row: row, column: position,
                    style: isUnits ? styles.integer : styles.money(exponent: exponent))
            }
            row += 1
        }
    }

    /// The widest column, and the widest where that makes the table fit on one page. What is longer is wrapped.
    private static var widthsMax: [Double] { [36, 28, 24] }

    /// How wide the columns of a printed page may be together with letters as large as the first sheet's. Each has a margin.
    private static var printedMax: Double { 250 }
    private static var margin: Double { 0.7 }

    /// As wide as the content, and as the longest word of the title.
    private func widths<Row>(of table: Table<Row>) -> [Double] {
        table.columns.map { column in
            let title = title(of: column).split(separator: " ").map { displayWidth(String($0)) }.max() ?? 0
            // The width of a long table is that of its first rows.
            let content = table.rows.prefix(5000).map { width(of: column.cell($0)) }.max() ?? 0
            return Double(max(title, content, 6)) * 1.05 + 2
        }
    }

    /// How many lines a wrapped cell takes up.
    private func lineCount(of cell: Cell, _ width: Double) -> Int {
        cell.sheetText.map { wrapped($0, to: Int(width) - 3).count } ?? 1
    }

    private func headerHeight(_ titles: [String], _ widths: [Double]) -> Double {
        let lines = zip(titles, widths).map { wrapped($0, to: max(4, Int($1) - 2)).count }.max() ?? 1
        return Double(15 * lines + 2)
    }

    /// In characters; wide ones count twice.
    private func width(of cell: Cell) -> Int {
        switch cell {
        case .empty, .text, .severity, .list: cell.sheetText.map(displayWidth) ?? 0
        case .integer(let number): String(number).count * 4 / 3
        case .money(let amount): amount.text.count * 4 / 3
        // Its signs are narrower than its digits.
        case .instant: 17
        case .date: 10
        }
    }
}
