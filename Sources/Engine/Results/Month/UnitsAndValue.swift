/// Units and what customers paid for them. Sums and differences wrap modulo 2^64; see `MoneySum`.
public struct UnitsAndValue: Hashable, Sendable, Codable {
    /// Pieces; negative for returns.
    public var units: Int64 = 0
    /// In minor units of one currency; negative for returns.
    public var minor: Int64 = 0

    public static var zero: Self { Self() }

    public static func + (left: Self, right: Self) -> Self {
        UnitsAndValue(units: left.units &+ right.units, minor: left.minor &+ right.minor)
    }
    public static func - (left: Self, right: Self) -> Self {
        UnitsAndValue(units: left.units &- right.units, minor: left.minor &- right.minor)
    }
    public static func += (left: inout Self, right: Self) { left = left + right }
}
