/// Writes tables to the sheets of one workbook.
///
/// This is where a `Cell` gets its spreadsheet form: money becomes a number in major units with the currency's
/// decimals, an instant becomes Excel's serial number in the report's time zone, ids stay text. A table with more rows
/// than a sheet may have continues on further sheets named `… (2)`, `… (3)`.
struct SheetWriter {
    let styles: SheetStyles
    let texts: Texts
    /// The time zone in which instants are shown.
    let zone: Zone
    /// What printed pages have above, after the sheet's name. Nil for nothing.
    var header: String?
    let footer: String
    /// The maximum number of rows of a sheet, including its header.
    var rowsMax = Sheet.rowsMax

    /// Adds the sheets of a table. The header is frozen, has filter buttons, and is repeated when printed.
    ///
    /// - Parameter catalogue: the columns that the layout may name.
    func add<Row: Sendable>(
        _ rows: [Row], named name: String, catalogue: some Sequence<Column<Row>>, layout: Layout.Sheet,
        to workbook: inout Workbook
    ) throws(XlsxError) {
        try add(sheets(of: rows, named: name, catalogue: catalogue, layout: layout), threads: 1, to: &workbook)
    }

    /// Adds the sheets of several tables, and writes them on up to `threads` cores at the same time.
    ///
    /// - Parameter others: what the threads do when no sheet is left for them.
    func add(
        _ sheets: [TableSheet], threads: Int, beside others: [@Sendable () -> Void] = [], to workbook: inout Workbook
    ) throws(XlsxError) {
        try workbook.addSheets(sheets.map(\.name), threads: threads, beside: others) { sheets[$0].write(&$1) }
    }

    /// The sheets of a table, to be added.
    func sheets<Row: Sendable>(
        of rows: [Row], named name: String, catalogue: some Sequence<Column<Row>>, layout: Layout.Sheet
    ) -> [TableSheet] {
        let columns = layout.columns(of: catalogue)
        return (0..<max(1, rows.pieces(of: rowsMax - 1))).map { number in
            let rows = rows.piece(number, of: rowsMax - 1)
            return TableSheet(name: sheetName(name, part: number + 1)) { sheet in
                sheet.setWidths(layout.columns.map(\.width))
                writeHeader(columns, height: 32, to: &sheet)
                for (index, row) in rows.enumerated() {
                    write(columns.map { $0.cell(row) }, row: index + 1, to: &sheet)
                }
                sheet.freeze(rows: 1)
                sheet.filter(header: 0, last: rows.count, columns: columns.count)
                finish(&sheet, columns: columns.count, printed: layout.printed ?? columns.count, lastRow: rows.count)
            }
        }
    }

    /// Writes the titles of a table's columns as the first row.
    func writeHeader<Row>(_ columns: [Column<Row>], height: Double, to sheet: inout Sheet) {
        sheet.setHeight(height, row: 0)
        writeHeader(columns.map { (title(of: $0), $0.isFigure) }, row: 0, to: &sheet)
    }

    /// Sets up a table's sheet for ids and for printing.
    func finish(
        _ sheet: inout Sheet, columns: Int, printed: Int, lastRow: Int, pagesWide: Int = 1, repeated: Int = 1,
        height: Double? = nil
    ) {
        sheet.allowNumbersAsText(lastRow: lastRow, lastColumn: columns - 1)
        sheet.print(columns: min(printed, columns), lastRow: lastRow)
        sheet.setUpPrint(
            repeating: 0, heading: header, footer: footer, pagesWide: pagesWide, columns: repeated,
            height: height ?? 15 * Double(lastRow + 2))
    }

    func writeHeader(_ titles: [(text: String, isFigure: Bool)], row: Int, to sheet: inout Sheet) {
        for (column, title) in titles.enumerated() {
            let style = title.isFigure ? styles.figureHeader : styles.header
            sheet.write(title.text, row: row, column: column, style: style)
        }
    }

    /// Writes cells from the first column on.
    func write(_ cells: [Cell], row: Int, to sheet: inout Sheet) {
        for (column, cell) in cells.enumerated() { write(cell, row: row, column: column, to: &sheet) }
    }

    /// Writes one cell.
    ///
    /// - Parameter wraps: whether a text goes on in a further line where it is wider than the column.
    func write(_ cell: Cell, row: Int, column: Int, wraps: Bool = false, to sheet: inout Sheet) {
        func write(_ number: Double, _ style: Style) { sheet.write(number, row: row, column: column, style: style) }
        switch cell {
        case .empty: break
        case .severity(let word, let severity):
            sheet.write(word, row: row, column: column, style: styles.severity(severity))
        case .text, .list:
            guard let text = cell.sheetText else { return }
            sheet.write(text, row: row, column: column, style: wraps ? styles.wrapped : .plain)
        case .integer(let number): write(Double(number), styles.integer)
        case .money(let amount): write(major(amount), styles.money(exponent: amount.currency.exponent))
        case .instant(let instant):
            write(serial(milliseconds: instant.milliseconds + zone.offset(at: instant)), styles.instant)
        case .date(let date): write(serial(milliseconds: Int64(date.day) * 86_400_000), styles.date)
        }
    }

    func title<Row>(of column: Column<Row>) -> String {
        let title = texts.column(column.name)
        return column.isInstant ? "\(title) (\(zone.name))" : title
    }
}

extension Cell {
    /// The text as a sheet shows it. Nil for a number, a time and an empty cell.
    var sheetText: String? {
        switch self {
        case .text(let text): display(text)
        case .severity(let word, _): word
        case .list(let texts) where texts.isEmpty: nil
        case .list(let texts): display(texts.count == 1 ? texts[0] : texts.joined(separator: "; "))
        default: nil
        }
    }
}

/// A sheet of a table, and what writes it.
struct TableSheet: Sendable {
    let name: String
    let write: @Sendable (inout Sheet) -> Void
}

/// The name of a table's sheet, or of a further sheet that it continues on.
func sheetName(_ name: String, part: Int) -> String {
    if part == 1 { return name }
    // Excel allows 31 characters.
    return name.prefix(24).trimmingSuffix(" '") + " (\(part))"
}

/// Excel's serial number: days since 1899-12-30.
private func serial(milliseconds: Int64) -> Double { Double(milliseconds) / 86_400_000 + 25_569 }
