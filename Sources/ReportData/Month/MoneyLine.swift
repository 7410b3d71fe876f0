public import Domain

/// A month's money in one currency: the movements, and what explains their difference.
public struct MoneyLine: Hashable, Sendable, Codable {
    /// The part of the difference that one reason explains.
    public struct Explained: Hashable, Sendable, Codable {
        /// Why it differs.
        public var reason: DifferenceClass
        /// In minor units.
        public var minor: Int64

        public init(reason: DifferenceClass, minor: Int64) {
            self.reason = reason
            self.minor = minor
        }
    }
    /// ISO 4217, three letters.
    public var currency: Currency
    /// Everything that moved in the month.
    public var movements: Movements
    /// In the order of `DifferenceClass.explanations`; reasons without an amount are left out.
    public var explained: [Explained]
    /// The rest of the difference, in minor units.
    public var unexplained: Int64

    public init(currency: Currency, movements: Movements, explained: [Explained], unexplained: Int64) {
        self.currency = currency
        self.movements = movements
        self.explained = explained
        self.unexplained = unexplained
    }

    /// Whether the explained parts and the rest add up to the difference.
    public var isProven: Bool { explained.reduce(unexplained) { $0 &+ $1.minor } == movements.difference }
}
