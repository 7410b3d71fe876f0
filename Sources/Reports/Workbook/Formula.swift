/// A value of a cell, as formulas see it. Numbers are exact: whole multiples of 1/10 000.
enum FormulaValue: Hashable, Sendable {
    /// In ten-thousandths. No currency has more than four decimals.
    case number(Int128)
    case text(String)
    case empty
    case range([FormulaValue])

    static let scale: Int128 = 10_000

    static func integer(_ number: Int64) -> FormulaValue { .number(Int128(number) * scale) }

    /// As a number; text and empty cells count as 0.
    var number: Int128 {
        if case .number(let number) = self { return number }
        return 0
    }

    /// What the workbook stores for the number.
    var double: Double { Double(number) / Double(Self.scale) }
}

/// What formulas refer to.
protocol FormulaCells: AnyObject {
    /// The values of a rectangle, row by row. Rows and columns count from 0.
    func values(_ sheet: String, rows: ClosedRange<Int>, columns: ClosedRange<Int>) -> [FormulaValue]
    /// The sums of a range, by the values of other ranges beside it. Kept, because many formulas share them.
    func sums(_ key: String, _ make: () -> [[FormulaValue]: Int128]) -> [[FormulaValue]: Int128]
}

/// Computes a formula as a spreadsheet would, from the cells that were written. It knows the few functions that the
/// workbooks use, and traps on others, so a formula that this program cannot compute cannot be written.
struct Formula {
    private let text: [UInt8]
    private var position = 0
    private let sheet: String
    private let cells: any FormulaCells

    /// The value of a formula, without its `=`.
    ///
    /// - Parameter sheet: the sheet that the formula is on.
    static func value(of text: String, on sheet: String, in cells: any FormulaCells) -> FormulaValue {
        var formula = Formula(text: Array(text.utf8), sheet: sheet, cells: cells)
        let value = formula.sum()
        precondition(formula.position == formula.text.count, "the formula \(text) ends too early")
        return value
    }

    private init(text: [UInt8], sheet: String, cells: any FormulaCells) {
        self.text = text
        self.sheet = sheet
        self.cells = cells
    }

    private var next: UInt8? { position < text.count ? text[position] : nil }

    private mutating func take(_ character: Character) -> Bool {
        guard next == character.asciiValue else { return false }
        position += 1
        return true
    }

    private mutating func sum() -> FormulaValue {
        var value = product()
        while let sign = next, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
            position += 1
            let other = product().number
            value = .number(sign == UInt8(ascii: "+") ? value.number &+ other : value.number &- other)
        }
        return value
    }

    private mutating func product() -> FormulaValue {
        var value = factor()
        while take("*") {
            let other = factor()
            if case .range(let left) = value, case .range(let right) = other {
                value = .range(zip(left, right).map { .number($0.number * $1.number / FormulaValue.scale) })
            } else {
                value = .number(value.number * other.number / FormulaValue.scale)
            }
        }
        return value
    }

    private mutating func factor() -> FormulaValue {
        if take("-") { return .number(0 &- factor().number) }
        if take("(") {
            var value = sum()
            if take("=") { value = Self.equal(value, sum()) }
            precondition(take(")"), "a bracket is not closed")
            return value
        }
        if take("\"") {
            let start = position
            while next != nil, next != UInt8(ascii: "\"") {
                position += 1
            }
            defer { position += 1 }
            return .text(String(decoding: text[start..<position], as: UTF8.self))
        }
        if let digit = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) { return literal() }
        return named()
    }

    private static func equal(_ left: FormulaValue, _ right: FormulaValue) -> FormulaValue {
        let number = { (isTrue: Bool) in FormulaValue.integer(isTrue ? 1 : 0) }
        guard case .range(let values) = left else { return number(left == right) }
        return .range(values.map { number($0 == right) })
    }

    private mutating func literal() -> FormulaValue {
        var number: Int64 = 0
        while let digit = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) {
            number = number * 10 + Int64(digit - UInt8(ascii: "0"))
            position += 1
        }
        var (value, unit) = (Int128(number) * FormulaValue.scale, FormulaValue.scale)
        guard take(".") else { return .number(value) }
        while let digit = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) {
            unit /= 10
            value += Int128(digit - UInt8(ascii: "0")) * unit
            position += 1
        }
        return .number(value)
    }

    /// A function, a cell or a range.
    private mutating func named() -> FormulaValue {
        var sheet = sheet
        if take("'") {
            var name: [UInt8] = []
            while let character = next {
                position += 1
                if character == UInt8(ascii: "'") {
                    if next == UInt8(ascii: "'") { position += 1 } else { break }
                }
                name.append(character)
            }
            precondition(take("!"), "a sheet's name is not followed by a cell")
            sheet = String(decoding: name, as: UTF8.self)
        }
        let start = position
        while let character = next, character >= UInt8(ascii: "A") && character <= UInt8(ascii: "Z") { position += 1 }
        if position > start, next == UInt8(ascii: "(") {
            return call(String(decoding: text[start..<position], as: UTF8.self))
        }
        position = start
        let first = reference()
        guard take(":") else {
            return cells.values(sheet, rows: first.row...first.row, columns: first.column...first.column)[0]
        }
        let last = reference()
        return .range(cells.values(sheet, rows: first.row...last.row, columns: first.column...last.column))
    }

    private mutating func reference() -> (row: Int, column: Int) {
        _ = take("$")
        var column = 0
        while let letter = next, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(letter) {
            column = column * 26 + Int(letter - UInt8(ascii: "A")) + 1
            position += 1
        }
        _ = take("$")
        let row = Int(literal().number / FormulaValue.scale)
        precondition(column > 0 && row > 0, "the formula has something else where a cell is expected")
        return (row - 1, column - 1)
    }

    private mutating func call(_ name: String) -> FormulaValue {
        let start = position
        position += 1
        switch name {
        case "SUMIFS", "COUNTIFS": return conditional(name, from: start)
        default: break
        }
        var arguments = [sum()]
        while take(",") { arguments.append(sum()) }
        precondition(take(")"), "the arguments of \(name) do not end")
        switch name {
        case "SUM", "SUMPRODUCT": return .number(arguments.reduce(0) { $0 &+ Self.total($1) })
        case "ABS": return .number(Int128(arguments[0].number.magnitude))
        case "ROUND":
            return .number(Self.rounded(arguments[0].number, to: Int(arguments[1].number / FormulaValue.scale)))
        case "SUMIF": return .number(Self.total(of: arguments[0], arguments[1]))
        default: preconditionFailure("\(name) is not known here")
        }
    }

    private static func total(_ value: FormulaValue) -> Int128 {
        guard case .range(let values) = value else { return value.number }
        return values.reduce(0) { $0 &+ $1.number }
    }

    /// `SUMIF` with the conditions `">0"` and `"<0"`.
    private static func total(of value: FormulaValue, _ condition: FormulaValue) -> Int128 {
        guard case .range(let values) = value, case .text(let sign) = condition, [">0", "<0"].contains(sign) else {
            preconditionFailure("SUMIF is known with a range and a sign only")
        }
        return values.reduce(0) { ($1.number > 0) == (sign == ">0") ? $0 &+ $1.number : $0 }
    }

    private static func rounded(_ number: Int128, to decimals: Int) -> Int128 {
        guard decimals < 4 else { return number }
        let unit = (0..<4 - decimals).reduce(Int128(1)) { power, _ in power * 10 }
        return (number + (number < 0 ? -unit : unit) / 2) / unit * unit
    }

    /// `SUMIFS` and `COUNTIFS` with conditions of equality. All formulas over the same ranges share one pass through them.
    private mutating func conditional(_ name: String, from start: Int) -> FormulaValue {
        var ranges: [(text: String, start: Int)] = []
        var conditions: [FormulaValue] = []
        var isRange = true
        var isFirst = name == "SUMIFS"
        repeat {
            if isRange {
                let begin = position
                skip()
                ranges.append((String(decoding: text[begin..<position], as: UTF8.self), begin))
            } else {
                conditions.append(sum())
            }
            if isFirst { isFirst = false } else { isRange.toggle() }
        } while take(",")
        precondition(take(")"), "the arguments of \(name) do not end")
        let key = name + "(" + ranges.map(\.text).joined(separator: ",")
        let sums = cells.sums(sheet + "!" + key) {
            let columns = ranges.map { range in
                if case .range(let values) = Formula.value(of: range.text, on: sheet, in: cells) { return values }
                preconditionFailure("\(name) needs ranges")
            }
            var sums: [[FormulaValue]: Int128] = [:]
            let (amounts, keys) = name == "SUMIFS" ? (columns[0], Array(columns[1...])) : (nil, columns)
            for row in keys[0].indices {
                sums[keys.map { $0[row] }, default: 0] &+= amounts?[row].number ?? FormulaValue.scale
            }
            return sums
        }
        return .number(sums[conditions] ?? 0)
    }

    /// Skips one argument.
    private mutating func skip() {
        var isQuoted = false
        while let character = next, isQuoted || character != UInt8(ascii: ",") && character != UInt8(ascii: ")") {
            if character == UInt8(ascii: "'") { isQuoted.toggle() }
            position += 1
        }
    }
}
