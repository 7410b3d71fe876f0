internal import Base
internal import Domain

/// The cells of a workbook before it is written, as its formulas see them. Every formula is computed from what is written,
/// so that a program that does not calculate shows the same figures as one that does.
final class WorkbookCells: FormulaCells {
    private enum Source {
        case page(Page)
        /// Each column's value in a row.
        case table(rows: Int, titles: [FormulaValue], cell: (_ row: Int, _ column: Int) -> FormulaValue)
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
            sheets[sheetName(name, part: number + 1)] = .table(
                rows: rows.count, titles: table.columns.map { .text($0.name) },
                cell: { FormulaValue(table.columns[$1].cell(rows[$0])) })
        }
    }

    /// The value of a formula's cell.
    func value(_ sheet: String, row: Int, column: Int) -> FormulaValue {
        let place = Place(sheet: sheet, row: row, column: column)
        if let known = computed[place] { return known }
        guard case .page(let page) = sheets[sheet] else { preconditionFailure("formulas are on pages") }
        let value: FormulaValue =
            switch page.entry(row: row, column: column) {
            case .none: .empty
            case .some(.text(let text, _)), .some(.link(let text, _)): .text(text)
            case .some(.cell(let cell)): FormulaValue(cell)
            case .some(.formula(let text, _)), .some(.check(let text)): Formula.value(of: text, on: sheet, in: self)
            }
        computed[place] = value
        return value
    }

    func values(_ sheet: String, rows: ClosedRange<Int>, columns: ClosedRange<Int>) -> [FormulaValue] {
        guard let source = sheets[sheet] else { preconditionFailure("there is no sheet “\(sheet)”") }
        switch source {
        case .page: return rows.flatMap { row in columns.map { value(sheet, row: row, column: $0) } }
        case .table(let count, let titles, let cell):
            if columns.count == 1 {
                let all = column(sheet, columns.lowerBound, count, titles, cell)
                return rows.map { $0 < all.count ? all[$0] : .empty }
            }
            return rows.flatMap { row in
                columns.map { row == 0 ? titles[$0] : row > count ? .empty : cell(row - 1, $0) }
            }
        }
    }

    private func column(
        _ sheet: String, _ column: Int, _ count: Int, _ titles: [FormulaValue], _ cell: (Int, Int) -> FormulaValue
    ) -> [FormulaValue] {
        let place = Place(sheet: sheet, row: 0, column: column)
        if let known = columns[place] { return known }
        let values = [titles[column]] + (0..<count).map { cell($0, column) }
        columns[place] = values
        return values
    }

    func sums(_ key: String, _ make: () -> [[FormulaValue]: Int128]) -> [[FormulaValue]: Int128] {
        if let known = shared[key] { return known }
        let sums = make()
        shared[key] = sums
        return sums
    }

    /// The checks that do not come to 0, as `sheet!cell: value`.
    var failedChecks: [String] {
        sheets.sorted { $0.key < $1.key }.flatMap { name, source -> [String] in
            guard case .page(let page) = source else { return [] }
            return page.checks.compactMap { row, column in
                let value = value(name, row: row, column: column)
                guard value.number != 0 else { return nil }
                return "\(name)!\(columnName(column))\(row + 1) is \(value.double)"
            }
        }
    }

    private func columnName(_ column: Int) -> String {
        String(cellName(row: 0, column: column).dropFirst().prefix { $0 != "$" })
    }
}

extension FormulaValue {
    /// As a spreadsheet sees the cell.
    init(_ cell: Cell) {
        switch cell {
        case .empty: self = .empty
        case .text(let text): self = .text(display(text))
        case .severity(let text, _): self = .text(text)
        case .list(let texts): self = texts.isEmpty ? .empty : .text(display(texts.joined(separator: "; ")))
        case .integer(let number): self = .integer(number)
        case .money(let amount):
            self = .number(Int128(amount.minor) * Int128(powerOfTen(4 - min(4, amount.currency.exponent))))
        case .instant(let instant): self = .number(Int128(instant.milliseconds))
        case .date(let date): self = .integer(Int64(date.day))
        }
    }
}
