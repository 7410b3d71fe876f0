internal import Base
internal import Domain
internal import Xlsx

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
    let footer: String
    /// The maximum number of rows of a sheet, including its header.
    let rowsMax: Int

    /// Adds the sheets of a table. The header is frozen, has filter buttons, and is repeated when printed.
    ///
    /// - Parameter layout: for the table's columns.
    func add<Row>(
        _ table: Table<Row>, named name: String, layout: Layout.Sheet, to workbook: inout Workbook
    ) throws(XlsxError) {
        for number in 0..<max(1, table.rows.pieces(of: rowsMax - 1)) {
            try workbook.addSheet(sheetName(name, part: number + 1)) { sheet in
                let rows = table.rows.piece(number, of: rowsMax - 1)
                write(table.columns, rows, to: &sheet)
                sheet.setWidths(layout.columns.map(\.width))
                let columns = layout.columns.count
                sheet.print(columns: min(layout.printed ?? columns, columns), lastRow: rows.count)
            }
        }
    }

    private func write<Row>(_ columns: [Column<Row>], _ rows: ArraySlice<Row>, to sheet: inout Sheet) {
        sheet.setHeight(32, row: 0)
        writeHeader(columns.map { (title(of: $0), $0.isFigure) }, row: 0, to: &sheet)
        for (index, row) in rows.enumerated() {
            for (position, column) in columns.enumerated() {
                write(column.cell(row), row: index + 1, column: position, to: &sheet)
            }
        }
        sheet.freeze(rows: 1)
        sheet.filter(header: 0, last: rows.count, columns: columns.count)
        sheet.allowNumbersAsText(lastRow: rows.count, lastColumn: columns.count - 1)
        sheet.setUpPrint(repeating: 0, footer: footer)
    }

    /// Writes column titles.
    func writeHeader(_ titles: [(text: String, isFigure: Bool)], row: Int, to sheet: inout Sheet) {
        for (column, title) in titles.enumerated() {
            let style = title.isFigure ? styles.figureHeader : styles.header
            sheet.write(title.text, row: row, column: column, style: style)
        }
    }

    /// Writes one cell.
    ///
    /// - Parameter wraps: whether a text goes on in a further line where it is wider than the column.
    func write(_ cell: Cell, row: Int, column: Int, wraps: Bool = false, to sheet: inout Sheet) {
        if let value = value(of: cell, wraps: wraps) { sheet.write(value, row: row, column: column) }
    }

    /// The form of a cell in a sheet. Nil if it shows nothing.
    private func value(of cell: Cell, wraps: Bool = false) -> CellValue? {
        let style = wraps ? styles.wrapped : .plain
        switch cell {
        case .empty: return nil
        case .text(let text): return .text(display(text), style)
        case .severity(let word, let severity): return .text(word, styles.severity(severity))
        case .list(let texts):
            if texts.isEmpty { return nil }
            return .text(display(texts.count == 1 ? texts[0] : texts.joined(separator: "; ")), style)
        case .integer(let number): return .number(Double(number), styles.integer)
        case .money(let amount): return .number(major(amount), styles.money(exponent: amount.currency.exponent))
        case .instant(let instant):
            let local = instant.milliseconds + zone.offset(at: instant)
            return .number(serial(milliseconds: local), styles.instant)
        case .date(let date): return .number(serial(milliseconds: Int64(date.day) * 86_400_000), styles.date)
        }
    }

    func title<Row>(of column: Column<Row>) -> String {
        let title = texts.column(column.name)
        return column.isInstant ? "\(title) (\(zone.name))" : title
    }
}

/// The name of a table's sheet, or of a further sheet that it continues on.
func sheetName(_ name: String, part: Int) -> String {
    if part == 1 { return name }
    // Excel allows 31 characters.
    return name.prefix(24).trimmingSuffix { $0 == " " || $0 == "'" } + " (\(part))"
}

extension Substring {
    fileprivate func trimmingSuffix(while isCut: (Character) -> Bool) -> String {
        var rest = self
        while let last = rest.last, isCut(last) { rest.removeLast() }
        return String(rest)
    }
}

/// Excel's serial number: days since 1899-12-30.
private func serial(milliseconds: Int64) -> Double { Double(milliseconds) / 86_400_000 + 25_569 }
