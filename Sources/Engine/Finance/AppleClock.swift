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
    private var isPacific = false
    /// How many hours earlier than the business time zone's days they begin.
    var hours: Int64 = 0

    static let business = Self()
    /// Those nearest to the business time zone come first.
    private static let all =
        [business] + (1...16).flatMap { [Self(hours: -$0), Self(hours: $0)] } + [Self(isPacific: true)]

    init(isPacific: Bool = false, hours: Int64 = 0) {
        self.isPacific = isPacific
        self.hours = hours
    }

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

    /// The clock by which most units of Apple's dated rows are sales of the ledger's, at the same price; and the units that
    /// are not.
    ///
    /// - Parameter apple: units by day and price.
    static func best(
        for apple: [BridgeKey: [AppleDay: Int64]], _ ledger: [BridgeKey: LedgerDays]
    ) -> (clock: Self, missing: Int64) {
        var best = (clock: Self.business, missing: Int64.max)
        for clock in all where best.missing > 0 {
            let missing = clock.missing(in: apple, ledger)
            if missing < best.missing { best = (clock: clock, missing: missing) }
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
    /// Nil where no delay explains the periods.
    private(set) var clock: AppleClock?
    /// How much later by this clock.
    private(set) var hours: Int64 = 0
    /// Apple takes now longer, now shorter: what is in transit rises again, and sums cannot tell it from a loss. A balance
    /// that only falls is a loss.
    private(set) var isVarying = false

    init(_ windows: [Window], _ ledger: LedgerDays) {
        func misfits(_ delay: Int64, _ sums: [Int64: RunningSum]) -> [Int64] {
            windows.map { window in
                Set(window.units.keys).union(sums.keys).reduce(0) { found, price in
                    let own = sums[price].map { $0.before(window.hours.upperBound - delay) } ?? 0
                    let early = sums[price].map { $0.before(window.hours.lowerBound - delay) } ?? 0
                    return found &+ abs((window.units[price] ?? 0) &- (own &- early))
                }
            }
        }
        let (local, pacific) = (ledger.sums(\.local), ledger.sums(\.pacific))
        let own = misfits(0, local)
        var best = (clock: AppleClock.business, delay: Int64(0), misfits: own)
        func look(_ clock: AppleClock, _ delay: Int64, _ found: [Int64]) {
            if found.reduce(0, &+) < best.misfits.reduce(0, &+) { best = (clock: clock, delay: delay, misfits: found) }
        }
        for distance in 1...Int64(settlementDays * 24) {
            look(.business, distance, misfits(distance, local))
            if distance <= 16 { look(AppleClock(hours: -distance), 0, misfits(-distance, local)) }
        }
        for day in 0...Int64(settlementDays) {
            look(AppleClock(isPacific: true), day * 24, misfits(day * 24, pacific))
        }
        // A delay that explains less than most of the difference is a coincidence.
        if best.misfits.reduce(0, &+) <= own.reduce(0, &+) / 4 { (clock, hours) = (best.clock, best.delay) }
        let rises = windows.contains { window in
            let sold = local.values.reduce(0) {
                $0 &+ $1.before(window.hours.upperBound) &- $1.before(window.hours.lowerBound)
            }
            return sold > window.units.values.reduce(0, &+)
        }
        isVarying = rises && windows.count > 1 && best.misfits.filter { $0 != 0 }.count * 2 > windows.count
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
