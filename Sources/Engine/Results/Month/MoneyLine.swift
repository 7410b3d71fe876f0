/// A month's money in one currency: the movements, and what explains their difference.
public struct MoneyLine: Hashable, Sendable, Codable {
    /// The part of the difference that one reason explains.
    public struct Explained: Hashable, Sendable, Codable {
        public var reason: DifferenceClass
        public var minor: Int64
    }
    public var currency: Currency
    /// Everything that moved in the month.
    public var movements: Movements
    /// What the backend booked, tied to the purchases.
    public var bookings = BookedMoney()
    /// The part of the purchases that Apple's records state no price for: priced by the order or the product list.
    public var estimated: Int64 = 0
    /// What customers were short of, and what they had too much, when the month began.
    public var opening = Balance()
    /// The same at the month's end.
    public var closing = Balance()
    /// In the order of `DifferenceClass.explanations`; reasons without an amount are left out.
    public var explained: [Explained]
    /// The rest of the difference, in minor units.
    public var unexplained: Int64

    /// What does not add up; nil where everything does.
    public var problem: String? {
        if explained.reduce(unexplained, { $0 &+ $1.minor }) != movements.difference {
            return "the month's differences in \(currency) do not add up subject by subject"
        }
        if bookings.purchases != movements.purchases {
            return "the month's bookings in \(currency) do not add up to its purchases"
        }
        if opening.net &+ movements.difference != closing.net {
            return "the balances of \(currency) at both ends of the month do not differ by its difference"
        }
        return nil
    }
}
