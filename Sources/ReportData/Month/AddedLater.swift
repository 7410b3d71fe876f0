/// A figure that months closed by earlier versions of this program lack. It is read as empty there.
@propertyWrapper
public struct AddedLater<Value: HasEmptyValue & Hashable & Sendable & Codable>: Hashable, Sendable, Codable {
    public var wrappedValue: Value

    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    public init(from decoder: any Decoder) throws {
        wrappedValue = try decoder.singleValueContainer().decode(Value.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}

/// A value that stands for a figure that is not on record.
public protocol HasEmptyValue {
    /// The empty value.
    init()
}

extension Array: HasEmptyValue {}
extension String: HasEmptyValue {}
extension Int64: HasEmptyValue {}

extension KeyedDecodingContainer {
    /// What synthesized decoding calls for a property with this wrapper.
    func decode<Value>(_ type: AddedLater<Value>.Type, forKey key: Key) throws -> AddedLater<Value> {
        try decodeIfPresent(type, forKey: key) ?? AddedLater(wrappedValue: Value())
    }
}
