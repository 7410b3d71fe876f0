internal import Domain
internal import Xlsx

/// A sheet that is laid out row by row before it is written, so that formulas above can name cells below.
struct Page {
    enum Entry {
        case text(String, Style)
        case cell(Cell)
        /// A live formula and what it comes to.
        case formula(String, Cell)
        /// A formula that must come to 0.
        case check(String)

        static func text(_ text: String) -> Entry { .cell(Cell(text)) }
    }
    private var rows: [[Entry]] = []
    private var heights: [Int: Double] = [:]
    private(set) var checks: [String] = []
    /// Where the sum of all checks is to stand, once it is known.
    private var total: (row: Int, column: Int)?

    /// The row that is added next, counted from 0.
    var next: Int { rows.count }

    mutating func add(_ entries: [Entry] = [], height: Double? = nil) {
        for (column, entry) in entries.enumerated() {
            if case .check = entry { checks.append(cellName(row: next, column: column)) }
        }
        if let height { heights[next] = height }
        rows.append(entries)
    }

    /// Adds a row with the sum of all checks of the page behind the label.
    mutating func addTotal(of label: Entry, column: Int) {
        total = (next, column)
        add([label])
    }

    /// How much every check is off, together.
    private var sumOfChecks: String { checks.isEmpty ? "0" : checks.map { "ABS(\($0))" }.joined(separator: "+") }

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
            let exponent = Currency(amount.currency)?.exponent ?? 0
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

/// `$C$5`, of a row and column counted from 0.
func cellName(row: Int, column: Int) -> String { "$" + (columnName(column) ?? "A") + "$\(row + 1)" }

/// In major units, as a cell has it: up to 15 digits are exact.
func major(_ amount: Amount) -> Double {
    Double(amount.minor) / Double(powerOfTen(Currency(amount.currency)?.exponent ?? 0))
}

/// The columns of a sheet that formulas add up, over all the sheets that it goes on in.
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

    /// The sum of `column` over rows whose columns equal cells.
    func sum(_ column: String, where conditions: [(column: String, cell: String)]) -> String {
        parts { range in
            "SUMIFS(" + ([range(column)] + conditions.flatMap { [range($0.column), $0.cell] }).joined(separator: ",")
                + ")"
        }
    }

    func count(where conditions: [(column: String, cell: String)]) -> String {
        parts { range in "COUNTIFS(" + conditions.flatMap { [range($0.column), $0.cell] }.joined(separator: ",") + ")" }
    }

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
