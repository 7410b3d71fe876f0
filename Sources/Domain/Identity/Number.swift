/// A number that the ledger gives, from 1. Numbers of different things are different types.
@frozen
public struct Number<Of, Raw: FixedWidthInteger & SignedInteger & Codable & Sendable>: RawRepresentable, Hashable,
    Sendable
{
    public let rawValue: Raw

    @inlinable
    public init(rawValue: Raw) { self.rawValue = rawValue }

    @inlinable
    public init(_ number: Raw) { rawValue = number }
}

extension Number: ExpressibleByIntegerLiteral {
    @inlinable
    public init(integerLiteral value: Int) { rawValue = Raw(value) }
}

/// A range of numbers can be counted and iterated over.
extension Number: Strideable {
    @inlinable
    public static func == (left: Self, right: Self) -> Bool { left.rawValue == right.rawValue }
    @inlinable
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    @inlinable
    public func distance(to other: Self) -> Int { Int(other.rawValue - rawValue) }
    @inlinable
    public func advanced(by count: Int) -> Self { Self(rawValue + Raw(count)) }
}

/// As the plain number.
extension Number: Codable {
    public init(from decoder: any Decoder) throws { rawValue = try decoder.singleValueContainer().decode(Raw.self) }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}

extension Number: CustomStringConvertible {
    public var description: String { String(rawValue) }
}

/// The ledger's number of a case. The position of a case among tonight's is an `Int` or `Int32`, so that the two cannot
/// be mistaken for each other.
public typealias CaseID = Number<Case, Int64>

/// What `RunID` numbers.
public enum NumberedRun {}
/// The ledger's number of a run.
public typealias RunID = Number<NumberedRun, Int64>

extension RunID {
    public var next: RunID { advanced(by: 1) }
    /// The run before this one. That of the first run is 0, which no run has.
    public var previous: RunID { advanced(by: -1) }
}

/// The ledger's number of an imported file, ascending in order of import. Every piece of evidence carries one.
public typealias DeliveryID = Number<Delivery, Int32>

extension DeliveryID {
    /// No delivery has this number: values made in code rather than read from a file carry it.
    @inlinable
    public static var none: DeliveryID { 0 }
    /// The bound of a range that excludes no delivery.
    @inlinable
    public static var max: DeliveryID { DeliveryID(.max) }
}
