/// What Apple's rows of one period add up to, under one key. Returns are negative.
struct AppleSales {
    /// The day of sale, where the report states it, and the customer price of one piece, in minor units.
    struct Place: Hashable, Comparable {
        var day: BusinessDate?
        var price: Int64

        static func < (left: Self, right: Self) -> Bool {
            (left.day ?? .absent, left.price) < (right.day ?? .absent, right.price)
        }
    }
    /// Units at price 0: promotional codes.
    private(set) var free: Int64 = 0
    private(set) var paid = UnitsAndValue()
    private(set) var rows: Int64 = 0
    /// The parts of `paid`.
    private(set) var places: [Place: UnitsAndValue] = [:]
    /// File and line of the first row of each part.
    private(set) var sources: [Place: String] = [:]
    var isDated: Bool { places.keys.contains { $0.day != nil } }
    /// The units that have a day.
    var days: [AppleDay: Int64] {
        places.reduce(into: [:]) { days, own in
            if let day = own.key.day { days[AppleDay(day: day, price: own.key.price)] = abs(own.value.units) }
        }
    }
    var all: UnitsAndValue { UnitsAndValue(units: paid.units &+ free, minor: paid.minor) }

    mutating func add(_ row: AppleRow) {
        if row.minor == 0 { return free &+= row.units }
        rows += 1
        paid += row.sum
        let price = Int64(clamping: row.minor.magnitude / max(1, row.units.magnitude))
        let place = Place(day: row.soldOn, price: price)
        places[place, default: .zero] += row.sum
        if sources[place] == nil { sources[place] = row.source }
    }
}

/// The ledger's sales or refunds under one key of the bridge, by day. All sums are positive.
struct LedgerDays {
    struct Day {
        /// What Apple should report, with refunds that it took back among the sales.
        var units: PricedUnits = [:]
        var reversed = UnitsAndValue()
        var free: Int64 = 0
        var sum: UnitsAndValue { units.total }
        /// The ledger's own figure, without refunds that were taken back and with free units.
        var all: UnitsAndValue { sum - reversed + UnitsAndValue(units: free) }

        static func += (left: inout Self, right: Self) {
            left.units.merge(right.units, uniquingKeysWith: +)
            left.reversed += right.reversed
            left.free &+= right.free
        }
    }
    private var days: [BusinessDate: Day] = [:]
    /// The prices of one piece that Apple's records of sales and refunds state.
    private(set) var prices: Set<Int64> = []

    static func byKey(_ table: DayTable, together: Set<BridgeKey>) -> [BridgeKey: LedgerDays] {
        var keys: [BridgeKey: LedgerDays] = [:]
        for (place, days) in table {
            func add(_ kind: BridgeLine.Kind, on day: BusinessDate, _ sales: DaySales, own: Day) {
                let key = BridgeKey(
                    place.product, storefront: place.storefront.text, place.currency, kind: kind, together: together)
                keys[key, default: LedgerDays()].add(own, on: day, prices: [sales.sold, sales.refunded])
            }
            for (day, sales) in days {
                add(
                    .sales, on: day, sales,
                    own: Day(
                        units: sales.sold.merging(sales.reversed, uniquingKeysWith: +), reversed: sales.reversed.total,
                        free: sales.freeSold))
                add(.returns, on: day, sales, own: Day(units: sales.refunded, free: sales.freeRefunded))
            }
        }
        return keys
    }

    private mutating func add(_ own: Day, on day: BusinessDate, prices: [PricedUnits]) {
        self.prices.formUnion(prices.joined().map(\.key).filter(\.isStated).map(\.minor))
        guard own.sum != .zero || own.free != 0 else { return }
        days[day, default: Day()] += own
    }

    /// In the order of days, without those on which nothing was sold.
    func days(in span: Range<BusinessDate>) -> [(day: BusinessDate, sum: UnitsAndValue)] {
        days.filter { span.contains($0.key) && $0.value.sum != .zero }.ordered().map { ($0.key, $0.value.sum) }
    }

    /// The same by price, and apart from the others what is near another day of Apple's.
    ///
    /// - Parameter start: the first hour that counts, by the clock.
    func cohorts(in span: Range<BusinessDate>, by clock: AppleClock, from start: Int64 = .min) -> [Transit.Cohort] {
        days.filter { span.contains($0.key) }.ordered().flatMap { day, own in
            var parts: [PiecePrice: [Int: UnitsAndValue]] = [:]
            for (price, sum) in own.units where (price.hour.map(clock.shown) ?? Int64(day.day) * 24) >= start {
                var plain = price
                plain.hour = nil
                parts[plain, default: [:]][price.hour.map(clock.edge) ?? 0, default: .zero] += sum
            }
            return parts.ordered().flatMap { price, edges in
                edges.ordered().map { Transit.Cohort(soldOn: day, price: price, edge: $0, sum: $1) }
            }
        }
    }

    /// The units of each hour, by price.
    func sums(
        _ clock: KeyPath<SaleHour, Int64>, where isWanted: (PiecePrice) -> Bool = { _ in true }
    ) -> [Int64: RunningSum] {
        let sold = days.flatMap { day, own in
            own.units.filter { isWanted($0.key) }.map { price, sum in
                (hour: price.hour?[keyPath: clock] ?? Int64(day.day) * 24, price: price.minor, units: sum.units)
            }
        }
        return Dictionary(grouping: sold, by: \.price).mapValues { RunningSum($0.map { ($0.hour, $0.units) }) }
    }

    /// The units of each of Apple's days, by price.
    func units(by clock: AppleClock) -> [AppleDay: Int64] {
        days.reduce(into: [:]) { units, own in
            for (price, sum) in own.value.units {
                let day = price.hour.map(clock.day) ?? own.key
                units[AppleDay(day: day, price: price.minor), default: 0] += sum.units
            }
        }
    }

    /// The same by Apple's days.
    func dated(by clock: AppleClock) -> LedgerDays {
        if clock == .business { return self }
        var moved = LedgerDays()
        moved.prices = prices
        for (day, own) in days {
            moved.days[day, default: Day()] += Day(reversed: own.reversed, free: own.free)
            for (price, sum) in own.units {
                moved.days[price.hour.map(clock.day) ?? day, default: Day()].units[price, default: .zero] += sum
            }
        }
        return moved
    }

    func total(in span: ClosedRange<BusinessDate>) -> Day {
        days.reduce(into: Day()) { total, day in
            if span.contains(day.key) { total += day.value }
        }
    }
}
