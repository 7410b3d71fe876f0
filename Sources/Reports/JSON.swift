/// A JSON value. Equal values are always written as the same bytes: keys are sorted, and nothing depends on locale or
/// hash seed.
public enum JSON: Sendable {
    /// A value of JSON, by type.
    case null
    case bool(Bool)
    case number(Int64)
    case text(String)
    case list([JSON])
    case object([String: JSON])
    /// Members that are already sorted. Faster, for the many lines of a file that have the same members.
    case sorted(KeyValuePairs<String, JSON>)

    /// A text; nil becomes null.
    public init(_ text: String?) { self = text.map { .text($0) } ?? .null }
    /// A number.
    public init(_ number: Int) { self = .number(Int64(number)) }

    /// The value on one line.
    public var line: String { rendered(indent: nil) }
    /// The value on several lines, indented by two blanks a level, with a line feed at the end.
    public var page: String { rendered(indent: 0) + "\n" }

    private func rendered(indent: Int?) -> String {
        var bytes: [UInt8] = []
        write(into: &bytes, indent: indent)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func write(into bytes: inout [UInt8], indent: Int?) {
        switch self {
        case .null: bytes += "null".utf8
        case .bool(let value): bytes += (value ? "true" : "false").utf8
        case .number(let value): bytes += String(value).utf8
        case .text(let value): appendQuoted(value, to: &bytes)
        case .list(let values):
            Self.wrap(values, "[", "]", into: &bytes, indent: indent) { $0.write(into: &$1, indent: $2) }
        case .object(let members):
            let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            Self.wrap(sorted, "{", "}", into: &bytes, indent: indent, Self.write)
        case .sorted(let members): Self.wrap(members, "{", "}", into: &bytes, indent: indent, Self.write)
        }
    }

    private static func write(_ member: (key: String, value: JSON), into bytes: inout [UInt8], indent: Int?) {
        appendQuoted(member.key, to: &bytes)
        bytes += (indent == nil ? ":" : ": ").utf8
        member.value.write(into: &bytes, indent: indent)
    }

    @inline(__always)
    private static func wrap<Items: Sequence>(
        _ items: Items, _ open: Unicode.Scalar, _ close: Unicode.Scalar, into bytes: inout [UInt8], indent: Int?,
        _ write: (Items.Element, inout [UInt8], Int?) -> Void
    ) {
        bytes.append(UInt8(ascii: open))
        var isEmpty = true
        for item in items {
            if !isEmpty { bytes.append(UInt8(ascii: ",")) }
            isEmpty = false
            if let indent { bytes += ("\n" + String(repeating: "  ", count: indent + 1)).utf8 }
            write(item, &bytes, indent.map { $0 + 1 })
        }
        if let indent, !isEmpty { bytes += ("\n" + String(repeating: "  ", count: indent)).utf8 }
        bytes.append(UInt8(ascii: close))
    }
}

/// Appends a JSON string. Characters that are deceptive or control a terminal are written as `\u….`, so that the file
/// can be shown as it is.
private func appendQuoted(_ value: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    defer { bytes.append(UInt8(ascii: "\"")) }
    // Nearly all texts are ids and codes, which need no escaping.
    if value.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }) {
        bytes += value.utf8
        return
    }
    for scalar in value.unicodeScalars {
        switch scalar {
        case "\"", "\\": bytes += [UInt8(ascii: "\\"), UInt8(ascii: scalar)]
        case "\n": bytes += "\\n".utf8
        case _ where isDeceptive(scalar):
            for unit in String(scalar).utf16 {
                let digits = String(unit, radix: 16)
                bytes += ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8
            }
        default: bytes += String(scalar).utf8
        }
    }
}
