/// A value of a cell, as formulas see it. Numbers are exact: whole multiples of 1/10 000.
enum FormulaValue: Hashable, Sendable {
    /// In ten-thousandths. No currency has more than four decimals.
    case number(Int128)
    case text(String)
    case empty
    case range([FormulaValue])

    static let scale: Int128 = 10_000

    static func integer(_ number: Int64) -> FormulaValue { .number(Int128(number) * scale) }

    /// As a number; text and empty cells count as 0, and a range as the sum of its values.
    var number: Int128 {
        switch self {
        case .number(let number): number
        case .text, .empty: 0
        case .range(let values): values.reduce(0) { $0 &+ $1.number }
        }
    }

    /// What the workbook stores for the number.
    var double: Double { Double(number) / Double(Self.scale) }

    /// The values of a range; otherwise the value alone.
    fileprivate var list: [FormulaValue] {
        if case .range(let values) = self { values } else { [self] }
    }
}

/// A formula: what a workbook has as text, and what that comes to, computed as a spreadsheet would from the cells that were
/// written. It has the few functions that the workbooks need.
indirect enum Formula: Sendable {
    /// A cell of the formula's own sheet. Row and column count from 0.
    case cell(row: Int, column: Int)
    /// A rectangle of cells, of the formula's own sheet if none is named.
    case cells(ClosedRange<Int>, columns: ClosedRange<Int>, sheet: String? = nil)
    case number(Int)
    case money(Int64, Currency)
    /// A word of this program, never data.
    case word(String)
    case bracket(Formula)
    case negative(Formula)
    case infix(Formula, Sign, Formula)
    /// 1 for each value of a range that equals a cell, otherwise 0.
    case equal(Formula, Formula)
    case absolute(Formula)
    case rounded(Formula, decimals: Int)
    /// An amount at an exchange rate, which has more decimals than formulas here: what it comes to is known.
    case converted(Formula, rate: String, Int64, Currency)
    case sum(Formula)
    case sumProduct(Formula)
    /// The sum of a range's values above 0, or of those below.
    case sumOfSign(Formula, String)
    /// The sum of a range over the rows in which other ranges equal cells or words; without a range, the number of rows.
    case sums(Formula?, where: [(range: Formula, value: Formula)])

    enum Sign: String { case plus = "+", minus = "-", times = "*" }

    static func + (left: Formula, right: Formula) -> Formula { .infix(left, .plus, right) }
    static func - (left: Formula, right: Formula) -> Formula { .infix(left, .minus, right) }
    static func * (left: Formula, right: Formula) -> Formula { .infix(left, .times, right) }

    /// A part of a column of the formula's own sheet.
    static func column(_ column: Int, _ rows: ClosedRange<Int>) -> Formula { .cells(rows, columns: column...column) }

    /// The sum of a column over the rows in which other columns equal cells. SUMIFS would read a month as a date,
    /// and an account's number as a number.
    static func sumProduct(_ rows: ClosedRange<Int>, column: Int, where conditions: [(column: Int, cell: Formula)])
        -> Formula
    {
        let factors = conditions.map { Formula.equal(.column($0.column, rows), $0.cell) } + [.column(column, rows)]
        return .sumProduct(factors.dropFirst().reduce(factors[0], *))
    }
}

extension Formula {
    /// As a workbook has it, without `=`.
    var text: String {
        switch self {
        case .cell(let row, let column): "$\(columnName(column))$\(row + 1)"
        case .cells(let rows, let columns, let sheet):
            (sheet.map { "'" + $0.replacing("'", with: "''") + "'!" } ?? "")
                + Formula.cell(row: rows.lowerBound, column: columns.lowerBound).text + ":"
                + Formula.cell(row: rows.upperBound, column: columns.upperBound).text
        case .number(let number): String(number)
        case .money(let minor, let currency): decimalText(minor, currency)
        case .word(let word): "\"" + word + "\""
        case .bracket(let inner): "(" + inner.text + ")"
        case .negative(let inner): "-" + inner.text
        case .infix(let left, let sign, let right): left.text + sign.rawValue + right.text
        case .equal(let left, let right): "(" + left.text + "=" + right.text + ")"
        case .absolute(let inner): "ABS(" + inner.text + ")"
        case .rounded(let inner, let decimals): "ROUND(\(inner.text),\(decimals))"
        case .converted(let inner, let rate, _, let currency): "ROUND(\(inner.text)*\(rate),\(currency.exponent))"
        case .sum(let inner): "SUM(" + inner.text + ")"
        case .sumProduct(let inner): "SUMPRODUCT(" + inner.text + ")"
        case .sumOfSign(let range, let sign): "SUMIF(\(range.text),\"\(sign)\")"
        case .sums(let range, let conditions):
            (range == nil ? "COUNTIFS(" : "SUMIFS(")
                + ([range].compactMap(\.self) + conditions.flatMap { [$0.range, $0.value] }).map(\.text)
                .joined(separator: ",") + ")"
        }
    }

    /// - Parameter sheet: the sheet that the formula is on.
    func value(on sheet: String, in cells: WorkbookCells) -> FormulaValue {
        func value(_ formula: Formula) -> FormulaValue { formula.value(on: sheet, in: cells) }
        switch self {
        case .cell(let row, let column): return cells.value(sheet, row: row, column: column)
        case .cells(let rows, let columns, let own):
            return .range(cells.values(own ?? sheet, rows: rows, columns: columns))
        case .number(let number): return .integer(Int64(number))
        case .money(let minor, let currency): return FormulaValue(.money(Money(minor: minor, currency: currency)))
        case .word(let word): return .text(word)
        case .bracket(let inner): return value(inner)
        case .negative(let inner): return .number(0 &- value(inner).number)
        case .infix(let left, let sign, let right): return Self.value(of: value(left), sign, value(right))
        case .equal(let range, let cell):
            let wanted = value(cell)
            return .range(value(range).list.map { .integer($0 == wanted ? 1 : 0) })
        case .absolute(let inner): return .number(Int128(value(inner).number.magnitude))
        case .rounded(let inner, let decimals): return .number(Self.rounded(value(inner).number, to: decimals))
        case .converted(_, _, let minor, let currency): return value(.money(minor, currency))
        case .sum(let inner), .sumProduct(let inner): return .number(value(inner).number)
        case .sumOfSign(let range, let sign):
            return .number(value(range).list.reduce(0) { ($1.number > 0) == (sign == ">0") ? $0 &+ $1.number : $0 })
        case .sums(let range, let conditions):
            // All formulas over the same ranges share one pass through them.
            let key = ([range].compactMap(\.self) + conditions.map(\.range)).map(\.text).joined(separator: ",")
            let sums = cells.sums("\(sheet)!\(range == nil)\(key)") {
                let keys = conditions.map { value($0.range).list }
                let amounts = range.map { value($0).list }
                return keys[0].indices.reduce(into: [:]) { sums, row in
                    sums[keys.map { $0[row] }, default: 0] &+= amounts?[row].number ?? FormulaValue.scale
                }
            }
            return .number(sums[conditions.map { value($0.value) }] ?? 0)
        }
    }

    private static func value(of left: FormulaValue, _ sign: Sign, _ right: FormulaValue) -> FormulaValue {
        switch sign {
        case .plus: return .number(left.number &+ right.number)
        case .minus: return .number(left.number &- right.number)
        case .times:
            let products = zip(left.list, right.list).map { $0.number * $1.number / FormulaValue.scale }
            return .range(products.map { .number($0) })
        }
    }

    private static func rounded(_ number: Int128, to decimals: Int) -> Int128 {
        guard decimals < 4 else { return number }
        let unit = (0..<4 - decimals).reduce(Int128(1)) { power, _ in power * 10 }
        return (number + (number < 0 ? -unit : unit) / 2) / unit * unit
    }
}
