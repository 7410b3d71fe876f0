/// A number of exceptions, subjects, purchases or orders, what they are worth in one currency, and by how much customers
/// have too much or too little.
public struct CountAndAmount: Hashable, Sendable, Codable {
    public var count = 0
    /// Their worth in minor units.
    public var minor: Int64 = 0
    /// Their effect in minor units: surpluses less shortfalls.
    public var effect: Int64 = 0

    public init(count: Int = 0, minor: Int64 = 0, effect: Int64 = 0) {
        (self.count, self.minor, self.effect) = (count, minor, effect)
    }

    /// One of that worth, which may be unknown.
    ///
    /// - Parameter effect: its effect; only one in the currency of the amount counts.
    public init(of amount: Money?, effect: Money? = nil) {
        let own = effect?.currency == amount?.currency ? effect?.minor : nil
        self.init(count: 1, minor: amount?.minor ?? 0, effect: own ?? 0)
    }
}

/// The worth wraps modulo 2^64; see `MoneySum`.
extension CountAndAmount {
    public static func + (left: Self, right: Self) -> Self {
        CountAndAmount(
            count: left.count + right.count, minor: left.minor &+ right.minor,
            effect: left.effect &+ right.effect)
    }

    public static func - (left: Self, right: Self) -> Self {
        CountAndAmount(
            count: left.count - right.count, minor: left.minor &- right.minor,
            effect: left.effect &- right.effect)
    }

    public static func += (left: inout Self, right: Self) { left = left + right }
    public static func -= (left: inout Self, right: Self) { left = left - right }
}
