/// The hour of a sale, in whole hours since 1970 began, as clocks show it.
struct SaleHour: Hashable, Sendable {
    /// In the business time zone.
    var local: Int64
    /// In Apple's own.
    var pacific: Int64

    private static let pacific = Zone("America/Los_Angeles") ?? .utc

    init(_ instant: Instant, in zone: Zone) {
        func hour(_ zone: Zone) -> Int64 {
            (instant.milliseconds &+ zone.offset(at: instant)).flooredDivision(by: 3_600_000)
        }
        (local, pacific) = (hour(zone), hour(Self.pacific))
    }
}

/// When Apple's days begin. Apple does not say in which time zone they are, so the ledger's own instants must tell.
struct AppleClock: Hashable, Sendable {
    private(set) var isPacific = false
    /// How many hours earlier than the business time zone's days they begin.
    var hours: Int64 = 0

    static let business = Self()
    /// The one whose days begin last.
    static let latest = Self(hours: -16)
    /// Those nearest to the business time zone come first.
    private static let all =
        [business] + (1...16).flatMap { [Self(hours: -$0), Self(hours: $0)] } + [Self(isPacific: true)]

    func shown(_ hour: SaleHour) -> Int64 { (isPacific ? hour.pacific : hour.local) + hours }

    func day(of hour: SaleHour) -> BusinessDate {
        BusinessDate(day: Int32(clamping: shown(hour).flooredDivision(by: 24)))
    }

    /// The day before or after, as −1 or 1, where the sale is within two hours of it: where clocks are changed, Apple's
    /// day may begin an hour earlier or later.
    func edge(of hour: SaleHour) -> Int {
        let hour = shown(hour) - shown(hour).flooredDivision(by: 24) * 24
        return hour < 2 ? -1 : hour >= 22 ? 1 : 0
    }

    /// The clock by which every unit of Apple's dated rows is a sale of the ledger's, at the same price; else the one by which
    /// the fewest units differ; and Apple's units that match no sale. Where sales fall, those of the day before make
    /// up for a loss, but on other days more of them are left.
    ///
    /// - Parameter apple: units by day and price.
    static func best(
        for apple: [BridgeKey: [AppleDay: Int64]], _ ledger: [BridgeKey: LedgerDays]
    ) -> (clock: Self, missing: Int64) {
        var best = (clock: Self.business, missing: Int64.max)
        var least = Int64.max
        for clock in all where least > 0 {
            let missing = clock.missing(in: apple, ledger)
            let differing = missing == 0 ? 0 : missing &+ clock.surplus(beyond: apple, ledger)
            if differing < least { (best, least) = ((clock: clock, missing: missing), differing) }
        }
        return best
    }

    /// One clock for all lines, and those of lines that go by another one: where it leaves at most a quarter of four units or
    /// more. A line of fewer may fit by chance.
    static func clocks(
        for apple: [BridgeKey: [AppleDay: Int64]], _ ledger: [BridgeKey: LedgerDays]
    ) -> (common: Self, own: [BridgeKey: Self]) {
        let common = best(for: apple, ledger).clock
        var clocks: [BridgeKey: Self] = [:]
        for (key, days) in apple {
            let missing = common.missing(in: [key: days], ledger)
            if missing < 4 { continue }
            let own = best(for: [key: days], ledger)
            if own.missing <= missing / 4 { clocks[key] = own.clock }
        }
        return (common, clocks)
    }

    private func missing(in apple: [BridgeKey: [AppleDay: Int64]], _ ledger: [BridgeKey: LedgerDays]) -> Int64 {
        apple.reduce(0) { sum, own in
            let sold = ledger[own.key]?.units(by: self) ?? [:]
            return own.value.reduce(sum) { $0 &+ max(0, $1.value &- (sold[$1.key] ?? 0)) }
        }
    }

    /// The ledger's units that Apple's dated rows lack. In the first and the last days, other reports may have them.
    private func surplus(beyond apple: [BridgeKey: [AppleDay: Int64]], _ ledger: [BridgeKey: LedgerDays]) -> Int64 {
        apple.reduce(0) { sum, own in
            let days = own.value.keys.map(\.day)
            guard let first = days.min()?.advanced(by: settlementDays), let last = days.max() else { return sum }
            let inner = first..<max(first, last.advanced(by: -settlementDays))
            return (ledger[own.key]?.units(by: self) ?? [:]).reduce(sum) {
                inner.contains($1.key.day) ? $0 &+ max(0, $1.value &- (own.value[$1.key] ?? 0)) : $0
            }
        }
    }
}

/// What Apple's rows and the ledger's sales have in common: the day, and the price of a piece in minor units.
struct AppleDay: Hashable {
    var day: BusinessDate
    var price: Int64
}

/// By how many hours Apple lists a line's sales later, where no report states the days.
///
/// If Apple always takes the same time, each of its periods is a window of the ledger's own hours.
struct SteadyDelay {
    /// One of Apple's periods, with its units by price.
    struct Window {
        var hours: Range<Int64>
        var units: [Int64: Int64]
    }
    /// A delay: so many hours later by this clock.
    struct Choice: Hashable {
        var clock = AppleClock.business
        var hours: Int64 = 0
    }
    /// None, and all others, the nearest first.
    static let choices: [Choice] =
        [Choice()]
        + (1...Int64(settlementDays * 24)).flatMap { distance in
            [Choice(hours: distance)] + (distance <= 16 ? [Choice(clock: AppleClock(hours: -distance))] : [])
        } + (0...Int64(settlementDays)).map { Choice(clock: AppleClock(isPacific: true), hours: $0 * 24) }
    private let windows: [Window]
    /// What the ledger sold by price; of it, what has no price of Apple's.
    private struct Sums {
        let sold: [Int64: RunningSum]
        let estimates: [Int64: RunningSum]

        init(_ ledger: LedgerDays, _ clock: KeyPath<SaleHour, Int64>) {
            sold = ledger.sums(clock)
            estimates = ledger.sums(clock) { !$0.isStated && !$0.isShare }
        }
    }
    private let sums: (local: Sums, pacific: Sums)
    /// The units that differ by each choice.
    private(set) var misfits: [Int64] = []
    /// The choice that leaves the fewest.
    let best: Int
    /// Apple takes now longer, now shorter: what is in transit rises again, and sums cannot tell it from a loss. A balance
    /// that only falls is a loss.
    private(set) var isVarying = false

    init(_ windows: [Window], _ ledger: LedgerDays) {
        (self.windows, sums) = (windows, (Sums(ledger, \.local), Sums(ledger, \.pacific)))
        var least: (index: Int, units: [Int64])?
        for index in Self.choices.indices {
            let units = Self.differences(Self.choices[index], windows, sums).map {
                $0.values.reduce(0) { $0 &+ abs($1) }
            }
            misfits.append(units.reduce(0, &+))
            if misfits[index] < least?.units.reduce(0, &+) ?? .max { least = (index: index, units: units) }
        }
        best = least?.index ?? 0
        let rises = differences(0).contains { $0.values.reduce(0, &+) < 0 }
        isVarying = rises && windows.count > 1 && (least?.units ?? []).filter { $0 != 0 }.count * 2 > windows.count
    }

    /// Every period is exactly the ledger's, later.
    var isExact: Bool { misfits[best] == 0 }

    /// The nearest delay by which it is, other than those that another line refutes.
    func exact(without refuted: Set<Int>) -> Int? {
        misfits.indices.first { misfits[$0] == 0 && !refuted.contains($0) }
    }

    /// Its own best delay leaves at most a quarter of the units that another one leaves: sums cannot tell this from a loss.
    func isFarBetter(than choice: Int) -> Bool { misfits[best] <= misfits[choice] / 4 }
    /// A delay that explains less than half of the difference is a coincidence.
    var own: Int? { misfits[best] <= misfits[0] / 2 ? best : nil }

    /// Of four periods or more, all show it exactly but one, which is neither the first nor one of the last two, and in which
    /// units are missing only: how long Apple takes is known.
    var isShownByPeriods: Bool {
        let periods = differences(best).map { $0.values.filter { $0 != 0 } }
        let others = periods.indices.filter { !periods[$0].isEmpty }
        return periods.count > 3 && others.count == 1 && (1..<periods.count - 2).contains(others[0])
            && periods[others[0]].allSatisfy { $0 < 0 }
    }

    /// How many units more Apple has than the ledger, by period and price. An estimate may be of another price.
    func differences(_ choice: Int) -> [[Int64: Int64]] { Self.differences(Self.choices[choice], windows, sums) }

    private static func differences(
        _ choice: Choice, _ windows: [Window], _ sums: (local: Sums, pacific: Sums)
    ) -> [[Int64: Int64]] {
        let own = choice.clock.isPacific ? sums.pacific : sums.local
        let delay = choice.hours + choice.clock.hours
        return windows.map { window in
            let (until, from) = (window.hours.upperBound - delay, window.hours.lowerBound - delay)
            var units = own.sold.reduce(into: window.units) { units, sold in
                units[sold.key, default: 0] &-= sold.value.before(until) &- sold.value.before(from)
            }
            for (price, estimates) in own.estimates.ordered() {
                var rest = min(0 &- (units[price] ?? 0), estimates.before(until) &- estimates.before(from))
                for (other, more) in units.ordered() where rest > 0 && more > 0 {
                    let part = min(rest, more)
                    units[other, default: 0] &-= part
                    units[price, default: 0] &+= part
                    rest &-= part
                }
            }
            return units
        }
    }

    /// Without a delay, what is missing is missing in a period before one that is exact, and no period has more: a loss.
    var isLoss: Bool {
        let periods = differences(0).map { $0.values.filter { $0 != 0 } }
        guard let last = periods.lastIndex(where: { !$0.isEmpty }), last < periods.count - 1 else { return false }
        return periods.joined().allSatisfy { $0 < 0 }
    }

    /// By period, how many units more Apple has than the ledger, as far as no other period has fewer.
    func excess(_ choice: Int) -> [Int64] {
        var (sum, sums): (Int64, [Int64]) = (0, [])
        for units in differences(choice) {
            sum &+= units.values.reduce(0, &+)
            sums.append(sum)
        }
        let least = sums.indices.map { max(0, sums[$0...].min() ?? 0) }
        return least.indices.map { least[$0] &- ($0 > 0 ? least[$0 - 1] : 0) }
    }

    /// The same by price, at most so many of each period.
    func excess(_ choice: Int, most: [Int64]) -> [[Int64: Int64]] {
        zip(differences(choice), zip(excess(choice), most)).map { units, rest in
            var rest = min(rest.0, rest.1)
            return units.filter { $0.value > 0 }.sorted { $0.key < $1.key }.reduce(into: [:]) { held, own in
                held[own.key] = min(own.value, rest)
                rest &-= min(own.value, rest)
            }
        }
    }

    /// What lines show together.
    struct Vote {
        /// The delays that most lines show exactly, in which the units differ in earnest.
        private(set) var common: [Int] = []
        /// Those by which the units of a line that fits without a delay differ in earnest: others fit by chance.
        private(set) var refuted: Set<Int> = []

        init(_ lines: [SteadyDelay]) {
            let without = lines.filter { $0.misfits[0] == 0 }
            refuted = Set(choices.indices.filter { index in without.contains { $0.misfits[index] >= 10 } })
            let exact = lines.filter { line in
                line.isExact && (line.misfits[0] >= 10 || line.misfits[0] == 0 && line.misfits.contains { $0 >= 10 })
            }
            let votes = choices.indices.map { index in
                refuted.contains(index) ? 0 : exact.filter { $0.misfits[index] == 0 }.count
            }
            let most = votes.max() ?? 0
            if most > 0 { common = votes.indices.filter { votes[$0] == most } }
        }
    }
}

extension SteadyDelay {
    /// What lines of all currencies show together: Apple's clock.
    struct Shared {
        /// The choices that most lines fit exactly, where these are half of the lines or more that differ without a delay, and
        /// at least two: with the units by which they do.
        private var units: [(choice: Int, units: Int64)] = []
        var isEmpty: Bool { units.isEmpty }

        init(_ lines: [SteadyDelay]) {
            let differing = lines.filter { $0.misfits[0] > 0 }
            let counts = choices.indices.map { index in lines.reduce(0) { $1.misfits[index] == 0 ? $0 + 1 : $0 } }
            let most = counts.max() ?? 0
            for index in choices.indices where counts[index] == most {
                let exact = differing.filter { $0.misfits[index] == 0 }
                if exact.count > 1, exact.count * 2 >= differing.count {
                    units.append((index, exact.reduce(0) { $0 &+ $1.misfits[0] }))
                }
            }
        }

        /// The one of them by which a line differs no more than by its own best, and which explains 10 units or more.
        func choice(of line: SteadyDelay) -> Int? {
            guard line.own != nil else { return nil }
            return units.first { choice, units in
                line.misfits[choice] == line.misfits[line.best]
                    && units &+ line.misfits[0] &- line.misfits[choice] >= 10
            }?.choice
        }
    }
}

/// How many units were sold before an hour.
struct RunningSum {
    private var hours: [Int64] = []
    private var sums: [Int64] = [0]

    init(_ sold: [(hour: Int64, units: Int64)]) {
        for sale in sold.sorted(by: { $0.hour < $1.hour }) {
            hours.append(sale.hour)
            sums.append(sums[sums.count - 1] &+ sale.units)
        }
    }

    func before(_ hour: Int64) -> Int64 { sums[hours.partitioningIndex { $0 >= hour }] }
}
