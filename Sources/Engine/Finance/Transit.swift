/// Sales of one product, country, currency and kind that Apple has not reported yet, rolled forward from period to
/// period. All sums here are positive, those of returns too.
///
/// Apple's reports have no transactions, so they show how much is missing, but not which sale. The balance is
/// opening + sold − reported. Apple usually reports a sale within a few days, so at most the sales of the period's
/// last `settlementDays` days are normally in transit. What the balance has beyond that is *late*. It keeps the date by
/// which it was sold until the balance shrinks, oldest first, and becomes *never collected* once it is older than Apple's
/// time to collect.
struct Transit {
    /// What one period did.
    struct Outcome: Equatable {
        var opening = UnitsAndValue()
        var closing = UnitsAndValue()
        /// What became older than Apple's time to collect, less what Apple reported after all.
        var neverCollected = UnitsAndValue()
        /// In minor units: equal units, another price.
        var priceDifference: Int64 = 0
        /// In minor units: what averages of different prices explain.
        var priceMix: Int64 = 0
        /// Apple reported more than was ever sold.
        var unexplained = UnitsAndValue()
    }

    /// What a period sold, and what Apple reported for it.
    struct Movement {
        var sold = UnitsAndValue()
        /// The part of `sold` of the period's last days.
        var tail = UnitsAndValue()
        var reported = UnitsAndValue()
        /// What was sold in the days before the period; only for the first period.
        var before = UnitsAndValue()
        /// Some report of the period has the currency. If none has, a region's report is missing.
        var isReported = true
    }

    /// The parts of the balance by the time of sale. Oldest first; the one that is not late, if any, is last.
    private(set) var cohorts: [InTransit] = []
    /// What was never collected, by the time of sale.
    private(set) var lost: [InTransit] = []
    /// The lowest and the highest price of one piece in the ledger. Nil if unknown.
    let prices: ClosedRange<Int64>?
    let collectDays: Int

    private var balance: UnitsAndValue { cohorts.reduce(UnitsAndValue()) { $0 + $1.sum } }

    /// The balance and what was never collected, by the time of sale.
    var aging: [InTransit] { (lost + cohorts).filter { $0.sum != UnitsAndValue() } }

    /// Rolls the balance forward over a period.
    mutating func roll(_ moved: Movement, from first: BusinessDate, until last: BusinessDate) -> Outcome {
        var outcome = Outcome()
        if cohorts.isEmpty { assumeOpening(moved, before: first) }
        outcome.opening = balance
        guard moved.isReported || moved.sold.units <= moved.tail.units else {
            outcome.unexplained = moved.sold
            outcome.closing = outcome.opening
            return outcome
        }
        var left = balance + moved.sold - moved.reported
        if left.units < 0 {
            let back = Self.take(min(Self.units(lost), 0 - left.units), from: &lost)
            outcome.neverCollected = UnitsAndValue() - back
            left += back
        }
        settle(max(left.units, 0), moved, until: last)
        let expired = expire(on: last)
        outcome.neverCollected += expired
        outcome.closing = balance
        let rest = left - outcome.closing - expired
        outcome.unexplained.units = rest.units
        outcome.unexplained.minor = rest.units == 0 ? 0 : 0 - moved.reported.share(0 - rest.units)
        let price = rest.minor &- outcome.unexplained.minor
        if isMix(price, units: outcome.opening.units + outcome.closing.units + abs(rest.units) + expired.units) {
            outcome.priceMix = price
        } else {
            outcome.priceDifference = price
        }
        return outcome
    }

    /// Before the first period that is known, no more is in transit than Apple reports beyond the period's own sales.
    private mutating func assumeOpening(_ moved: Movement, before first: BusinessDate) {
        let units = min(moved.before.units, moved.reported.units - moved.sold.units)
        add(units, of: moved.before, soldUntil: first.advanced(by: -1))
    }

    /// Divides what is left into what is late, by the time of sale, and what is in transit in the ordinary way.
    private mutating func settle(_ units: Int64, _ moved: Movement, until last: BusinessDate) {
        let ordinary = min(units, max(moved.tail.units, 0))
        let late = units - ordinary
        let before = cohorts.last { !$0.isLate }
        cohorts.removeAll { !$0.isLate }
        let known = Self.units(cohorts)
        if late <= known {
            _ = Self.take(known - late, from: &cohorts)
        } else {
            // The youngest that it can be: sold in this period, else in the last days of the one before.
            let own = moved.sold - moved.tail
            let young = min(late - known, max(own.units, 0))
            let old = late - known - young
            if let before { add(old, of: before.sum, soldUntil: before.soldUntil, isLate: true) }
            add(young, of: own, soldUntil: last.advanced(by: -settlementDays), isLate: true)
        }
        add(ordinary, of: moved.tail, soldUntil: last)
    }

    /// Adds so many units of a sum to what is in transit.
    private mutating func add(
        _ units: Int64, of sum: UnitsAndValue, soldUntil day: BusinessDate, isLate: Bool = false
    ) {
        if units > 0 { cohorts.append(InTransit(soldUntil: day, isLate: isLate, sum: sum.part(units))) }
    }

    /// Moves what is too old to `lost`.
    private mutating func expire(on last: BusinessDate) -> UnitsAndValue {
        var expired = UnitsAndValue()
        for var cohort in cohorts where cohort.soldUntil.advanced(by: collectDays) <= last {
            cohort.isNeverCollected = true
            lost.append(cohort)
            expired += cohort.sum
        }
        let days = collectDays
        cohorts.removeAll { $0.soldUntil.advanced(by: days) <= last }
        return expired
    }

    /// Whether units of other prices than their average can make up this difference.
    private func isMix(_ price: Int64, units: Int64) -> Bool {
        guard price != 0, let prices, prices.lowerBound < prices.upperBound else { return false }
        return Int128(price.magnitude) <= Int128(units) * (Int128(prices.upperBound) - Int128(prices.lowerBound))
    }

    private static func units(_ cohorts: [InTransit]) -> Int64 { cohorts.reduce(0) { $0 + $1.sum.units } }

    /// Takes units from the oldest cohorts.
    private static func take(_ units: Int64, from cohorts: inout [InTransit]) -> UnitsAndValue {
        var taken = UnitsAndValue()
        for index in cohorts.indices {
            let own = min(units - taken.units, cohorts[index].sum.units)
            let part = cohorts[index].sum.part(own)
            cohorts[index].sum = cohorts[index].sum - part
            taken += part
        }
        cohorts.removeAll { $0.sum.units == 0 }
        return taken
    }
}

extension UnitsAndValue {
    fileprivate func part(_ units: Int64) -> UnitsAndValue { UnitsAndValue(units: units, minor: share(units)) }

    /// What so many of the units are worth on average, rounded; 0 without units.
    func share(_ part: Int64) -> Int64 {
        guard units != 0 else { return 0 }
        if part == units { return minor }
        let product = Int128(minor) * Int128(part)
        let half = Int128(units.magnitude / 2) * (product < 0 ? -1 : 1)
        return Int64(clamping: (product + half) / Int128(units))
    }
}
