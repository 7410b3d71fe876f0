public import Foundation

extension JSONEncoder {
    /// Writes a value on one line, with its members in order. Entries of a dictionary whose keys are not texts have no fixed
    /// order.
    public static var exact: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }

    public func text(of value: some Encodable) throws -> String { String(decoding: try encode(value), as: UTF8.self) }
}

extension JSONDecoder {
    /// Reads a text.
    public func value<Value: Decodable>(of text: String) throws -> Value {
        try decode(Value.self, from: Data(text.utf8))
    }
}
