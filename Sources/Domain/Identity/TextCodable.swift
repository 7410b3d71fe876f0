/// A value with one spelling as text, in which it is shown and encoded.
public protocol TextCodable: Codable, CustomStringConvertible {
    /// Nil for a text that is not such a spelling.
    init?(text: String)
    var text: String { get }
}

extension TextCodable {
    public var description: String { text }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let value = Self(text: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a \(Self.self)")
        }
        self = value
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
