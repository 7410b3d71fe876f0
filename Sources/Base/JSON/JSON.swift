/// A JSON value to be written: for documents that are put together from parts. `JSONWriter` writes rows by the hundred
/// thousand without a tree; a `JSONValue` is a value that is read.
///
/// Equal values are always written as the same bytes: keys are sorted, and nothing depends on locale or hash seed.
public enum JSON: Equatable, Sendable {
    case null
    case bool(Bool)
    case number(Int64)
    /// A number of 10^−`exponent`, written with that many decimals: (930, 3) is `0.930`.
    case decimal(Int64, exponent: Int)
    case text(String)
    case list([JSON])
    /// Members, written in the order of their keys' bytes.
    case object([String: JSON])

    /// A text; nil becomes null.
    public init(_ text: String?) { self = text.map { .text($0) } ?? .null }
    public init(_ number: Int) { self = .number(Int64(number)) }

    /// The value on one line, without a line feed.
    public var line: String { written(isIndented: false).text }
    /// The value on several lines, indented by two blanks a level, with a line feed at the end.
    public var page: String { written(isIndented: true).text + "\n" }

    private func written(isIndented: Bool) -> JSONWriter {
        var writer = JSONWriter(escaping: .visible, isIndented: isIndented)
        writer.write(self)
        return writer
    }
}

extension JSONWriter {
    /// Writes a value with all that is in it.
    public mutating func write(_ value: JSON) {
        switch value {
        case .null: writeNull()
        case .bool(let flag): write(flag)
        case .number(let number): write(number)
        case .decimal(let number, let exponent): write(number, exponent: exponent)
        case .text(let text): write(text)
        case .list(let values): list { list in for value in values { list.write(value) } }
        case .object(let members):
            let sorted = members.ordered { $0.key.isBefore($1.key) }
            object { object in
                for (key, value) in sorted {
                    object.key(key)
                    object.write(value)
                }
            }
        }
    }
}
