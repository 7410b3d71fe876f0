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
        let country = Countries.twoLetters[storefront] ?? storefront
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
    let months: AppleMonths
    private let month: Period
    /// All products that ever occurred in the ledger.
    private let known: Set<Identifier>
    private let ledger: [BridgeKey: LedgerDays]
    let clocks: (common: AppleClock, own: [BridgeKey: AppleClock])
    private let apple: [[BridgeKey: AppleSales]]
    /// Of lines without dated rows.
    private(set) var steady: [BridgeKey: SteadyDelay] = [:]
    /// Of a currency and kind: what its lines show together.
    private(set) var votes: [String: SteadyDelay.Vote] = [:]
    private(set) var shared = SteadyDelay.Shared([])
    /// For each period, by currency and kind.
    private var totals: [[Currency: [BridgeLine.Kind: TransitLine]]]
    /// For each earlier period, what it leaves of each line.
    private var left: [[BridgeLine]]
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
        left = Array(repeating: [], count: months.periods.count - 1)
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
        clocks = AppleClock.clocks(
            for: apple.reduce(into: [:]) { days, sales in
                for (key, own) in sales where own.isDated {
                    days[key, default: [:]].merge(own.days, uniquingKeysWith: +)
                }
            }, ledger)
        for (key, own) in ledger where known.contains(key.product) && apple.allSatisfy({ $0[key]?.isDated != true }) {
            let delay = SteadyDelay(windows(of: key), own)
            steady[key] = delay
        }
        votes = Dictionary(grouping: steady, by: { $0.key.currency.text + $0.key.kind.rawValue })
            .mapValues { SteadyDelay.Vote($0.map(\.value)) }
        shared = SteadyDelay.Shared(Array(steady.values))
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
        bridge.summed = Set(months.own.rows.filter { $0.soldOn == nil }.map(\.currency)).ordered()
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
        bridge.changes = months.changes(since: bridge.rollForward)
        bridge.unsigned = months.unsigned(left)
        bridge.proceeds = months.own.proceeds
        bridge.payout = months.payout?.tied(to: months.own)
    }

    private mutating func line(_ key: BridgeKey) -> BridgeLine {
        // Sums of returns are positive here and negative in the line.
        let sign: Int64 = key.kind == .returns ? -1 : 1
        let (own, apple) = (ledger[key] ?? LedgerDays(), self.apple[months.periods.count - 1][key] ?? AppleSales())
        let rolled = rolled(key, own, sign: sign)
        let period = rolled.own.total(in: months.own.first...months.own.last)
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
                if index < left.count {
                    left[index].append(
                        BridgeLine(key, unexplained: .zero, steps: [.unknownProduct: reported.times(-1)]))
                }
            }
            line.explain(.unknownProduct, period.all.times(sign) - line.apple)
            return line
        }
        line.explain(.free, UnitsAndValue(units: sign &* period.free &- apple.free))
        line.explain(.refundReversed, period.reversed.times(-1))
        explain(rolled, of: key, sign: sign, in: &line)
        return line
    }

    /// What each period of a key moved.
    func movements(_ key: BridgeKey, _ own: LedgerDays, by clock: AppleClock, sign: Int64) -> [Transit.Movement] {
        months.periods.enumerated().map { index, period in
            let reported = apple[index][key] ?? AppleSales()
            var movement = Transit.Movement()
            movement.sold = own.cohorts(in: period.first..<period.last.advanced(by: 1), by: clock)
            movement.reported = reported.places.ordered().map { place, sum in
                AppleUnits(
                    soldOn: place.day, price: place.price, source: reported.sources[place] ?? "", sum: sum.times(sign))
            }
            movement.rows = reported.rows
            if index == 0 {
                movement.before = own.cohorts(
                    in: period.first.advanced(by: -settlementDays)..<period.first, by: clock)
            }
            movement.isReported = period.currencies.contains(key.currency)
            return movement
        }
    }

    private func windows(of key: BridgeKey) -> [SteadyDelay.Window] {
        zip(months.periods, apple).map { period, sales in
            SteadyDelay.Window(
                hours: Int64(period.first.day) * 24..<(Int64(period.last.day) + 1) * 24,
                units: (sales[key]?.places ?? [:]).reduce(into: [:]) {
                    $0[$1.key.price, default: 0] &+= key.kind == .returns ? 0 &- $1.value.units : $1.value.units
                })
        }
    }

    /// Explains the month's line by its last period, and adds all of them to the totals.
    private mutating func explain(_ rolled: Rolled, of key: BridgeKey, sign: Int64, in line: inout BridgeLine) {
        let transit = rolled.transit
        if rolled.isDelayFound || rolled.terms.isDelayVarying { delays.found.insert(key) }
        for (index, period) in months.periods.enumerated() {
            let (movement, outcome) = (rolled.movements[index], rolled.steps[index].outcome)
            addTotal(of: key, inPeriod: index) { total in
                total.opening += outcome.opening.times(sign)
                total.sold += movement.sold.total.times(sign)
                total.reported += movement.reported.total.times(sign)
                total.neverCollected += outcome.neverCollected.times(sign)
                total.price.minor &+= sign &* (outcome.priceDifference &+ outcome.rounding)
                total.unexplained += outcome.unexplained.times(sign)
                total.closing += outcome.closing.times(sign)
            }
            // If a report dates its sales, nothing has to be guessed.
            if movement.reported.allSatisfy({ $0.soldOn == nil }) {
                delays.add(key, period, inTransit: rolled.steps[index].ordinary, of: rolled.own)
            }
            guard index == months.periods.count - 1 else {
                let steps = [
                    BridgeStep.neverCollected: outcome.neverCollected.times(sign),
                    .priceDifference: UnitsAndValue(minor: sign &* outcome.priceDifference),
                ]
                left[index].append(BridgeLine(key, unexplained: outcome.unexplained.times(sign), steps: steps))
                continue
            }
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
            func named(_ units: [AppleUnits], isWithheld: Bool? = nil) -> [InExcess] {
                units.map {
                    InExcess(
                        soldOn: $0.soldOn, price: $0.price, source: $0.source, sum: $0.sum.times(sign),
                        isWithheld: isWithheld)
                }
            }
            line.inExcess = named(transit.inExcess)
            line.undecided =
                named(transit.otherPrices)
                + rolled.withheld.flatMap { own in
                    named([own], isWithheld: rolled.movements[0].before.contains { $0.price.minor == own.price })
                }
        }
    }

    private mutating func addTotal(of key: BridgeKey, inPeriod index: Int, _ add: (inout TransitLine) -> Void) {
        let period = months.periods[index]
        let new = TransitLine(first: period.first, last: period.last, currency: key.currency, kind: key.kind)
        add(&totals[index][key.currency, default: [:]][key.kind, default: new])
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
