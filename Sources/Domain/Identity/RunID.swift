/// The ledger's number of a run, from 1.
@frozen
public struct RunID: RawRepresentable, Hashable, Sendable, Codable {
    public let rawValue: Int64

    @inlinable
    public init(rawValue: Int64) { self.rawValue = rawValue }

    @inlinable
    public init(_ number: Int64) { rawValue = number }

    /// The run after this one.
    public var next: RunID { RunID(rawValue + 1) }
    /// The run before this one. That of the first run is 0, which no run has.
    public var previous: RunID { RunID(rawValue - 1) }
}

extension RunID: ExpressibleByIntegerLiteral {
    @inlinable
    public init(integerLiteral value: Int64) { rawValue = value }
}

extension RunID: Comparable {
    @inlinable
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension RunID: CustomStringConvertible {
    public var description: String { String(rawValue) }
}
