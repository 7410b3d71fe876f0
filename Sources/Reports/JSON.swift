/// A JSON value, written always in the same bytes: keys sorted, nothing depending on locale or hash seed.
public enum JSON: Sendable {
    case null
    case bool(Bool)
    case number(Int64)
    case text(String)
    case list([JSON])
    case object([String: JSON])

    /// Nil is null.
    public init(_ text: String?) { self = text.map { .text($0) } ?? .null }
    public init(_ number: Int) { self = .number(Int64(number)) }

    /// On one line.
    public var line: String { rendered(indent: nil) }
    /// Two blanks a level, a line feed at the end.
    public var page: String { rendered(indent: 0) + "\n" }

    private func rendered(indent: Int?) -> String {
        var text = ""
        write(into: &text, indent: indent)
        return text
    }

    private func write(into text: inout String, indent: Int?) {
        switch self {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .number(let value): text += String(value)
        case .text(let value): appendQuoted(value, to: &text)
        case .list(let values):
            Self.wrap(values, "[", "]", into: &text, indent: indent) { $0.write(into: &$1, indent: $2) }
        case .object(let members):
            let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            Self.wrap(sorted, "{", "}", into: &text, indent: indent) { member, text, indent in
                appendQuoted(member.key, to: &text)
                text += indent == nil ? ":" : ": "
                member.value.write(into: &text, indent: indent)
            }
        }
    }

    private static func wrap<Item>(
        _ items: [Item], _ open: String, _ close: String, into text: inout String, indent: Int?,
        _ write: (Item, inout String, Int?) -> Void
    ) {
        text += open
        for (index, item) in items.enumerated() {
            if index > 0 { text += "," }
            if let indent { text += "\n" + String(repeating: "  ", count: indent + 1) }
            write(item, &text, indent.map { $0 + 1 })
        }
        if let indent, !items.isEmpty { text += "\n" + String(repeating: "  ", count: indent) }
        text += close
    }
}

/// Characters that deceive the eye or steer a terminal are written as `\u….`, so that the file can be shown as it is.
private func appendQuoted(_ value: String, to text: inout String) {
    // Nearly all texts are ids and codes, which stand for themselves.
    if value.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }) {
        text += "\"\(value)\""
        return
    }
    text += "\""
    for scalar in value.unicodeScalars {
        switch scalar {
        case "\"", "\\": text += "\\" + String(scalar)
        case "\n": text += "\\n"
        case _ where isDeceptive(scalar):
            for unit in String(scalar).utf16 {
                let digits = String(unit, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        default: text.unicodeScalars.append(scalar)
        }
    }
    text += "\""
}
