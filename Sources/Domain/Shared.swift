/// A value with many fields behind one reference. It is copied when it is changed while shared.
///
/// Report rows have some thirty fields, most of them texts. Handed on by value, each copy would retain every one of
/// them.
@dynamicMemberLookup
@frozen
public struct Shared<Fields: Hashable & Sendable>: Hashable, Sendable {
    @usableFromInline
    final class Storage: @unchecked Sendable {  // written to only through its only reference
        @usableFromInline var fields: Fields
        @inlinable init(_ fields: Fields) { self.fields = fields }
    }

    @usableFromInline var storage: Storage

    /// Wraps the fields.
    @inlinable
    public init(fields: Fields) { storage = Storage(fields) }

    /// The fields in place. Code that reads every row of a report uses this rather than the dynamic members, because
    /// each access through a key path costs a call.
    @inlinable
    public var fields: Fields {
        @inline(__always) _read { yield storage.fields }
        @inline(__always)
        _modify {
            if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.fields) }
            yield &storage.fields
        }
    }

    /// Reads a field.
    @inlinable
    public subscript<Value>(dynamicMember member: KeyPath<Fields, Value>) -> Value { storage.fields[keyPath: member] }

    /// Reads or writes a field.
    @inlinable
    public subscript<Value>(dynamicMember member: WritableKeyPath<Fields, Value>) -> Value {
        get { storage.fields[keyPath: member] }
        set { fields[keyPath: member] = newValue }
    }

    @inlinable
    public static func == (left: Self, right: Self) -> Bool {
        left.storage === right.storage || left.storage.fields == right.storage.fields
    }

    @inlinable
    public func hash(into hasher: inout Hasher) { storage.fields.hash(into: &hasher) }
}

extension Shared: Codable where Fields: Codable {
    public init(from decoder: any Decoder) throws { self.init(fields: try Fields(from: decoder)) }
    public func encode(to encoder: any Encoder) throws { try storage.fields.encode(to: encoder) }
}
