/// Sales of one product, country, currency and kind that Apple has not reported yet, rolled forward from period to
/// period. All sums here are positive, those of returns too.
///
/// Each sale keeps its own day and price. Apple's units are taken from sales at their price, so what Apple has in excess at a
/// price stays unexplained, whatever is in transit at others.
/// A detail report of Apple's names the day of a sale, so its units are taken from that day, and from no other one: else one
/// surplus unit would push every later day's sales on by a day.
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
        /// In minor units: what the division of a price among pieces leaves, at most one for each row of Apple's.
        var rounding: Int64 = 0
        /// Apple reported more than was ever sold.
        var unexplained = UnitsAndValue()
    }

    /// What was sold on a day at a price, and is not reported.
    struct Cohort: Equatable {
        var soldOn: BusinessDate
        var price: PiecePrice
        /// The day before or after, as −1 or 1, that it may be of by Apple's clock.
        var edge = 0
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
        /// The units at each price that have no day and no sale in the ledger.
        var held: [Int64: Int64] = [:]
    }

    /// The parts of the balance by day of sale, oldest first.
    private(set) var cohorts: [Cohort] = []
    /// What was never collected, by day of sale.
    private(set) var lost: [Cohort] = []
    /// What was sold before the first period and is not in the opening, the latest first. A later period of Apple's may
    /// show that it was in transit all the same.
    private(set) var reserve: [Cohort] = []
    /// What was taken from `reserve`.
    private(set) var recalled: [Cohort] = []
    /// What the first period began with.
    private(set) var opened: [Cohort] = []
    /// What Apple's last period has and the ledger has not.
    private(set) var inExcess: [AppleUnits] = []
    /// What Apple's last period has at another price than the sales it is taken from. With a day: by how much it is more.
    /// Without one: what is taken from estimates. It is one of them, or a sale that the ledger lacks.
    private(set) var otherPrices: [AppleUnits] = []
    /// What Apple's last period has without a day, taken from `reserve`: either it was in transit, or the ledger lacks it.
    private(set) var withheld: [AppleUnits] = []
    /// Some period had units in excess.
    private(set) var hadExcess = false
    /// By how much the ledger's value of the period's reported units is more than Apple's where a price cannot be divided
    /// among the pieces, in minor units.
    private var uneven: Int64 = 0
    private var recalledNow = UnitsAndValue.zero
    /// The prices of one piece that Apple's own records state.
    let prices: Set<Int64>
    let collectDays: Int
    private let terms: Terms

    init(prices: Set<Int64>, collectDays: Int, terms: Terms = Terms()) {
        (self.prices, self.collectDays, self.terms) = (prices, collectDays, terms)
    }

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
        if cohorts.isEmpty, !moved.before.isEmpty { open(moved, before: first) }
        (recalledNow, inExcess, otherPrices, withheld, uneven) = (.zero, [], [], [], 0)
        outcome.opening = balance
        guard moved.isReported || moved.sold.allSatisfy({ $0.sum.units == 0 || $0.soldOn >= tail }) else {
            outcome.unexplained = sold
            outcome.closing = outcome.opening
            return outcome
        }
        var left = balance + sold - moved.reported.total
        cohorts += moved.sold.filter { $0.sum.units > 0 }
        if left.minor == 0, left.units != 0, balance.minor != 0, isEveryDayEqual(moved.reported),
            !isExceeded(by: moved.reported)
        {
            // The value agrees, so nothing is missing; only the units are counted in another way.
            cohorts = []
            outcome.unexplained.units = left.units
            return outcome
        }
        var reported = moved.reported
        let held = reported.setAside(moved.held)
        let back = takeDated(&reported) + takeUndated(&reported, from: first, tail: tail)
        outcome.neverCollected = UnitsAndValue() - back
        outcome.opening += recalledNow
        left += back + recalledNow
        for index in reported.indices { reported[index].sum += held[index] }
        inExcess = reported.filter { $0.sum.units > 0 }
        hadExcess = hadExcess || !inExcess.isEmpty
        for index in cohorts.indices where cohorts[index].soldOn < tail { cohorts[index].isLate = true }
        let expired = expire(on: last)
        outcome.neverCollected += expired
        outcome.closing = balance
        explain(left - outcome.closing - expired, inExcess: reported, rows: moved.rows, into: &outcome)
        return outcome
    }

    /// Opens the balance of the first known period: at each price no more than Apple reports beyond the period's own sales at
    /// it, or dates before the period. Units at prices that the ledger does not know may be any.
    ///
    /// Rows that state their days take what they need from `reserve`.
    private mutating func open(_ moved: Movement, before first: BusinessDate) {
        reserve = moved.before.reversed()
        defer { opened = cohorts }
        if let opening = terms.opening {
            cohorts = opening
            reserve = reserve.less(opening)
            return
        }
        if moved.reported.allSatisfy({ $0.soldOn != nil }) { return }
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
        for (index, cohort) in moved.before.reversed().enumerated() {
            let own = min(cohort.sum.units, rests[cohort.price.minor] ?? 0)
            let other = max(0, min(cohort.sum.units - own, rest))
            rests[cohort.price.minor, default: 0] -= own
            rest -= other
            guard own + other > 0 else { continue }
            var cohort = cohort
            cohort.sum = cohort.sum.part(own + other)
            reserve[index].sum = reserve[index].sum - cohort.sum
            cohorts.insert(cohort, at: 0)
        }
    }

    /// Takes what Apple's rows have from the sales of their days; then from sales within two hours of them, unless the day
    /// of these is not reported yet.
    ///
    /// - Returns: what was never collected and is reported after all.
    private mutating func takeDated(_ reported: inout [AppleUnits]) -> UnitsAndValue {
        let last = reported.compactMap(\.soldOn).max()
        var back = UnitsAndValue()
        for edge in [0, 1, -1] {
            for reach in Self.reaches {
                for index in reported.indices {
                    guard let last, let soldOn = reported[index].soldOn else { continue }
                    let day = soldOn.advanced(by: -edge)
                    if day > last { continue }
                    let steps: [(Cohort) -> Bool] =
                        edge == 0
                        ? [{ $0.soldOn == day && $0.edge == 0 }, { $0.soldOn == day }]
                        : [{ $0.soldOn == day && $0.edge == edge }]
                    back += take(&reported[index], within: reach, from: steps)
                }
            }
        }
        return back
    }

    /// Takes what Apple's rows without a day have. A sale of the last days counts only where no older one can be meant, at
    /// another price than its estimate.
    ///
    /// - Returns: what was never collected and is reported after all.
    private mutating func takeUndated(
        _ reported: inout [AppleUnits], from first: BusinessDate, tail: BusinessDate
    ) -> UnitsAndValue {
        let older: [(Cohort) -> Bool] =
            terms.isOldestFirst
            ? [{ $0.soldOn < tail }]
            : [{ !$0.isLate && $0.soldOn < first }, { !$0.isLate && $0.soldOn < tail }, { $0.isLate }]
        var back = UnitsAndValue()
        if terms.isDelayKnown {
            let stated = (older + [{ _ in true }]).map { step in
                { (cohort: Cohort) in cohort.price.isStated && step(cohort) }
            }
            for index in reported.indices where reported[index].soldOn == nil {
                back += take(&reported[index], within: 0, from: stated, isLast: false)
            }
        }
        for (steps, isLast) in [(older, false), ([{ _ in true }], true)] {
            for reach in Self.reaches {
                for index in reported.indices where reported[index].soldOn == nil {
                    back += take(&reported[index], within: reach, from: steps, isLast: isLast)
                }
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
        if uneven.magnitude <= rows {
            outcome.rounding = price < 0 ? min(0, max(price, uneven)) : max(0, min(price, uneven))
        }
        outcome.priceDifference = price &- outcome.rounding
    }
}

/// Which price of the ledger's may be which of Apple's.
extension Transit {
    /// How far apart they may be, step by step: not at all; by rounding; in any way.
    private static let reaches: [UInt64] = [0, 1, .max]

    private func isStated(_ price: Int64) -> Bool { (-1...1).contains { prices.contains(price &+ $0) } }

    /// A price that Apple's records state is only itself. An estimate and a price that the ledger does not know may be any; a
    /// share of a price as well, but not a stated price that is higher.
    private func isWithin(_ reach: UInt64, _ price: PiecePrice, of apples: Int64) -> Bool {
        (price.minor &- apples).magnitude <= min(reach, 1)
            || reach == .max
                && !(isStated(apples) && (price.isStated || price.isShare && apples > price.minor))
    }

    /// Whether Apple reports more units at a price than are left at it, where that cannot be another way to count.
    private func isExceeded(by reported: [AppleUnits]) -> Bool {
        Dictionary(grouping: reported, by: \.price).contains { price, units in
            isStated(price)
                && units.total.units > (cohorts + lost).filter { isWithin(.max, $0.price, of: price) }.total.units
        }
    }

    /// Whether the value of each day that Apple's rows state is that of its sales.
    private func isEveryDayEqual(_ reported: [AppleUnits]) -> Bool {
        if reported.allSatisfy({ $0.soldOn == nil }) { return true }
        let days = Dictionary(grouping: reported, by: \.soldOn).mapValues(\.total.minor)
        return days == Dictionary(grouping: cohorts, by: { Optional($0.soldOn) }).mapValues(\.total.minor)
    }

    /// Takes units of the nearest prices first; of each price from the oldest parts of the balance that each of `steps` wants,
    /// then, as the last resort, from what was never collected, and from `reserve`.
    ///
    /// - Returns: what was never collected and is reported after all.
    private mutating func take(
        _ own: inout AppleUnits, within reach: UInt64, from steps: [(Cohort) -> Bool], isLast: Bool = true
    ) -> UnitsAndValue {
        var back = UnitsAndValue()
        guard own.sum.units > 0 else { return back }
        let apples = own.price
        let near = Set((cohorts + lost + reserve).map(\.price)).filter { isWithin(reach, $0, of: apples) }.ordered {
            let distances = (($0.minor &- apples).magnitude, ($1.minor &- apples).magnitude)
            return distances.0 == distances.1 ? $0 < $1 : distances.0 < distances.1
        }
        let mayRecall = own.soldOn != nil || terms.isDelayVarying && reach < .max
        for price in near {
            for isWanted in steps {
                take(Self.take(own.sum.units, from: &cohorts) { $0.price == price && isWanted($0) }, for: &own)
            }
            guard isLast else { continue }
            let isWanted = { (cohort: Cohort) in cohort.price == price && steps.contains { $0(cohort) } }
            let found = Self.take(own.sum.units, from: &lost, where: isWanted)
            take(found, for: &own)
            back += found.total
            guard mayRecall else { continue }
            let early = Self.take(own.sum.units, from: &reserve, where: isWanted)
            var open = own
            take(early, for: &own)
            open.sum = open.sum - own.sum
            if own.soldOn == nil, open.sum.units > 0 { withheld.append(open) }
            recalled += early
            recalledNow += early.total
        }
        return back
    }

    /// Counts what is taken as reported. What no whole price explains is uneven.
    private mutating func take(_ found: [Cohort], for own: inout AppleUnits) {
        for part in found {
            let before = own.sum
            own.sum = before - before.part(part.sum.units)
            let apples = before.minor &- own.sum.minor
            let isWhole =
                part.price.isStated && part.sum.minor == part.price.minor &* part.sum.units
                && apples == own.price &* part.sum.units
            let isNear = (part.price.minor &- own.price).magnitude <= 1
            if isNear, !isWhole { uneven &+= part.sum.minor &- apples }
            if isNear { continue }
            var open = own
            if own.soldOn != nil {
                open.sum = UnitsAndValue(minor: apples &- part.sum.minor)
            } else {
                if part.price.isStated || part.price.isShare || !isStated(own.price) { continue }
                open.sum = UnitsAndValue(units: part.sum.units, minor: apples)
            }
            otherPrices.append(open)
        }
    }

    fileprivate static func take(
        _ units: Int64, from cohorts: inout [Cohort], where isWanted: (Cohort) -> Bool
    ) -> [Cohort] {
        var (taken, rest) = ([Cohort](), units)
        guard units > 0 else { return [] }
        for index in cohorts.indices where rest > 0 && isWanted(cohorts[index]) {
            var part = cohorts[index]
            part.sum = part.sum.part(min(rest, part.sum.units))
            cohorts[index].sum = cohorts[index].sum - part.sum
            rest -= part.sum.units
            taken.append(part)
        }
        cohorts.removeAll { $0.sum.units == 0 }
        return taken
    }
}

extension [AppleUnits] {
    var total: UnitsAndValue { reduce(UnitsAndValue()) { $0 + $1.sum } }
}

extension [Transit.Cohort] {
    var total: UnitsAndValue { reduce(UnitsAndValue()) { $0 + $1.sum } }

    /// Itself without the units of others.
    func less(_ others: Self) -> Self {
        var rest = self
        for other in others {
            _ = Transit.take(other.sum.units, from: &rest) {
                $0.soldOn == other.soldOn && $0.price == other.price && $0.edge == other.edge
            }
        }
        return rest
    }

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
