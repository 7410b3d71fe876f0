/// A type with one value set aside to mean "nothing here", so that an absent value costs no memory.
package protocol Absentable: Equatable, Sendable {
    static var absent: Self { get }
}

/// An optional that is as small as the value itself.
///
/// Evidence is held by the million; Swift's own optional of an 8-byte value takes 16.
/// Assigning the set-aside value reads back as nil.
@propertyWrapper
@frozen
package struct Compact<Value: Absentable>: Equatable, Sendable {
    @usableFromInline package var stored: Value

    @inlinable
    package init(wrappedValue: Value?) { stored = wrappedValue ?? .absent }

    /// The bare value, absent or not.
    @inlinable
    package var projectedValue: Value { stored }

    @inlinable
    package var wrappedValue: Value? {
        get { stored == .absent ? nil : stored }
        set { stored = newValue ?? .absent }
    }
}

extension Compact: Hashable where Value: Hashable {}

extension Int64: Absentable {
    @inlinable package static var absent: Int64 { .min }
}

extension Int32: Absentable {
    @inlinable package static var absent: Int32 { .min }
}
