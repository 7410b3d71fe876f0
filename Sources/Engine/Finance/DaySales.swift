/// How many days at the end of Apple's period a payment or refund may take to settle in the ordinary way.
let settlementDays = 7

/// The price of one piece in the ledger.
struct PiecePrice: Hashable, Comparable, Sendable {
    /// In minor units, cut off where the price of several pieces cannot be divided.
    var minor: Int64
    /// Apple's record states it. Otherwise it is an estimate, or the share of a price that was refunded.
    var isStated = true
    var isShare = false
    /// The hour of the sale. The bridge finds by it which of Apple's days the sale belongs to.
    var hour: SaleHour?

    static func < (left: Self, right: Self) -> Bool {
        if left.minor != right.minor { return left.minor < right.minor }
        if left.isStated != right.isStated { return left.isStated }
        if left.isShare != right.isShare { return right.isShare }
        return (left.hour?.local ?? 0, left.hour?.pacific ?? 0) < (right.hour?.local ?? 0, right.hour?.pacific ?? 0)
    }
}

typealias PricedUnits = [PiecePrice: UnitsAndValue]

extension PricedUnits {
    var total: UnitsAndValue { values.reduce(UnitsAndValue(), +) }
}

/// What one day moved of a product in a storefront and currency, as Apple's report should have it. Refunds are positive.
struct DaySales: Hashable, Sendable {
    var sold: PricedUnits = [:]
    /// A partial refund that does not equal the price of whole units counts as one unit, because Apple lists it as one return.
    var refunded: PricedUnits = [:]
    /// Refunds that Apple took back.
    var reversed: PricedUnits = [:]
    /// Units bought, and refunded, at price 0, such as free trials. They are in none of the sums: Apple reports only
    /// payments that it can collect.
    var freeSold: Int64 = 0
    var freeRefunded: Int64 = 0

    static func += (left: inout Self, right: Self) {
        left.sold.merge(right.sold, uniquingKeysWith: +)
        left.refunded.merge(right.refunded, uniquingKeysWith: +)
        left.reversed.merge(right.reversed, uniquingKeysWith: +)
        left.freeSold &+= right.freeSold
        left.freeRefunded &+= right.freeRefunded
    }

    /// Adds a leg. One of goods adds nothing.
    ///
    /// - Parameter isStated: whether Apple's record states the price of the purchase.
    mutating func add(_ leg: Leg, isStated: Bool, hour: SaleHour? = nil) {
        let minor = leg.value?.minor ?? 0
        let isFree = leg.value?.minor == 0
        let sum = UnitsAndValue(units: leg.units == 0 && minor != 0 ? 1 : leg.units, minor: minor)
        let price = PiecePrice(
            minor: minor / max(1, sum.units), isStated: isStated && leg.units > 0, isShare: leg.units == 0, hour: hour)
        switch leg.kind {
        case .purchase where isFree: freeSold &+= leg.units
        case .purchase: sold[price, default: .zero] += sum
        case .refund where isFree: freeRefunded &+= leg.units
        case .refund: refunded[price, default: .zero] += sum
        case .refundReversal: reversed[price, default: .zero] += sum
        case .credit, .reversal: break
        }
    }
}

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

extension UnitsAndValue {
    /// So many of the units, at their average value.
    func part(_ units: Int64) -> UnitsAndValue { UnitsAndValue(units: units, minor: share(units)) }

    /// The average worth of this many units, rounded; 0 without units.
    func share(_ part: Int64) -> Int64 {
        guard units != 0 else { return 0 }
        if part == units { return minor }
        let product = Int128(minor) * Int128(part)
        let half = Int128(units.magnitude / 2) * (product < 0 ? -1 : 1)
        return Int64(clamping: (product + half) / Int128(units))
    }
}

/// What Apple reports for a period of one line of the bridge, at one price. Sums are positive.
struct AppleUnits {
    /// The day of sale, where the report states it.
    var soldOn: BusinessDate?
    /// The customer price of one piece, in minor units.
    var price: Int64
    /// File and line of its first row.
    var source = ""
    var sum: UnitsAndValue
}

extension [AppleUnits] {
    /// Takes so many units of each price away from those without a day.
    ///
    /// - Returns: what is taken of each element.
    mutating func setAside(_ units: [Int64: Int64]) -> [UnitsAndValue] {
        var rest = units
        return indices.map { index in
            guard self[index].soldOn == nil, let most = rest[self[index].price], most > 0 else { return .zero }
            let part = self[index].sum.part(Swift.min(most, Swift.max(0, self[index].sum.units)))
            self[index].sum = self[index].sum - part
            rest[self[index].price] = most - part.units
            return part
        }
    }
}
