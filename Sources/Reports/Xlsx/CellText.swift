/// The text in the form that a cell can hold.
///
/// - Characters that XML forbids are written as `\u{1b}`.
/// - `_x0041_` would be read back as `A`, so its first underscore is written as `_x005F_`.
/// - Text longer than Excel's 32,767 UTF-16 units is cut and ends with `…`.
func cellText(_ text: String) -> String {
    var copy = text
    if copy.withUTF8(isPlain) { return text }
    let scalars = Array(text.unicodeScalars)
    var result = ""
    var units = 0
    for index in scalars.indices {
        let piece = escaped(scalars, at: index)
        units += piece.utf16.count
        if units >= cellUnitsMax && (units > cellUnitsMax || index + 1 < scalars.count) { return result + "…" }
        result += piece
    }
    return result
}

/// The maximum length of a cell's text in Excel, in UTF-16 units.
let cellUnitsMax = 32_767

/// Whether nothing needs escaping or cutting, judged by the bytes. EF begins the non-characters U+FFFE and U+FFFF.
private func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard bytes.count <= cellUnitsMax else { return false }
    var previous: UInt8 = 0
    for byte in bytes {
        let isControl = byte < 0x20 && byte != 0x09 && byte != 0x0A
        if isControl || byte == 0xEF || (previous == UInt8(ascii: "_") && byte == UInt8(ascii: "x")) { return false }
        previous = byte
    }
    return true
}

/// The scalar at `index` as a cell holds it.
private func escaped(_ scalars: [Unicode.Scalar], at index: Int) -> String {
    let scalar = scalars[index]
    switch scalar.value {
    case 0x09, 0x0A: return String(scalar)
    case 0...0x1F, 0xFFFE, 0xFFFF: return "\\u{" + String(scalar.value, radix: 16) + "}"
    case 0x5F where beginsEscape(scalars[index...]): return "_x005F_"
    default: return String(scalar)
    }
}

/// Whether a reader of the file would decode these scalars as `_xHHHH_`.
private func beginsEscape(_ scalars: ArraySlice<Unicode.Scalar>) -> Bool {
    guard scalars.count >= 7 else { return false }
    let start = scalars.startIndex
    return scalars[start + 1] == "x" && scalars[start + 6] == "_"
        && scalars[(start + 2)..<(start + 6)].allSatisfy { $0.properties.isASCIIHexDigit }
}
