/// Untrusted text in a form that is safe to show in a terminal, an e-mail or a page. Control characters, characters
/// that change the direction of writing and invisible characters become `\u{1b}`. Line feeds and tabs too, so that a
/// value stays on one line.
public func display(_ text: String) -> String {
    var copy = text
    if copy.withUTF8({ $0.allSatisfy(isPlainByte) }) { return text }
    var result = ""
    for scalar in text.unicodeScalars {
        result += scalar.isDeceptive ? "\\u{" + String(scalar.value, radix: 16) + "}" : String(scalar)
    }
    return result
}

/// Whether the byte neither is nor begins a deceptive character. Most text contains only such bytes.
private func isPlainByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0...0x1F, 0x7F, 0xC2, 0xD8, 0xE1, 0xE2, 0xEF, 0xF3: false
    default: true
    }
}

/// The width of the text in a terminal, in columns: two for East Asian wide characters, none for combining marks.
public func displayWidth(_ text: String) -> Int {
    text.unicodeScalars.reduce(0) { $0 + width(of: $1) }
}

private func width(of scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case 0x20...0x7E: 1
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
        0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
        2
    default: scalar.properties.generalCategory == .nonspacingMark ? 0 : 1
    }
}
