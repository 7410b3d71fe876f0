/// A type with one value set aside to mean "nothing here", so that an absent value costs no memory.
public protocol HasSentinel: Equatable, Sendable {
    static var absent: Self { get }
}

/// An optional that is as small as the value itself.
///
/// Evidence is held by the million; Swift's own optional of an 8-byte value takes 16.
/// Assigning the set-aside value reads back as nil.
@propertyWrapper
@frozen
public struct PackedOptional<Value: HasSentinel>: Equatable, Sendable {
    public var stored: Value

    @inlinable
    public init(wrappedValue: Value?) { stored = wrappedValue ?? .absent }

    /// The bare value, absent or not.
    @inlinable
    public var projectedValue: Value { stored }

    @inlinable
    public var wrappedValue: Value? {
        get { stored == .absent ? nil : stored }
        set { stored = newValue ?? .absent }
    }
}

extension PackedOptional: Hashable where Value: Hashable {}

extension Int64: HasSentinel {
    @inlinable public static var absent: Int64 { .min }
}

extension Int32: HasSentinel {
    @inlinable public static var absent: Int32 { .min }
}
