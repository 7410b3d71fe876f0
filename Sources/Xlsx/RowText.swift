internal import Text

/// The text of one row of a sheet, as libxlsxwriter would write it in its constant memory mode.
///
/// A night lists each open exception with some thirty cells. libxlsxwriter copies each of them, keeps it until the row
/// ends, and prints it with `fprintf`. docs/build/performance.md says what this way saves.
/// ECMA-376 Part 1 §18.3.1.73 (row), §18.3.1.4 (c).
struct RowText {
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

    /// Adds a text that a cell can hold (`cellText`). An empty one is a cell with nothing but its format.
    mutating func add(_ text: String, column: Int, format: Int32) {
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
    mutating func add(_ number: Double, column: Int, format: Int32) {
        cell(column, format)
        bytes += "><v>".utf8
        let isWhole = number.magnitude < 1e16 && number == number.rounded(.towardZero)
        bytes += (isWhole ? String(Int64(number)) : number.description).utf8
        bytes += "</v></c>".utf8
    }

    /// Adds the beginning of a cell. The table has at most 702 columns, whose names have one letter or two.
    private mutating func cell(_ column: Int, _ format: Int32) {
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
        let isMarkup: (UInt8) -> Bool = {
            $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: ">")
        }
        guard text.hasByte(where: isMarkup) else { return bytes.append(contentsOf: text.utf8) }
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): bytes += "&amp;".utf8
            case UInt8(ascii: "<"): bytes += "&lt;".utf8
            case UInt8(ascii: ">"): bytes += "&gt;".utf8
            default: bytes.append(byte)
            }
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }
}
