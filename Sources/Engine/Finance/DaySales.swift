/// How many days at the end of Apple's period a payment or refund may take to settle in the ordinary way.
let settlementDays = 7

/// What one day moved of a product in a storefront and currency, as Apple's report should have it. Refunds are positive.
struct DaySales: Hashable, Sendable {
    var sold = UnitsAndValue()
    /// A partial refund that does not equal the price of whole units counts as one unit, because Apple lists it as one return.
    var refunded = UnitsAndValue()
    /// Refunds that Apple took back.
    var reversed = UnitsAndValue()
    /// Units bought, and refunded, at price 0, such as free trials. They are in none of the sums: Apple reports only
    /// payments that it can collect.
    var freeSold: Int64 = 0
    var freeRefunded: Int64 = 0
    /// The lowest and the highest price of one piece bought, in minor units. Nil without a purchase.
    var prices: ClosedRange<Int64>?

    static func += (left: inout Self, right: Self) {
        left.sold += right.sold
        left.refunded += right.refunded
        left.reversed += right.reversed
        left.freeSold &+= right.freeSold
        left.freeRefunded &+= right.freeRefunded
        left.prices = .covering(left.prices, right.prices)
    }

    /// Adds a leg. One of goods adds nothing.
    mutating func add(_ leg: Leg) {
        let minor = leg.value?.minor ?? 0
        let isFree = leg.value?.minor == 0
        let sum = UnitsAndValue(units: leg.units == 0 && minor != 0 ? 1 : leg.units, minor: minor)
        switch leg.kind {
        case .purchase where isFree: freeSold &+= leg.units
        case .purchase:
            sold += sum
            if leg.units > 0 { prices = .covering(prices, minor / leg.units...minor / leg.units) }
        case .refund where isFree: freeRefunded &+= leg.units
        case .refund: refunded += sum
        case .refundReversal: reversed += sum
        case .credit, .reversal: break
        }
    }
}

/// Sales by day.
typealias DayTable = [SalesKey: [BusinessDate: DaySales]]

extension DayTable {
    mutating func merge(_ other: DayTable) {
        merge(other) { $0.merging($1) { $0 + $1 } }
    }
}

extension DaySales {
    fileprivate static func + (left: Self, right: Self) -> Self {
        var sum = left
        sum += right
        return sum
    }
}

extension ClosedRange<Int64>? {
    /// The smallest range that covers both; nil if neither is known.
    static func covering(_ left: Self, _ right: Self) -> Self {
        guard let left, let right else { return left ?? right }
        return min(left.lowerBound, right.lowerBound)...max(left.upperBound, right.upperBound)
    }
}
