/// Text from outside as it may stand on a terminal or in a log: one line, no escape sequences, nothing that reorders.
func escaped(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
    var result = ""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "\n": result += "\\n"
        case "\r": result += "\\r"
        case "\t": result += "\\t"
        case _ where isUnseen(scalar): result += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
        default: result.unicodeScalars.append(scalar)
        }
    }
    return result
}

/// In single quotes, escaped, and cut to what fits a line.
func quoted(_ text: String, limit: Int = 120) -> String {
    let whole = escaped(text)
    return "'" + (whole.count <= limit ? whole : whole.prefix(limit - 1) + "…") + "'"
}

/// Controls, line separators, and the formats that turn text around or hide in it (bidirectional marks, zero widths).
private func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .format, .surrogate, .privateUse, .unassigned: true
    default: false
    }
}

/// `a, b or c`.
func alternatives(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " or " + last
}
