/// A list or a dictionary that JSON leaves out where it is empty.
@propertyWrapper public struct OmittedIfEmpty<Value: Emptiable>: Hashable, Codable {
    public var wrappedValue: Value
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

extension OmittedIfEmpty: Sendable where Value: Sendable {}

public protocol Emptiable: Hashable, Codable {
    init()
    var isEmpty: Bool { get }
}

extension Array: Emptiable where Element: Hashable & Codable {}
extension Dictionary: Emptiable where Key: Codable, Value: Hashable & Codable {}

/// What the compiler calls for such a member.
extension KeyedEncodingContainer {
    mutating func encode<Value>(_ member: OmittedIfEmpty<Value>, forKey key: Key) throws {
        if !member.wrappedValue.isEmpty { try encode(member.wrappedValue, forKey: key) }
    }
}

extension KeyedDecodingContainer {
    func decode<Value>(_ type: OmittedIfEmpty<Value>.Type, forKey key: Key) throws -> OmittedIfEmpty<Value> {
        OmittedIfEmpty(wrappedValue: try decodeIfPresent(Value.self, forKey: key) ?? Value())
    }
}
