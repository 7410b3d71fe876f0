/// A value with many fields behind one reference. It is copied when it is changed while shared.
///
/// Report rows have some thirty fields, most of them texts. Handed on by value, each copy would retain every one of
/// them. The fields are read and written as if they were members of this type. The subscripts are always inlined:
/// the compiler then turns the key path, which is a constant, into a direct access.
@dynamicMemberLookup
@frozen
public struct Shared<Fields: Hashable & Sendable>: Hashable, Sendable {
    /// One element. An array is copied when it is changed while shared, and compared by its place in memory first.
    @usableFromInline var storage: [Fields]

    @inlinable
    public init(fields: Fields) { storage = [fields] }

    /// All fields as one value, to encode them. A field is read as a member.
    @inlinable
    public var allFields: Fields { storage[0] }

    @inlinable
    public subscript<Value>(dynamicMember member: KeyPath<Fields, Value>) -> Value {
        @inline(__always) get { storage[0][keyPath: member] }
    }

    @inlinable
    public subscript<Value>(dynamicMember member: WritableKeyPath<Fields, Value>) -> Value {
        @inline(__always) get { storage[0][keyPath: member] }
        @inline(__always)
        _modify { yield &storage[0][keyPath: member] }
    }
}

extension Shared: Codable where Fields: Codable {
    public init(from decoder: any Decoder) throws { self.init(fields: try Fields(from: decoder)) }
    public func encode(to encoder: any Encoder) throws { try storage[0].encode(to: encoder) }
}
