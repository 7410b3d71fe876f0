/// A value of many fields behind one reference, copied only when it is changed while shared.
///
/// Rows of the reports have some thirty fields, most of them texts: handed on as they are, each copy would touch every one.
@dynamicMemberLookup
@frozen
public struct Shared<Fields: Hashable & Sendable>: Hashable, Sendable {
    @usableFromInline
    final class Storage: @unchecked Sendable {  // written to only by who holds the only reference to it
        @usableFromInline var fields: Fields
        @inlinable init(_ fields: Fields) { self.fields = fields }
    }

    @usableFromInline var storage: Storage

    @inlinable
    public init(fields: Fields) { storage = Storage(fields) }

    /// The fields where they stand. What is read of every row of a report is read here: a key path costs a call.
    @inlinable
    public var fields: Fields {
        @inline(__always) _read { yield storage.fields }
        @inline(__always)
        _modify {
            if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.fields) }
            yield &storage.fields
        }
    }

    @inlinable
    public subscript<Value>(dynamicMember member: KeyPath<Fields, Value>) -> Value { storage.fields[keyPath: member] }

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
