/// A type that reserves one of its values, the sentinel, to mean "no value".
public protocol HasSentinel: Equatable, Sendable {
    /// The reserved value.
    static var absent: Self { get }
}

/// An optional that takes no more memory than the value itself.
///
/// Evidence is held in memory by the million, and Swift's own optional of an 8-byte value takes 16 bytes. Assigning the
/// sentinel reads back as nil.
@propertyWrapper
@frozen
public struct PackedOptional<Value: HasSentinel>: Equatable, Sendable {
    public var stored: Value

    @inlinable
    public init(wrappedValue: Value?) { stored = wrappedValue ?? .absent }

    /// The value, or the sentinel, without the cost of an optional.
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
