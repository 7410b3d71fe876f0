/// A month's money in one currency.
public struct MoneyLine: Hashable, Sendable, Codable {
    public struct Explained: Hashable, Sendable, Codable {
        public var reason: DifferenceClass
        public var minor: Int64

        public init(reason: DifferenceClass, minor: Int64) {
            self.reason = reason
            self.minor = minor
        }
    }
    public var currency: String
    public var movements: Movements
    /// In the order of `DifferenceClass.explanations`; only what occurs.
    public var explained: [Explained]
    public var unexplained: Int64

    public init(currency: String, movements: Movements, explained: [Explained], unexplained: Int64) {
        self.currency = currency
        self.movements = movements
        self.explained = explained
        self.unexplained = unexplained
    }

    /// The explanations and the rest come to the difference.
    public var isProven: Bool { explained.reduce(unexplained) { $0 + $1.minor } == movements.difference }
}
