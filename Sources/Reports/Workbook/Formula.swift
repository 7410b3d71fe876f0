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

/// Computes a formula as a spreadsheet would, from the cells that were written. It knows the few functions that the
/// workbooks use, and traps on others, so a formula that this program cannot compute cannot be written.
struct Formula {
    private let text: [UInt8]
    private var position = 0
    private let sheet: String
    private let cells: WorkbookCells

    /// The value of a formula, without its `=`.
    ///
    /// - Parameter sheet: the sheet that the formula is on.
    static func value(of text: String, on sheet: String, in cells: WorkbookCells) -> FormulaValue {
        var formula = Formula(text: Array(text.utf8), sheet: sheet, cells: cells)
        let value = formula.sum()
        precondition(formula.position == formula.text.count, "the formula \(text) ends too early")
        return value
    }

    private init(text: [UInt8], sheet: String, cells: WorkbookCells) {
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

    /// Takes the characters up to the first that does not belong.
    private mutating func take(while belongs: (UInt8) -> Bool) -> String {
        let taken = text[position...].prefix(while: belongs)
        position = taken.endIndex
        return String(decoding: taken, as: UTF8.self)
    }

    private mutating func sum() -> FormulaValue {
        var value = product()
        while true {
            if take("+") {
                value = .number(value.number &+ product().number)
            } else if take("-") {
                value = .number(value.number &- product().number)
            } else {
                return value
            }
        }
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
            let text = take { $0 != UInt8(ascii: "\"") }
            position += 1
            return .text(text)
        }
        return next.map(isDigit) == true ? literal() : named()
    }

    private static func equal(_ left: FormulaValue, _ right: FormulaValue) -> FormulaValue {
        let number = { (isTrue: Bool) in FormulaValue.integer(isTrue ? 1 : 0) }
        guard case .range(let values) = left else { return number(left == right) }
        return .range(values.map { number($0 == right) })
    }

    private mutating func literal() -> FormulaValue {
        let whole = take(while: isDigit)
        let decimals = take(".") ? take(while: isDigit).prefix(4) : ""
        let zeros = String(repeating: "0", count: 4 - decimals.count)
        return .number(Int128(whole + decimals + zeros) ?? 0)
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
        let function = take(while: isLetter)
        if !function.isEmpty, next == UInt8(ascii: "(") { return call(function) }
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
        let column = take(while: isLetter).utf8.reduce(0) { $0 * 26 + Int($1 - UInt8(ascii: "A")) + 1 }
        _ = take("$")
        let row = Int(literal().number / FormulaValue.scale)
        precondition(column > 0 && row > 0, "the formula has something else where a cell is expected")
        return (row - 1, column - 1)
    }

    private mutating func call(_ name: String) -> FormulaValue {
        position += 1
        if name == "SUMIFS" || name == "COUNTIFS" { return conditional(name) }
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
    private mutating func conditional(_ name: String) -> FormulaValue {
        var ranges: [String] = []
        var conditions: [FormulaValue] = []
        func takeRange() {
            ranges.append(argument())
            precondition(take(","), "\(name) lacks a condition")
        }
        // The range that is added up, then pairs of a range and what its values must equal.
        if name == "SUMIFS" { takeRange() }
        repeat {
            takeRange()
            conditions.append(sum())
        } while take(",")
        precondition(take(")"), "the arguments of \(name) do not end")
        let key = name + "(" + ranges.joined(separator: ",")
        let sums = cells.sums(sheet + "!" + key) {
            let columns = ranges.map { range in
                if case .range(let values) = Formula.value(of: range, on: sheet, in: cells) { return values }
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

    /// Takes one argument without computing it.
    private mutating func argument() -> String {
        var isQuoted = false
        return take { character in
            if character == UInt8(ascii: "'") { isQuoted.toggle() }
            return isQuoted || character != UInt8(ascii: ",") && character != UInt8(ascii: ")")
        }
    }
}

private func isDigit(_ character: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(character) }
private func isLetter(_ character: UInt8) -> Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(character) }
