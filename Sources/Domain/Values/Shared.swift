/// A value with many fields behind one reference. It is copied when it is changed while shared.
///
/// Report rows have some thirty fields, most of them texts. Handed on by value, each copy would retain every one of
/// them. The fields are read and written as if they were members of this type. The subscripts are always inlined:
/// the compiler then turns the key path, which is a constant, into a direct access.
@dynamicMemberLookup
@frozen
public struct Shared<Fields: Hashable & Sendable>: Hashable, Sendable {
    // Safe because a storage that is shared is only read: the setters below, which are the only writers, copy it first
    // unless `isKnownUniquelyReferenced` says that no other thread can have it. They are in this file only.
    @usableFromInline
    final class Storage: @unchecked Sendable {  // Safe: a shared storage is copied before it is changed.
        @usableFromInline var fields: Fields
        @inlinable init(_ fields: Fields) { self.fields = fields }
    }

    @usableFromInline var storage: Storage

    /// Wraps the fields.
    @inlinable
    public init(fields: Fields) { storage = Storage(fields) }

    /// All fields as one value, to encode them. A field is read as a member.
    @inlinable
    public var allFields: Fields { storage.fields }

    /// Reads a field.
    @inlinable
    public subscript<Value>(dynamicMember member: KeyPath<Fields, Value>) -> Value {
        @inline(__always) get { storage.fields[keyPath: member] }
    }

    /// Reads or writes a field.
    @inlinable
    public subscript<Value>(dynamicMember member: WritableKeyPath<Fields, Value>) -> Value {
        @inline(__always) get { storage.fields[keyPath: member] }
        @inline(__always)
        _modify {
            if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.fields) }
            yield &storage.fields[keyPath: member]
        }
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
