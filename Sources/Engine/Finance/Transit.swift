/// Sales of one product, country, currency and kind that Apple has not reported yet, rolled forward from period to
/// period. All sums here are positive, those of returns too.
///
/// Each sale keeps its own day and price. Apple's units are taken from sales at their price, so what Apple has in excess at a
/// price stays unexplained, whatever is in transit at others.
///
/// A detail report of Apple's names the day of a sale, so its units are taken from that day.
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
        /// In minor units: at most one for each row of Apple's.
        var rounding: Int64 = 0
        /// Apple reported more than was ever sold.
        var unexplained = UnitsAndValue()
    }

    /// What was sold on a day at a price, and is not reported.
    struct Cohort: Equatable {
        var soldOn: BusinessDate
        var price: PiecePrice
        var isLate = false
        var sum: UnitsAndValue
    }

    /// What a period sold, and what Apple reported for it.
    struct Movement {
        /// In the order of days.
        var sold: [Cohort] = []
        var reported: [AppleUnits] = []
        /// How many rows of Apple's that is. Each price is rounded.
        var rows: Int64 = 0
        /// What was sold in the days before the period; only for the first period.
        var before: [Cohort] = []
        /// Some report of the period has the currency. If none has, a region's report is missing.
        var isReported = true
    }

    /// The parts of the balance by day of sale, oldest first.
    private(set) var cohorts: [Cohort] = []
    /// What was never collected, by day of sale.
    private(set) var lost: [Cohort] = []
    /// The prices of one piece that Apple's own records state.
    let prices: Set<Int64>
    let collectDays: Int

    private var balance: UnitsAndValue { cohorts.total }

    /// The balance and what was never collected. What is in transit in the ordinary way is one part.
    var aging: [InTransit] {
        let one = cohorts.last { !$0.isLate }.map { InTransit(soldUntil: $0.soldOn, sum: ordinary) }
        return lost.byDay(isNeverCollected: true) + cohorts.filter(\.isLate).byDay(isNeverCollected: false)
            + [one].compactMap(\.self)
    }

    /// What is in transit in the ordinary way.
    var ordinary: UnitsAndValue { cohorts.filter { !$0.isLate }.total }

    /// Rolls the balance forward over a period.
    mutating func roll(_ moved: Movement, from first: BusinessDate, until last: BusinessDate) -> Outcome {
        var outcome = Outcome()
        let tail = last.advanced(by: 1 - settlementDays)
        let sold = moved.sold.total
        if cohorts.isEmpty { open(moved, before: first) }
        outcome.opening = balance
        guard moved.isReported || moved.sold.allSatisfy({ $0.sum.units == 0 || $0.soldOn >= tail }) else {
            outcome.unexplained = sold
            outcome.closing = outcome.opening
            return outcome
        }
        var left = balance + sold - moved.reported.total
        cohorts += moved.sold.filter { $0.sum.units > 0 }
        if left.minor == 0, left.units != 0, balance.minor != 0, !isExceeded(by: moved.reported) {
            // The value agrees, so nothing is missing; only the units are counted in another way.
            cohorts = []
            outcome.unexplained.units = left.units
            return outcome
        }
        var reported = moved.reported
        let back = takeDated(&reported) + takeUndated(&reported, from: first, tail: tail)
        outcome.neverCollected = UnitsAndValue() - back
        left += back
        for index in cohorts.indices where cohorts[index].soldOn < tail { cohorts[index].isLate = true }
        let expired = expire(on: last)
        outcome.neverCollected += expired
        outcome.closing = balance
        explain(left - outcome.closing - expired, inExcess: reported, rows: moved.rows, into: &outcome)
        return outcome
    }

    /// Opens the balance of the first known period: at each price no more than Apple reports beyond the period's own sales at
    /// it, or dates before the period. Units at prices that the ledger does not know may be any.
    private mutating func open(_ moved: Movement, before first: BusinessDate) {
        func excess(_ reported: [AppleUnits], _ sold: [Cohort]) -> Int64 {
            let earlier = reported.filter { ($0.soldOn ?? first) < first }.total.units
            return max(earlier, reported.total.units - sold.total.units)
        }
        var rests: [Int64: Int64] = [:]
        for price in Set(moved.before.map(\.price.minor)) {
            rests[price] = max(
                0, excess(moved.reported.filter { $0.price == price }, moved.sold.filter { $0.price.minor == price }))
        }
        let others = moved.reported.filter { !isStated($0.price) && rests[$0.price] == nil }.total.units
        var rest = min(others, excess(moved.reported, moved.sold) - rests.values.reduce(0, +))
        for cohort in moved.before.reversed() {
            let own = min(cohort.sum.units, rests[cohort.price.minor] ?? 0)
            let other = max(0, min(cohort.sum.units - own, rest))
            rests[cohort.price.minor, default: 0] -= own
            rest -= other
            guard own + other > 0 else { continue }
            var cohort = cohort
            cohort.sum = cohort.sum.part(own + other)
            cohorts.insert(cohort, at: 0)
        }
    }

    /// Takes what Apple's rows have from the sales of their days. Apple's days may begin at another hour. The days that fit
    /// best come first: else one surplus unit would push every later day's sales on by a day.
    ///
    /// - Returns: what was never collected and is reported after all.
    private mutating func takeDated(_ reported: inout [AppleUnits]) -> UnitsAndValue {
        let dated = reported.indices.filter { reported[$0].soldOn != nil }
        let days = Dictionary(grouping: cohorts + lost, by: \.soldOn).mapValues(\.total.units)
        let wanted = Dictionary(grouping: dated.map { reported[$0] }, by: { $0.soldOn! }).mapValues(\.total.units)
        let fitting = [0, 1, -1].map { shift in
            wanted.reduce(Int64(0)) { $0 + min($1.value, days[$1.key.advanced(by: shift)] ?? 0) }
        }
        let shifts = fitting[1] > fitting[0] ? [1, 0, -1] : fitting[2] > fitting[0] ? [-1, 0, 1] : [0, 1, -1]
        var back = UnitsAndValue()
        for reach in Self.reaches {
            for shift in shifts {
                for index in dated {
                    let day = reported[index].soldOn!.advanced(by: shift)
                    back += take(&reported[index], within: reach, from: [{ $0.soldOn == day }])
                }
            }
        }
        return back
    }

    /// Takes what Apple's rows without a day have.
    ///
    /// - Returns: what was never collected and is reported after all.
    private mutating func takeUndated(
        _ reported: inout [AppleUnits], from first: BusinessDate, tail: BusinessDate
    ) -> UnitsAndValue {
        let steps: [(Cohort) -> Bool] = [
            { !$0.isLate && $0.soldOn < first }, { !$0.isLate && $0.soldOn < tail }, { $0.isLate }, { _ in true },
        ]
        var back = UnitsAndValue()
        for reach in Self.reaches {
            for index in reported.indices where reported[index].soldOn == nil {
                back += take(&reported[index], within: reach, from: steps)
            }
        }
        return back
    }

    /// Moves what is too old to `lost`.
    private mutating func expire(on last: BusinessDate) -> UnitsAndValue {
        let days = collectDays
        let isOld = { (cohort: Cohort) in cohort.soldOn.advanced(by: days) <= last }
        let expired = cohorts.filter(isOld)
        lost += expired
        cohorts.removeAll(where: isOld)
        return expired.total
    }

    /// Divides the remainder of a period into units that Apple reported in excess and differences of price. At a price that
    /// Apple's records state, each unit in excess is unexplained at it. The value given to the others is at most the value of
    /// the remainder.
    private func explain(
        _ rest: UnitsAndValue, inExcess reported: [AppleUnits], rows: Int64, into outcome: inout Outcome
    ) {
        let stated = reported.filter { isStated($0.price) }.total.minor
        let others = stated &- reported.total.minor
        let most = rest.minor &+ stated
        outcome.unexplained.units = rest.units
        outcome.unexplained.minor =
            (others < 0 ? min(0, max(others, most)) : max(0, min(others, most))) &- stated
        let price = rest.minor &- outcome.unexplained.minor
        if price.magnitude <= rows { outcome.rounding = price } else { outcome.priceDifference = price }
    }
}

/// Which price of the ledger's may be which of Apple's.
extension Transit {
    /// How far apart they may be, step by step: not at all; by rounding; in any way.
    private static let reaches: [UInt64] = [0, 1, .max]

    private func isStated(_ price: Int64) -> Bool { (-1...1).contains { prices.contains(price &+ $0) } }

    /// A price that Apple's records state is only itself. An estimate, a share of a price and a price that the ledger does not
    /// know may be any.
    private func isWithin(_ reach: UInt64, _ price: PiecePrice, of apples: Int64) -> Bool {
        (price.minor &- apples).magnitude <= min(reach, 1)
            || reach == .max && !(price.isStated && isStated(apples))
    }

    /// Whether Apple reports more units at a price than are left at it, where that cannot be another way to count.
    private func isExceeded(by reported: [AppleUnits]) -> Bool {
        guard cohorts.allSatisfy(\.price.isStated) else { return false }
        return Dictionary(grouping: reported, by: \.price).contains { price, units in
            isStated(price)
                && units.total.units > (cohorts + lost).filter { isWithin(1, $0.price, of: price) }.total.units
        }
    }

    /// Takes units of the nearest prices first; of each price from the oldest parts of the balance that each of `steps` wants,
    /// and then from what was never collected.
    ///
    /// - Returns: what was never collected and is reported after all.
    private mutating func take(
        _ own: inout AppleUnits, within reach: UInt64, from steps: [(Cohort) -> Bool]
    ) -> UnitsAndValue {
        var back = UnitsAndValue()
        guard own.sum.units > 0 else { return back }
        let apples = own.price
        let near = Set((cohorts + lost).map(\.price)).filter { isWithin(reach, $0, of: apples) }.ordered {
            let distances = (($0.minor &- apples).magnitude, ($1.minor &- apples).magnitude)
            return distances.0 == distances.1 ? $0 < $1 : distances.0 < distances.1
        }
        for price in near {
            for isWanted in steps {
                own.take(Self.take(own.sum.units, from: &cohorts) { $0.price == price && isWanted($0) }.units)
            }
            let found = Self.take(own.sum.units, from: &lost) { cohort in
                cohort.price == price && steps.contains { $0(cohort) }
            }
            own.take(found.units)
            back += found
        }
        return back
    }

    private static func take(
        _ units: Int64, from cohorts: inout [Cohort], where isWanted: (Cohort) -> Bool
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

/// What Apple reports for a period of one line of the bridge, at one price. Sums are positive.
struct AppleUnits {
    /// The day of sale, where the report states it.
    var soldOn: BusinessDate?
    /// The customer price of one piece, in minor units.
    var price: Int64
    var sum: UnitsAndValue

    fileprivate mutating func take(_ units: Int64) { sum = sum - sum.part(units) }
}

extension [AppleUnits] {
    var total: UnitsAndValue { reduce(UnitsAndValue()) { $0 + $1.sum } }
}

extension [Transit.Cohort] {
    var total: UnitsAndValue { reduce(UnitsAndValue()) { $0 + $1.sum } }

    /// One part for each day.
    fileprivate func byDay(isNeverCollected: Bool) -> [InTransit] {
        reduce(into: []) { parts, cohort in
            if parts.last?.soldUntil == cohort.soldOn { return parts[parts.count - 1].sum += cohort.sum }
            parts.append(
                InTransit(
                    soldUntil: cohort.soldOn, isNeverCollected: isNeverCollected,
                    isLate: isNeverCollected || cohort.isLate, sum: cohort.sum))
        }
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
