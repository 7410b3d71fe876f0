/// Sales of one product, country, currency and kind that Apple has not reported yet, rolled forward from period to
/// period. All sums here are positive, those of returns too.
///
/// Each sale keeps its own day. A detail report of Apple's names the day of a sale, so its units are taken from that day.
/// Other reports show only how much is missing, not which sale: their units are taken from the sales that were in transit
/// in the ordinary way when the period began, then from the period's own before its last `settlementDays` days, then from
/// what is late, then from the last days; the oldest first. So what is left is as young as it can be. What is left of the
/// last days is in transit in the ordinary way, what is older is *late*, and what is older than Apple's time to collect
/// becomes *never collected*.
struct Transit {
    /// What one period did.
    struct Outcome: Equatable {
        var opening = UnitsAndValue()
        var closing = UnitsAndValue()
        /// What became older than Apple's time to collect, less what Apple reported after all.
        var neverCollected = UnitsAndValue()
        /// In minor units: equal units, another price.
        var priceDifference: Int64 = 0
        /// In minor units: what averages of different prices explain, and one for each row of Apple's.
        var priceMix: Int64 = 0
        /// Apple reported more than was ever sold.
        var unexplained = UnitsAndValue()
    }
    typealias Days = [(day: BusinessDate, sum: UnitsAndValue)]

    /// What a period sold, and what Apple reported for it.
    struct Movement {
        /// In the order of days.
        var sold: Days = []
        var reported = UnitsAndValue()
        /// How many rows of Apple's that is. Each price is rounded.
        var rows: Int64 = 0
        /// The part of `reported` whose day of sale Apple states.
        var dated: Days = []
        /// What was sold in the days before the period; only for the first period.
        var before: Days = []
        /// Some report of the period has the currency. If none has, a region's report is missing.
        var isReported = true
    }

    /// The parts of the balance by day of sale, oldest first.
    private(set) var cohorts: [InTransit] = []
    /// What was never collected, by day of sale.
    private(set) var lost: [InTransit] = []
    /// The lowest and the highest price of one piece in the ledger. Nil if unknown.
    let prices: ClosedRange<Int64>?
    let collectDays: Int

    private var balance: UnitsAndValue { cohorts.total }

    /// The balance and what was never collected. What is in transit in the ordinary way is one part.
    var aging: [InTransit] {
        let newest = cohorts.last { !$0.isLate }
        let one = newest.map { InTransit(soldUntil: $0.soldUntil, sum: ordinary) }
        return lost + cohorts.filter(\.isLate) + [one].compactMap(\.self)
    }

    /// What is in transit in the ordinary way.
    var ordinary: UnitsAndValue { cohorts.filter { !$0.isLate }.total }

    /// Rolls the balance forward over a period.
    mutating func roll(_ moved: Movement, from first: BusinessDate, until last: BusinessDate) -> Outcome {
        var outcome = Outcome()
        let tail = last.advanced(by: 1 - settlementDays)
        let sold = moved.sold.total
        if cohorts.isEmpty {
            // No more is in transit before the first known period than Apple reports beyond the period's own sales, or
            // dates before the period.
            let earlier = moved.dated.filter { $0.day < first }.total.units
            cohorts = moved.before.map { InTransit(soldUntil: $0.day, sum: $0.sum) }
            take(cohorts.total.units - max(earlier, moved.reported.units - sold.units)) { _ in true }
        }
        outcome.opening = balance
        guard moved.isReported || moved.sold.allSatisfy({ $0.sum.units == 0 || $0.day >= tail }) else {
            outcome.unexplained = sold
            outcome.closing = outcome.opening
            return outcome
        }
        var left = balance + sold - moved.reported
        cohorts += moved.sold.filter { $0.sum.units > 0 }.map { InTransit(soldUntil: $0.day, sum: $0.sum) }
        if left.minor == 0, left.units != 0, balance.minor != 0 {
            // The value agrees, so nothing is missing; only the units are counted in another way.
            cohorts = []
            outcome.unexplained.units = left.units
            return outcome
        }
        var units = moved.reported.units
        var back = UnitsAndValue()
        // A dated unit is only matched with sales of its day or of a day beside it. Otherwise it stays unexplained.
        var dated = moved.dated.filter { $0.sum.units > 0 }
        units -= dated.total.units
        // Apple's days may begin at another hour. The days that fit best come first: else one surplus unit would push every
        // later day's sales on by a day.
        let days = Dictionary(grouping: cohorts + lost, by: \.soldUntil).mapValues(\.total.units)
        let fitting = [0, 1, -1].map { shift in
            dated.reduce(Int64(0)) { $0 + min($1.sum.units, days[$1.day.advanced(by: shift)] ?? 0) }
        }
        for shift in fitting[1] > fitting[0] ? [1, 0, -1] : fitting[2] > fitting[0] ? [-1, 0, 1] : [0, 1, -1] {
            for index in dated.indices {
                let day = dated[index].day.advanced(by: shift)
                dated[index].sum.units -= take(dated[index].sum.units) { $0.soldUntil == day }
                let found = Self.take(dated[index].sum.units, from: &lost) { $0.soldUntil == day }
                dated[index].sum.units -= found.units
                back += found
            }
        }
        units -= take(units) { !$0.isLate && $0.soldUntil < first }
        units -= take(units) { !$0.isLate && $0.soldUntil < tail }
        units -= take(units) { $0.isLate }
        units -= take(units) { _ in true }
        back += Self.take(units, from: &lost) { _ in true }
        outcome.neverCollected = UnitsAndValue() - back
        left += back
        for index in cohorts.indices where cohorts[index].soldUntil < tail { cohorts[index].isLate = true }
        let expired = expire(on: last)
        outcome.neverCollected += expired
        outcome.closing = balance
        explain(left - outcome.closing - expired, moved, expired: expired, into: &outcome)
        return outcome
    }

    /// Divides the remainder of a period into units that Apple reported in excess and differences of price. The value given to
    /// the excess units is at most the value of the remainder.
    private func explain(
        _ rest: UnitsAndValue, _ moved: Movement, expired: UnitsAndValue, into outcome: inout Outcome
    ) {
        outcome.unexplained.units = rest.units
        let share = 0 &- moved.reported.share(0 &- rest.units)
        outcome.unexplained.minor = share < 0 ? min(0, max(share, rest.minor)) : max(0, min(share, rest.minor))
        let price = rest.minor &- outcome.unexplained.minor
        let isRounding = price.magnitude <= moved.rows
        if isRounding || isMix(price, units: outcome.opening.units + outcome.closing.units + expired.units) {
            outcome.priceMix = price
        } else {
            outcome.priceDifference = price
        }
    }

    /// Moves what is too old to `lost`.
    private mutating func expire(on last: BusinessDate) -> UnitsAndValue {
        let days = collectDays
        let isOld = { (part: InTransit) in part.soldUntil.advanced(by: days) <= last }
        let expired = cohorts.filter(isOld)
        lost += expired.map { InTransit(soldUntil: $0.soldUntil, isNeverCollected: true, isLate: true, sum: $0.sum) }
        cohorts.removeAll(where: isOld)
        return expired.total
    }

    /// Whether units of other prices than their average can make up this difference.
    private func isMix(_ price: Int64, units: Int64) -> Bool {
        guard price != 0, let prices, prices.lowerBound < prices.upperBound else { return false }
        return Int128(price.magnitude) <= Int128(units) * (Int128(prices.upperBound) - Int128(prices.lowerBound))
    }

    /// Takes units from the oldest parts of the balance that `isWanted` says. Returns how many there were.
    @discardableResult
    private mutating func take(_ units: Int64, where isWanted: (InTransit) -> Bool) -> Int64 {
        Self.take(units, from: &cohorts, where: isWanted).units
    }

    private static func take(
        _ units: Int64, from cohorts: inout [InTransit], where isWanted: (InTransit) -> Bool
    ) -> UnitsAndValue {
        var taken = UnitsAndValue()
        guard units > 0 else { return taken }
        for index in cohorts.indices where isWanted(cohorts[index]) {
            let part = cohorts[index].sum.part(min(units - taken.units, cohorts[index].sum.units))
            cohorts[index].sum = cohorts[index].sum - part
            taken += part
        }
        cohorts.removeAll { $0.sum.units == 0 }
        return taken
    }
}

extension [InTransit] {
    fileprivate var total: UnitsAndValue { reduce(UnitsAndValue()) { $0 + $1.sum } }
}

extension Transit.Days {
    var total: UnitsAndValue { reduce(UnitsAndValue()) { $0 + $1.sum } }
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
