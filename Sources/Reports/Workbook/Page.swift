internal import Domain
internal import Xlsx

/// A sheet that is laid out completely before it is written. Formulas in upper rows can thus refer to cells in lower
/// ones, although libxlsxwriter writes rows only from top to bottom.
struct Page {
    /// The content of one cell.
    enum Entry {
        case text(String, Style)
        case cell(Cell)
        /// A live formula, and its value.
        case formula(String, Cell)
        /// A formula that must come to 0.
        case check(String)

        static func text(_ text: String) -> Entry { .cell(Cell(text)) }
    }
    private var rows: [[Entry]] = []
    private var heights: [Int: Double] = [:]
    /// The names of all cells that contain checks.
    private(set) var checks: [String] = []
    /// The cell that shows the sum of all checks.
    private var total: (row: Int, column: Int)?

    /// The index of the row that is added next, from 0.
    var next: Int { rows.count }

    /// Adds a row. The height is in points.
    mutating func add(_ entries: [Entry] = [], height: Double? = nil) {
        for (column, entry) in entries.enumerated() {
            if case .check = entry { checks.append(cellName(row: next, column: column)) }
        }
        if let height { heights[next] = height }
        rows.append(entries)
    }

    /// Adds a row with `label` and, in `column`, the sum of all checks on the page, including those added later.
    mutating func addTotal(of label: Entry, column: Int) {
        total = (next, column)
        add([label])
    }

    /// A formula for the sum of the absolute values of all checks.
    private var sumOfChecks: String { checks.isEmpty ? "0" : checks.map { "ABS(\($0))" }.joined(separator: "+") }

    /// Writes the rows to a sheet.
    func write(with writer: SheetWriter, to sheet: inout Sheet) {
        for (row, entries) in rows.enumerated() {
            if let height = heights[row] { sheet.setHeight(height, row: row) }
            for (column, entry) in entries.enumerated() {
                write(entry, row: row, column: column, writer, &sheet)
            }
            if let total, total.row == row {
                sheet.write(formula: sumOfChecks, value: 0, row: row, column: total.column, style: writer.styles.check)
            }
        }
    }

    private func write(_ entry: Entry, row: Int, column: Int, _ writer: SheetWriter, _ sheet: inout Sheet) {
        switch entry {
        case .text(let text, let style): sheet.write(text, row: row, column: column, style: style)
        case .cell(let cell): writer.write(cell, row: row, column: column, to: &sheet)
        case .check(let formula):
            sheet.write(formula: formula, value: 0, row: row, column: column, style: writer.styles.check)
        case .formula(let formula, .money(let amount)):
            let exponent = amount.currency.exponent
            sheet.write(
                formula: formula, value: major(amount), row: row, column: column,
                style: writer.styles.money(exponent: exponent))
        case .formula(let formula, .integer(let number)):
            sheet.write(
                formula: formula, value: Double(number), row: row, column: column, style: writer.styles.integer)
        case .formula: preconditionFailure("a formula comes to a number")
        }
    }
}

/// An absolute cell reference such as `$C$5`; row and column count from 0.
func cellName(row: Int, column: Int) -> String { "$" + (columnName(column) ?? "A") + "$\(row + 1)" }

/// The amount in major units, as a cell stores it. Up to 15 digits are exact.
func major(_ amount: Money) -> Double {
    Double(amount.minor) / Double(powerOfTen(amount.currency.exponent))
}

/// The rows of a detail table as formulas refer to them, on all sheets that the table continues on.
struct DetailRange {
    private let name: String
    private let columns: [String]
    private let rows: Int
    private let rowsMax: Int

    init<Row>(_ name: String, _ table: Table<Row>, rowsMax: Int) {
        self.name = name
        columns = table.columns.map(\.name)
        rows = table.rows.count
        self.rowsMax = rowsMax
    }

    /// A formula for the sum of `column` over the rows in which the given columns equal the given cells.
    func sum(_ column: String, where conditions: [(column: String, cell: String)]) -> String {
        parts { range in
            "SUMIFS(" + ([range(column)] + conditions.flatMap { [range($0.column), $0.cell] }).joined(separator: ",")
                + ")"
        }
    }

    /// A formula for the number of rows in which the given columns equal the given cells.
    func count(where conditions: [(column: String, cell: String)]) -> String {
        parts { range in "COUNTIFS(" + conditions.flatMap { [range($0.column), $0.cell] }.joined(separator: ",") + ")" }
    }

    /// The formula for each sheet that the table is on, added up.
    private func parts(_ formula: ((String) -> String) -> String) -> String {
        let perSheet = rowsMax - 1
        let count = max(1, (rows + perSheet - 1) / perSheet)
        return (1...count).map { part in
            let sheet = sheetName(name, part: part).split(separator: "'", omittingEmptySubsequences: false)
                .joined(separator: "''")
            let last = max(2, min(perSheet, rows - (part - 1) * perSheet) + 1)
            return formula { column in
                guard let position = columns.firstIndex(of: column), let letter = columnName(position) else {
                    preconditionFailure("the sheet has no column \(column)")
                }
                return "'\(sheet)'!$\(letter)$2:$\(letter)$\(last)"
            }
        }.joined(separator: "+")
    }
}
