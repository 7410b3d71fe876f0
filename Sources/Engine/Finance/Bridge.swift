/// What one line of the bridge is about. Without a country, it is about all countries together: Apple's report has a country
/// for each sale, and the ledger has none for a purchase whose storefront is not on record.
struct BridgeKey: Hashable, Comparable {
    var product: Identifier
    var country: String
    var currency: Currency
    var kind: BridgeLine.Kind

    static func < (left: Self, right: Self) -> Bool {
        if left.product != right.product { return left.product < right.product }
        return (left.country, left.currency, left.kind) < (right.country, right.currency, right.kind)
    }
}

extension BridgeKey {
    /// - Parameter together: the products of a currency whose countries are compared together.
    init(
        _ product: Identifier, storefront: String, _ currency: Currency, kind: BridgeLine.Kind,
        together: Set<BridgeKey>
    ) {
        // A storefront of unknown country keeps its own code.
        let country = Countries.twoLetters(storefront) ?? storefront
        self.init(product: product, country: country, currency: currency, kind: kind)
        self = compared(together)
    }

    /// Itself, or the line of all countries that it belongs to.
    func compared(_ together: Set<BridgeKey>) -> BridgeKey {
        var all = self
        (all.country, all.kind) = ("", .sales)
        guard together.contains(all) else { return self }
        all.kind = kind
        return all
    }

    init(_ row: AppleRow) {
        self.init(product: Identifier(row.product), country: row.country, currency: row.currency, kind: row.kind)
    }

    init(_ line: BridgeLine) {
        self.init(product: Identifier(line.product), country: line.country, currency: line.currency, kind: line.kind)
    }
}

/// Compares the month with Apple's reports: one line for each product, country, currency and kind (sale or return).
/// See docs/spec/app-store.md#bridge.
///
/// Apple's files contain no transaction ids, so only sums can be compared. They are sums of customer prices, because a
/// signed transaction does not state the proceeds.
///
/// Where some purchases of a product in a currency have no storefront, all its countries are one line.
///
/// How a line's difference (ledger less Apple) is explained:
///
/// - `fiscalDays` is what the ledger's month has more than the ledger has for Apple's period. It is exact, because both
///   sums come from the ledger.
/// - `free` is the units at price 0. Apple reports only payments that it can collect, and promotional codes.
/// - `refundReversed` is what Apple lists as sold again because it took a refund back.
/// - For a product that never occurred in the ledger, the rest is `unknownProduct`.
/// - For other products, `Transit` rolls what is sold and not reported forward from Apple's earlier periods. The rest is
///   what the balance in transit changed by, what was never collected, and a difference of prices.
/// - What is left is the line's `unexplained` part: Apple reported more than was ever sold.
struct BridgeMaker {
    private let months: AppleMonths
    private let month: Period
    /// All products that ever occurred in the ledger.
    private let known: Set<Identifier>
    private let ledger: [BridgeKey: LedgerDays]
    private let apple: [[BridgeKey: AppleSales]]
    /// For each period, by currency and kind.
    private var totals: [[Currency: [BridgeLine.Kind: TransitLine]]]
    private var delays = Delays()
    /// The bridge, with the payment.
    private(set) var bridge = AppleBridge(files: [], lines: [])

    /// - Parameters:
    ///   - days: the ledger's sales of `months.days(with: month)`.
    ///   - known: all products that ever occurred in the ledger.
    init(_ months: AppleMonths, month: Period, days: DayTable, known: Set<Identifier>) {
        self.months = months
        self.month = month
        self.known = known
        totals = Array(repeating: [:], count: months.periods.count)
        let together = Set(
            days.keys.filter { $0.storefront.text.isEmpty }.map {
                BridgeKey(product: $0.product, country: "", currency: $0.currency, kind: .sales)
            })
        ledger = LedgerDays.byKey(days, together: together)
        apple = months.periods.map { period in
            period.rows.reduce(into: [:]) { sums, row in
                sums[BridgeKey(row).compared(together), default: AppleSales()].add(row)
            }
        }
        build()
    }

    private mutating func build() {
        for key in apple.reduce(Set(ledger.keys), { $0.union($1.keys) }).ordered() {
            let line = line(key)
            // Without a figure for the month's period, the key is one of earlier periods only.
            if line != BridgeLine(key) { bridge.lines.append(line) }
        }
        delays.mark(&bridge.lines)
        bridge.files = months.files
        bridge.isPeriodStated = months.isPeriodStated
        // If the ledger sold something in the days before, some of it may have been in transit.
        let first = months.periods[0].first
        if !months.isLongEnough,
            ledger.values.contains(where: { !$0.days(in: first.advanced(by: -settlementDays)..<first).isEmpty })
        {
            bridge.earlierMissing = first
        }
        bridge.rollForward = totals.flatMap { $0.values.flatMap(\.values) }.ordered {
            ($0.first, $0.currency, $0.kind) < ($1.first, $1.currency, $1.kind)
        }
        bridge.proceeds = months.own.proceeds
        bridge.payout = months.payout?.tied(to: months.own)
    }

    private mutating func line(_ key: BridgeKey) -> BridgeLine {
        // Sums of returns are positive here and negative in the line.
        let sign: Int64 = key.kind == .returns ? -1 : 1
        let (own, apple) = (ledger[key] ?? LedgerDays(), self.apple[months.periods.count - 1][key] ?? AppleSales())
        let period = own.total(in: months.own.first...months.own.last)
        var line = BridgeLine(key)
        line.ledger = own.total(in: month.first...month.last).all.times(sign)
        line.apple = apple.all
        line.explain(.fiscalDays, line.ledger - period.all.times(sign))
        guard known.contains(key.product) else {
            for index in self.apple.indices {
                let reported = self.apple[index][key]?.all ?? UnitsAndValue()
                addTotal(of: key, inPeriod: index) {
                    $0.reported += reported
                    $0.unknownProduct += reported.times(-1)
                }
            }
            line.explain(.unknownProduct, period.all.times(sign) - line.apple)
            return line
        }
        line.explain(.free, UnitsAndValue(units: sign &* period.free &- apple.free))
        line.explain(.refundReversed, period.reversed.times(-1))
        roll(key, own, sign: sign, into: &line)
        return line
    }

    /// Rolls the key's balance forward over all periods, and explains the month's by the last one.
    private mutating func roll(_ key: BridgeKey, _ own: LedgerDays, sign: Int64, into line: inout BridgeLine) {
        var transit = Transit(prices: own.prices, collectDays: months.collectDays)
        for (index, period) in months.periods.enumerated() {
            let reported = apple[index][key] ?? AppleSales()
            var movement = Transit.Movement()
            movement.sold = own.cohorts(in: period.first..<period.last.advanced(by: 1))
            movement.reported = reported.places.ordered().map { place, sum in
                AppleUnits(soldOn: place.day, price: place.price, sum: sum.times(sign))
            }
            movement.rows = reported.rows
            if index == 0 {
                movement.before = own.cohorts(in: period.first.advanced(by: -settlementDays)..<period.first)
            }
            movement.isReported = period.currencies.contains(key.currency)
            let outcome = transit.roll(movement, from: period.first, until: period.last)
            addTotal(of: key, inPeriod: index) { total in
                total.opening += outcome.opening.times(sign)
                total.sold += movement.sold.total.times(sign)
                total.reported += movement.reported.total.times(sign)
                total.neverCollected += outcome.neverCollected.times(sign)
                total.price.minor &+= sign &* (outcome.priceDifference &+ outcome.rounding)
                total.unexplained += outcome.unexplained.times(sign)
                total.closing += outcome.closing.times(sign)
            }
            delays.add(key, period, inTransit: transit.ordinary.units, of: own)
            guard index == months.periods.count - 1 else { continue }
            line.explain(.openingInTransit, outcome.opening.times(-sign))
            line.explain(.closingInTransit, outcome.closing.times(sign))
            line.explain(.neverCollected, outcome.neverCollected.times(sign))
            line.explain(.priceDifference, UnitsAndValue(minor: sign &* outcome.priceDifference))
            line.explain(.rounding, UnitsAndValue(minor: sign &* outcome.rounding))
            line.aging = transit.aging.map { part in
                var part = part
                part.sum = part.sum.times(sign)
                return part
            }
        }
    }

    private mutating func addTotal(of key: BridgeKey, inPeriod index: Int, _ add: (inout TransitLine) -> Void) {
        let period = months.periods[index]
        let new = TransitLine(first: period.first, last: period.last, currency: key.currency, kind: key.kind)
        add(&totals[index][key.currency, default: [:]][key.kind, default: new])
    }
}

/// What Apple's rows of one period add up to, under one key. Returns are negative.
private struct AppleSales {
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
    var all: UnitsAndValue { UnitsAndValue(units: paid.units &+ free, minor: paid.minor) }

    mutating func add(_ row: AppleRow) {
        if row.minor == 0 { return free &+= row.units }
        rows += 1
        paid += row.sum
        let price = Int64(clamping: row.minor.magnitude / max(1, row.units.magnitude))
        places[Place(day: row.soldOn, price: price), default: .zero] += row.sum
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

    /// The same by price.
    func cohorts(in span: Range<BusinessDate>) -> [Transit.Cohort] {
        days.filter { span.contains($0.key) }.ordered().flatMap { day, own in
            own.units.ordered().map { Transit.Cohort(soldOn: day, price: $0.key, sum: $0.value) }
        }
    }

    func total(in span: ClosedRange<BusinessDate>) -> Day {
        days.reduce(into: Day()) { total, day in
            if span.contains(day.key) { total += day.value }
        }
    }
}

extension UnitsAndValue {
    /// Itself, or its negative for −1.
    fileprivate func times(_ sign: Int64) -> UnitsAndValue {
        UnitsAndValue(units: units &* sign, minor: minor &* sign)
    }
}

extension BridgeLine {
    /// A line without any figure.
    init(_ key: BridgeKey) {
        self.init(product: key.product.text, country: key.country, currency: key.currency, kind: key.kind)
    }

    /// Records a step, unless it explains nothing.
    fileprivate mutating func explain(_ step: BridgeStep, _ sum: UnitsAndValue) {
        if sum != UnitsAndValue() { steps[step] = sum }
    }
}
