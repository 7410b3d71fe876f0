public import Domain

/// A number of exceptions and what they are worth in one currency.
public struct CountAndAmount: Hashable, Sendable, Codable {
    /// How many exceptions.
    public var count = 0
    /// Their worth in minor units.
    public var minor: Int64 = 0
    public init(count: Int = 0, minor: Int64 = 0) {
        self.count = count
        self.minor = minor
    }

    /// One exception or subject of that worth, which may be unknown.
    public init(of amount: Money?) { self.init(count: 1, minor: amount?.minor ?? 0) }
}

/// The worth wraps modulo 2^64; see `MoneySum`.
extension CountAndAmount {
    public static func + (left: Self, right: Self) -> Self {
        CountAndAmount(count: left.count + right.count, minor: left.minor &+ right.minor)
    }

    public static func - (left: Self, right: Self) -> Self {
        CountAndAmount(count: left.count - right.count, minor: left.minor &- right.minor)
    }

    public static func += (left: inout Self, right: Self) { left = left + right }
    public static func -= (left: inout Self, right: Self) { left = left - right }
}
