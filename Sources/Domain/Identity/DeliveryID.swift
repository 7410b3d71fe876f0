/// The ledger's number of an imported file, ascending in order of import, from 1. Every piece of evidence carries one.
@frozen
public struct DeliveryID: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int32

    @inlinable
    public init(rawValue: Int32) { self.rawValue = rawValue }

    @inlinable
    public init(_ number: Int32) { rawValue = number }

    /// No delivery has this number: values made in code rather than read from a file carry it.
    @inlinable
    public static var none: DeliveryID { DeliveryID(0) }
    /// The bound of a range that excludes no delivery.
    @inlinable
    public static var max: DeliveryID { DeliveryID(.max) }

    /// The delivery `count` files later.
    @inlinable
    public func advanced(by count: Int) -> DeliveryID { DeliveryID(rawValue + Int32(count)) }
}

extension DeliveryID: ExpressibleByIntegerLiteral {
    @inlinable
    public init(integerLiteral value: Int32) { rawValue = value }
}

extension DeliveryID: Comparable {
    @inlinable
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension DeliveryID: CustomStringConvertible {
    public var description: String { String(rawValue) }
}
