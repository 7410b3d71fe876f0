/// The ledger's number of a case, from 1. The position of a case among tonight's is an `Int` or `Int32`, so that the two
/// cannot be mistaken for each other.
@frozen
public struct CaseID: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int64

    @inlinable
    public init(rawValue: Int64) { self.rawValue = rawValue }

    @inlinable
    public init(_ number: Int64) { rawValue = number }
}

extension CaseID: ExpressibleByIntegerLiteral {
    @inlinable
    public init(integerLiteral value: Int64) { rawValue = value }
}

/// A range of cases can be counted and iterated over.
extension CaseID: Strideable {
    @inlinable
    public static func == (left: Self, right: Self) -> Bool { left.rawValue == right.rawValue }
    @inlinable
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    @inlinable
    public func distance(to other: Self) -> Int { Int(other.rawValue - rawValue) }
    @inlinable
    public func advanced(by count: Int) -> Self { CaseID(rawValue + Int64(count)) }
}

extension CaseID: CustomStringConvertible {
    public var description: String { String(rawValue) }
}
