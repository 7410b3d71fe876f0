/// A value that a `NumberedValues` finds quickly.
public protocol Mixed: Equatable, Sendable {
    /// The same for equal values. Its low bits depend on the whole value.
    var mixed: UInt64 { get }
}

extension UInt64: Mixed {
    @inlinable public var mixed: UInt64 { mix(self) }
}

/// Gives different values the numbers 0, 1, 2 and so on, in the order in which they come.
///
/// A night looks up the same few values for each of its rows. A look-up takes half as many instructions as in a dictionary,
/// because the hash does not defend against chosen values.
@frozen
public struct NumberedValues<Value: Mixed>: Sendable {
    @usableFromInline var known: [Value]
    /// Numbers of values; `empty` where there is none.
    @usableFromInline var slots: [UInt32]

    @inlinable static var empty: UInt32 { UInt32.max }

    @inlinable public init() { (known, slots) = ([], []) }

    /// - Parameter values: all different.
    @inlinable public init(_ values: [Value]) { (known, slots) = (values, []) }

    @inlinable public var values: [Value] { known }

    /// The number of a value, which may be new.
    @inlinable
    public mutating func number(of value: Value) -> Int {
        if slots.count < 2 * (known.count + 1) { growSlots() }
        let slot = slot(of: value)
        if slots[slot] != Self.empty { return Int(slots[slot]) }
        slots[slot] = UInt32(known.count)
        known.append(value)
        return known.count - 1
    }

    /// Where the number of the value is, or belongs.
    @inlinable
    func slot(of value: Value) -> Int {
        var slot = Int(truncatingIfNeeded: value.mixed) & (slots.count - 1)
        while slots[slot] != Self.empty, known[Int(slots[slot])] != value { slot = (slot + 1) & (slots.count - 1) }
        return slot
    }

    @inlinable
    mutating func growSlots() {
        var size = 16
        while size < 4 * (known.count + 1) { size *= 2 }
        slots = Array(repeating: Self.empty, count: size)
        for (number, value) in known.enumerated() { slots[slot(of: value)] = UInt32(number) }
    }
}
