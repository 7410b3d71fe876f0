internal import Text

/// The text of one row of a sheet, as libxlsxwriter would write it in its constant memory mode.
///
/// A night lists each open exception with some thirty cells. libxlsxwriter copies each of them, keeps it until the row
/// ends, and prints it with `fprintf`. docs/build/performance.md says what this way saves.
/// ECMA-376 Part 1 §18.3.1.73 (row), §18.3.1.4 (c).
public struct RowText {
    private(set) var bytes: [UInt8] = []
    private var number: [UInt8] = []

    /// - Parameter row: from 0.
    mutating func begin(row: Int) {
        bytes.removeAll(keepingCapacity: true)
        number = Array(String(row + 1).utf8)
        bytes += "<row r=\"".utf8
        bytes += number
        bytes += "\">".utf8
    }

    mutating func end() { bytes += "</row>".utf8 }

    /// Adds a cell to the right of those before.
    public mutating func add(_ value: CellValue, column: Int) {
        switch value {
        case .text(let text, let style): add(cellText(text), column, style.index)
        case .number(let number, let style): add(number, column, style.index)
        }
    }

    /// Adds a text that a cell can hold. An empty one is a cell with nothing but its format.
    private mutating func add(_ text: String, _ column: Int, _ format: Int32) {
        if text.isEmpty {
            if format == 0 { return }
            cell(column, format)
            bytes += "/>".utf8
            return
        }
        cell(column, format)
        bytes += " t=\"inlineStr\"><is><t".utf8
        let utf8 = text.utf8
        let isPadded = Self.isSpace(utf8.first!) || Self.isSpace(utf8.last!)
        if isPadded { bytes += " xml:space=\"preserve\"".utf8 }
        bytes.append(UInt8(ascii: ">"))
        escape(text)
        bytes += "</t></is></c>".utf8
    }

    /// Adds a number in the shortest form that is read back as the same number.
    private mutating func add(_ number: Double, _ column: Int, _ format: Int32) {
        cell(column, format)
        bytes += "><v>".utf8
        let isWhole = number.magnitude < 1e16 && number == number.rounded(.towardZero)
        bytes += (isWhole ? String(Int64(number)) : number.description).utf8
        bytes += "</v></c>".utf8
    }

    /// Adds the beginning of a cell. A column's name has one letter or two, as in `columnName`.
    private mutating func cell(_ column: Int, _ format: Int32) {
        precondition(column < 702, "a column with a name of three letters")
        bytes += "<c r=\"".utf8
        if column >= 26 { bytes.append(UInt8(ascii: "A") + UInt8(column / 26 - 1)) }
        bytes.append(UInt8(ascii: "A") + UInt8(column % 26))
        bytes += number
        bytes.append(UInt8(ascii: "\""))
        if format == 0 { return }
        bytes += " s=\"".utf8
        bytes += String(format).utf8
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func escape(_ text: String) {
        guard text.hasByte(where: { Self.escaped($0) != nil }) else { return bytes.append(contentsOf: text.utf8) }
        for byte in text.utf8 {
            if let escaped = Self.escaped(byte) { bytes += escaped.description.utf8 } else { bytes.append(byte) }
        }
    }

    @inline(__always)
    private static func escaped(_ byte: UInt8) -> StaticString? {
        switch byte {
        case UInt8(ascii: "&"): "&amp;"
        case UInt8(ascii: "<"): "&lt;"
        case UInt8(ascii: ">"): "&gt;"
        default: nil
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }
}

/// What a cell contains, and how it looks.
public enum CellValue: Sendable {
    case text(String, Style)
    case number(Double, Style)
}
