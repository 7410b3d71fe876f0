internal import CXlsx

/// A sheet while it is written. Rows must be written from top to bottom; the cells of a row in any order. Both count
/// from 0.
///
/// Text is always written as text: no value becomes a formula or a link. A failure is remembered, and
/// `Workbook.addSheet` throws it.
public struct Sheet: ~Copyable {
    let sheet: UnsafeMutablePointer<lxw_worksheet>
    let workbook: UnsafeMutablePointer<lxw_workbook>
    /// The name on the sheet's tab.
    let name: String
    /// The first failure.
    private(set) var failure: XlsxError?

    /// The maximum number of rows of a sheet in Excel.
    public static let rowsMax = 1_048_576

    public mutating func write(_ text: String, row: Int, column: Int, style: Style = .plain) {
        // Passed as it is, the text would be copied.
        let code = cellText(text).withCString {
            worksheet_write_string(sheet, UInt32(row), UInt16(column), $0, style.format)
        }
        check(code, "writing text")
    }

    public mutating func write(_ number: Double, row: Int, column: Int, style: Style = .plain) {
        check(worksheet_write_number(sheet, UInt32(row), UInt16(column), number, style.format), "writing a number")
    }

    /// Writes a live formula, which shows `value` until it is recalculated.
    ///
    /// - Parameter formula: without `=`. Must not contain data; it may only refer to cells.
    mutating func write(formula: String, value: Double, row: Int, column: Int, style: Style = .plain) {
        let code = worksheet_write_formula_num(
            sheet, UInt32(row), UInt16(column), "=" + formula, style.format, value)
        check(code, "writing a formula")
    }

    /// Writes a link to cells of another sheet of this workbook.
    mutating func write(
        _ text: String, linkTo target: String, cells: String, row: Int, column: Int, style: Style
    ) {
        precondition(isSheetName(target), "“\(target)” cannot be the name of a sheet")
        let address = "internal:\(quotedName(target))!\(cells)"
        let code = worksheet_write_url_opt(
            sheet, UInt32(row), UInt16(column), address, style.format, cellText(text), nil)
        check(code, "writing a link")
    }

    /// Gives a cell a name, by which formulas of this workbook and of others find it. Not while other sheets are written.
    ///
    /// - Parameter cellName: a constant of letters, digits and `_`, which is not the address of a cell.
    mutating func name(row: Int, column: Int, as cellName: String) {
        let place = "=\(quotedName(name))!$\(columnName(column))$\(row + 1)"
        check(workbook_define_name(workbook, cellName, place), "naming a cell")
    }

    /// The name of a sheet as formulas have it.
    private func quotedName(_ sheet: String) -> String { "'" + sheet.replacing("'", with: "''") + "'" }

    /// Sets the widths of the columns from the first on, in characters of the default font.
    mutating func setWidths(_ widths: [Double]) {
        for (column, width) in widths.enumerated() {
            check(worksheet_set_column(sheet, UInt16(column), UInt16(column), width, nil), "setting a width")
        }
    }

    /// Sets the height of a row. Call it before writing the row's cells.
    ///
    /// - Parameter height: in points.
    mutating func setHeight(_ height: Double, row: Int) {
        check(worksheet_set_row(sheet, UInt32(row), height, nil), "setting a height")
    }

    /// Keeps the first rows and columns visible while scrolling.
    mutating func freeze(rows: Int, columns: Int = 0) {
        worksheet_freeze_panes(sheet, UInt32(rows), UInt16(columns))
    }

    /// Puts filter buttons on row `header`, for the rows down to `last`.
    mutating func filter(header: Int, last: Int, columns: Int) {
        check(worksheet_autofilter(sheet, UInt32(header), 0, UInt32(last), UInt16(columns - 1)), "setting filters")
    }

    /// Prints on A4 landscape, fitted to the page's width, with page numbers and, if given, the row `header` on every
    /// page.
    ///
    /// - Parameters:
    ///   - heading: what stands above, after the sheet's name; nil for nothing.
    ///   - pagesWide: over how many pages the columns go. The first column is repeated on each.
    ///   - height: of all rows, in points. What is only a little longer than a page is fitted to it.
    mutating func setUpPrint(
        repeating header: Int?, heading: String? = nil, footer: String, pagesWide: Int = 1, columns: Int = 1,
        height: Double
    ) {
        worksheet_set_paper(sheet, 9)  // A4
        worksheet_set_landscape(sheet)
        worksheet_fit_to_pages(sheet, UInt16(pagesWide), Self.fitsOnePage(height) ? 1 : 0)
        if pagesWide > 1 { check(worksheet_repeat_columns(sheet, 0, UInt16(columns - 1)), "repeating columns") }
        worksheet_set_margins(sheet, 0.4, 0.4, heading == nil ? 0.5 : 0.65, 0.6)
        if let header { check(worksheet_repeat_rows(sheet, UInt32(header), UInt32(header)), "repeating the header") }
        let safe = { (text: String) in text.replacing("&", with: "&&") }
        if let heading { check(worksheet_set_header(sheet, "&L&B&A&B · \(safe(heading))"), "setting the header") }
        check(worksheet_set_footer(sheet, "&L\(safe(footer))&C&A&R&P / &N"), "setting the footer")
    }

    /// Whether rows that are so high together fit on one page with letters of at least six and a half points.
    static func fitsOnePage(_ height: Double) -> Bool { height <= 500 / 0.59 }

    /// Begins a new printed page above each of these rows.
    mutating func breakPages(above rows: [Int]) {
        if rows.isEmpty { return }
        var breaks = rows.map { UInt32($0) } + [0]
        check(worksheet_set_h_pagebreaks(sheet, &breaks), "setting page breaks")
    }

    /// Prints only the first `columns` columns, down to `lastRow`.
    mutating func print(columns: Int, lastRow: Int) {
        check(worksheet_print_area(sheet, 0, 0, UInt32(lastRow), UInt16(columns - 1)), "setting what is printed")
    }

    /// Turns off Excel's "number stored as text" warning, because ids look like numbers.
    mutating func allowNumbersAsText(lastRow: Int, lastColumn: Int) {
        let range = "A1:\(columnName(lastColumn))\(lastRow + 1)"
        let kind = UInt8(LXW_IGNORE_NUMBER_STORED_AS_TEXT.rawValue)
        check(worksheet_ignore_errors(sheet, kind, range), "allowing ids")
    }

    mutating func check(_ code: lxw_error, _ doing: String) {
        guard code != LXW_NO_ERROR, failure == nil else { return }
        failure = .xlsxWriter(code: code.rawValue, doing: "\(doing) in “\(name)”")
    }
}

/// The letters of a column, from 0: `A`, …, `Z`, `AA`, ….
func columnName(_ column: Int) -> String {
    let letter = String(UnicodeScalar(UInt8(0x41 + column % 26)))
    return column < 26 ? letter : columnName(column / 26 - 1) + letter
}
