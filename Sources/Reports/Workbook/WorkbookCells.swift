/// The cells of a workbook before it is written, as its formulas see them. Every formula is computed from what is written,
/// so that a program that does not calculate shows the same figures as one that does.
final class WorkbookCells {
    private enum Source {
        case page(Page)
        /// Makes a column: its title, then its value in each row.
        case table((_ column: Int) -> [FormulaValue])
    }
    private struct Place: Hashable {
        var sheet: String
        var row: Int
        var column: Int
    }
    private var sheets: [String: Source] = [:]
    private var computed: [Place: FormulaValue] = [:]
    private var columns: [Place: [FormulaValue]] = [:]
    private var shared: [String: [[FormulaValue]: Int128]] = [:]

    func add(_ page: Page, named name: String) { sheets[name] = .page(page) }

    /// Adds the sheets of a table, with the names that it is written under.
    func add<Row>(_ table: Table<Row>, named name: String, rowsMax: Int) {
        for number in 0..<max(1, table.rows.pieces(of: rowsMax - 1)) {
            let rows = Array(table.rows.piece(number, of: rowsMax - 1))
            sheets[sheetName(name, part: number + 1)] = .table { index in
                let column = table.columns[index]
                return [.text(column.name)] + rows.map { FormulaValue(column.cell($0)) }
            }
        }
    }

    func value(_ sheet: String, row: Int, column: Int) -> FormulaValue {
        let place = Place(sheet: sheet, row: row, column: column)
        if let known = computed[place] { return known }
        guard case .page(let page) = sheets[sheet] else { preconditionFailure("formulas are on pages") }
        let value: FormulaValue =
            switch page.entry(row: row, column: column) {
            case .none: .empty
            case .some(.text(let text, _)), .some(.link(let text, _, _)): .text(text)
            case .some(.cell(let cell)): FormulaValue(cell)
            case .some(.figure(let number, _)): .number(Int128(whole(number * Double(FormulaValue.scale))))
            case .some(.formula(let formula, _)), .some(.check(let formula)): formula.value(on: sheet, in: self)
            }
        computed[place] = value
        return value
    }

    /// The values of a rectangle, row by row. Rows and columns count from 0.
    func values(_ sheet: String, rows: ClosedRange<Int>, columns: ClosedRange<Int>) -> [FormulaValue] {
        guard let source = sheets[sheet] else { preconditionFailure("there is no sheet “\(sheet)”") }
        switch source {
        case .page: return rows.flatMap { row in columns.map { value(sheet, row: row, column: $0) } }
        case .table(let make):
            precondition(columns.count == 1, "formulas refer to a table column by column")
            let place = Place(sheet: sheet, row: 0, column: columns.lowerBound)
            let column = self.columns[place] ?? make(columns.lowerBound)
            self.columns[place] = column
            return rows.map { $0 < column.count ? column[$0] : .empty }
        }
    }

    /// The sums of a range, by the values of other ranges beside it. Kept, because many formulas share them.
    func sums(_ key: String, _ make: () -> [[FormulaValue]: Int128]) -> [[FormulaValue]: Int128] {
        if let known = shared[key] { return known }
        let sums = make()
        shared[key] = sums
        return sums
    }

    /// The checks that do not come to 0, as `sheet!cell: value`.
    var failedChecks: [String] {
        sheets.ordered().flatMap { name, source -> [String] in
            guard case .page(let page) = source else { return [] }
            return page.checks.compactMap { row, column in
                let value = value(name, row: row, column: column)
                guard value.number != 0 else { return nil }
                return "\(name)!\(columnName(column))\(row + 1) is \(value.double)"
            }
        }
    }
}

extension FormulaValue {
    /// As a spreadsheet sees the cell.
    init(_ cell: Cell) {
        switch cell {
        case .empty, .text, .severity, .list: self = cell.sheetText.map { .text($0) } ?? .empty
        case .integer(let number): self = .integer(number)
        case .money(let amount):
            self = .number(Int128(amount.minor) * Int128(powerOfTen(4 - min(4, amount.currency.exponent))))
        case .instant(let instant): self = .number(Int128(instant.milliseconds))
        case .date(let date): self = .integer(Int64(date.day))
        }
    }
}
