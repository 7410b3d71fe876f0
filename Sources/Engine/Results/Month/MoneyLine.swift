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
    /// `opening` as the month before was closed with it. Nil where it is the same, or where that month is not closed.
    public var openingAsClosed: Balance?
    /// The same at the month's end.
    public var closing = Balance()
    /// Goods that went to another account within the month, on both sides of the balances.
    public var strayed: Int64 = 0
    /// In the order of `DifferenceClass.explanations`; reasons without an amount are left out.
    public var explained: [Explained]
    /// The rest of the difference, in minor units.
    public var unexplained: Int64

    /// The figures beside the movements by their words in `month.json`: `booked`, each reason of a booking and of the
    /// difference, and goods that went to another account.
    var named: [String: Int64] {
        let reasons =
            bookings.parts.map { ($0.reason.rawValue, $0.minor) } + explained.map { ($0.reason.code, $0.minor) }
        let others = [
            "booked": bookings.booked, DifferenceClass.unexplained.code: unexplained,
            RegisterReason.wrongAccount.rawValue: strayed,
        ]
        return others.merging(reasons) { $1 }
    }

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

/// What moved for one product, storefront and currency.
public struct SalesLine: Hashable, Sendable, Codable {
    public var product: String
    /// Three letters, as in Apple's records. Empty where it is unknown.
    public var storefront: String
    /// ISO 4217, three letters. Empty where the price is unknown.
    public var currency: Currency
    public var unitsSold: Int64
    public var unitsRefunded: Int64
    /// Pieces whose refund Apple took back.
    public var unitsRefundReversed: Int64 = 0
    /// The app's bundle id. Empty where there is one app, or where it is unknown.
    public var bundle = ""
    public var movements: Movements
}

/// How many movements have no price.
public struct UnpricedCounts: Hashable, Sendable, Codable {
    public var purchases = 0
    /// Refunds of unknown value, and those that Apple took back.
    public var refunds = 0
    public var credited = 0
    public var reversed = 0

    public var total: Int { purchases + refunds + credited + reversed }

    public static func += (left: inout Self, right: Self) {
        left.purchases += right.purchases
        left.refunds += right.refunds
        left.credited += right.credited
        left.reversed += right.reversed
    }
}

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
