/// Text as a cell can hold it: no character that XML forbids or that deceives the eye, no more than Excel's limit.
///
/// - Control characters, bidirectional overrides and invisible characters are shown as `\u{1b}`; line feed and tab stay.
/// - `_x0041_` would be read back as `A`: its underscore is written as `_x005F_`.
/// - What is longer than 32 767 UTF-16 units is cut, and ends with `…`.
func cellText(_ text: String) -> String {
    var copy = text
    let isPlain = copy.withUTF8 { bytes in bytes.count <= cellUnitsMax && bytes.allSatisfy(isPlainByte) }
    if isPlain { return text }
    var result = String.UnicodeScalarView()
    var units = 0
    for piece in escapedPieces(of: copy) {
        units += piece.utf16.count
        if units > cellUnitsMax - 1 {
            result.append("…")
            break
        }
        result.append(contentsOf: piece.unicodeScalars)
    }
    return String(result)
}

/// Excel's limit for the text of a cell, in UTF-16 units.
let cellUnitsMax = 32_767

/// Bytes that can be neither a special character nor part of one. The bytes left out begin C1 controls (C2),
/// invisible punctuation (E2), non-characters and the byte order mark (EF), and `_x0041_`.
private func isPlainByte(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte != 0x7F && byte != 0xC2 && byte != 0xE2 && byte != 0xEF && byte != UInt8(ascii: "_")
}

/// The text's scalars, each as it is or escaped.
private func escapedPieces(of text: String) -> some Sequence<String> {
    let scalars = Array(text.unicodeScalars)
    return scalars.indices.lazy.map { index in
        let scalar = scalars[index]
        if scalar == "_", beginsEscape(scalars[index...]) { return "_x005F_" }
        return isDeceptive(scalar) ? "\\u{" + String(scalar.value, radix: 16) + "}" : String(Character(scalar))
    }
}

/// Whether a reader of the file would take these scalars for `_xHHHH_`.
private func beginsEscape(_ scalars: ArraySlice<Unicode.Scalar>) -> Bool {
    guard scalars.count >= 7 else { return false }
    let start = scalars.startIndex
    return scalars[start + 1] == "x" && scalars[start + 6] == "_"
        && scalars[(start + 2)..<(start + 6)].allSatisfy { $0.properties.isASCIIHexDigit }
}

/// Controls, what turns the direction of writing, what is invisible, and what XML forbids.
private func isDeceptive(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A: false
    case 0...0x1F, 0x7F...0x9F, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFF: true
    default: false
    }
}
