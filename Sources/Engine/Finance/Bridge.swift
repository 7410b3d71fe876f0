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
    private let months: AppleMonths
    private let month: Period
    /// All products that ever occurred in the ledger.
    private let known: Set<Identifier>
    private let ledger: [BridgeKey: LedgerDays]
    private let clocks: (common: AppleClock, own: [BridgeKey: AppleClock])
    private let apple: [[BridgeKey: AppleSales]]
    /// Of lines without dated rows.
    private var steady: [BridgeKey: SteadyDelay] = [:]
    /// Of a currency and kind: what its lines show together.
    private var votes: [String: SteadyDelay.Vote] = [:]
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
        if months.own.rows.contains(where: { $0.soldOn == nil }) { bridge.isBySums = true }
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
        let changes = months.changes(since: bridge.rollForward)
        bridge.changes = changes.isEmpty ? nil : changes
        let unsigned = months.unsigned(left)
        bridge.unsigned = unsigned.isEmpty ? nil : unsigned
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
    private func movements(_ key: BridgeKey, _ own: LedgerDays, by clock: AppleClock, sign: Int64) -> [Transit.Movement]
    {
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

    /// A key's balance, rolled forward over all periods.
    private struct Rolled {
        /// By Apple's days.
        var own: LedgerDays
        var opening: [Transit.Cohort]?
        var isVarying = false
        var isDelayFound = false
        var movements: [Transit.Movement]
        var transit: Transit
        /// What the last period took from the sales before the first one, without a delay that other lines show.
        var withheld: [AppleUnits] = []
        /// Of each period: what it did, and the units in transit at its end in the ordinary way.
        var steps: [(outcome: Transit.Outcome, ordinary: Int64)] = []
    }

    /// Rolls the balance forward over all periods. Where Apple has more than the first period's opening allows, what was
    /// sold before it is looked at again.
    private func rolled(_ key: BridgeKey, _ ledger: LedgerDays, sign: Int64) -> Rolled {
        func make(by clock: AppleClock) -> Rolled {
            let own = ledger.dated(by: clock)
            return Rolled(
                own: own, movements: movements(key, own, by: clock, sign: sign),
                transit: Transit(prices: own.prices, collectDays: months.collectDays))
        }
        let first = months.periods[0].first
        var found = make(by: clocks.own[key] ?? clocks.common)
        roll(&found)
        let isTroubled =
            found.transit.hadExcess || found.transit.cohorts.contains(where: \.isLate) || !found.transit.lost.isEmpty
        var own: Int?
        if isTroubled, let delay = steady[key], delay.misfits[0] > 0 {
            let isVarying = delay.isVarying && !months.isUnexplained(key)
            if let choice = choice(of: delay, key) {
                let (clock, hours) = (SteadyDelay.choices[choice.index].clock, SteadyDelay.choices[choice.index].hours)
                found = make(by: clock)
                found.isDelayFound = true
                found.opening = found.own.cohorts(
                    in: first.advanced(by: -settlementDays)..<first, by: clock, from: Int64(first.day) * 24 - hours)
                if !choice.isCommon, !choice.isShown { own = choice.index }
                let isDoubted = choice.isCommon && !choice.isShown
                if choice.isCommon || own != nil && !isVarying {
                    var most = months.periods.map { period in
                        choice.isCommon && !(isDoubted && months.isNamed(key, in: period))
                            ? .max : months.signed(key, in: period) ?? .max
                    }
                    if own != nil { most[most.count - 1] = 0 }
                    if isDoubted { most[most.count - 1] = delay.excess(delay.best).last ?? 0 }
                    let held = delay.excess(choice.index, most: most)
                    for index in held.indices { found.movements[index].held = held[index] }
                }
                found.isVarying = isDoubted
            }
            found.isVarying = found.isVarying || isVarying
            roll(&found)
        }
        for _ in months.periods where !found.transit.recalled.isEmpty {
            found.opening = found.transit.opened + found.transit.recalled
            found.withheld += found.transit.withheld
            roll(&found)
        }
        // What no later period reports was not in transit.
        let unused = (found.transit.cohorts + found.transit.lost).filter { $0.soldOn < first }
        if found.opening != nil, !unused.isEmpty {
            found.opening = found.transit.opened.less(unused)
            roll(&found)
        }
        if let own, let delay = steady[key] { found.withheld += taken(delay, own, found) }
        return found
    }

    private func roll(_ found: inout Rolled) {
        found.transit = Transit(prices: found.own.prices, collectDays: months.collectDays)
        (found.transit.opening, found.transit.isDelayVarying) = (found.opening, found.isVarying)
        found.steps = []
        for (period, movement) in zip(months.periods, found.movements) {
            let outcome = found.transit.roll(movement, from: period.first, until: period.last)
            found.steps.append((outcome, found.transit.ordinary.units))
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

    /// The delay by which a line is rolled forward: its own where it is exact, or nothing speaks against it; else one that
    /// other lines of the currency show. Not shown is one that fits more or less, or that another line refutes.
    private func choice(of delay: SteadyDelay, _ key: BridgeKey) -> (index: Int, isCommon: Bool, isShown: Bool)? {
        let vote = votes[key.currency.text + key.kind.rawValue] ?? SteadyDelay.Vote([])
        if let exact = delay.exact(without: vote.refuted) { return (index: exact, isCommon: false, isShown: true) }
        if delay.isVarying && !months.isUnexplained(key) {
            return delay.own.map { (index: $0, isCommon: false, isShown: false) }
        }
        func excess(_ index: Int) -> Int64 { delay.excess(index).reduce(0, &+) }
        if let common = vote.common.min(by: { delay.misfits[$0] < delay.misfits[$1] }),
            delay.misfits[common] <= delay.misfits[delay.best] || excess(delay.best) < excess(0)
        {
            let isDoubted = vote.refuted.contains(delay.best) && delay.isFarBetter(than: common)
            return (index: common, isCommon: true, isShown: !isDoubted)
        }
        return delay.own.map { (index: $0, isCommon: false, isShown: false) }
    }

    /// The units of the last period that only a delay of the line's own explains: in transit before the first report, or
    /// missing from the ledger.
    private func taken(_ delay: SteadyDelay, _ index: Int, _ found: Rolled) -> [AppleUnits] {
        guard let last = found.movements.last, let differences = delay.differences(index).last else { return [] }
        var rest = (delay.excess(0).last ?? 0) &- found.transit.inExcess.total.units &- found.withheld.total.units
        var units: [AppleUnits] = []
        let excess = Dictionary(grouping: found.transit.inExcess, by: \.price).mapValues(\.total.units)
        func open(_ own: AppleUnits) -> Int64 { (differences[own.price] ?? 0) &- (excess[own.price] ?? 0) }
        for own in last.reported.sorted(by: { open($0) > open($1) }) where rest > 0 {
            var part = own
            part.sum = own.sum.part(max(0, min(rest, own.sum.units &- (excess[own.price] ?? 0))))
            rest &-= part.sum.units
            if part.sum.units > 0 { units.append(part) }
        }
        return units
    }

    /// Explains the month's line by its last period, and adds all of them to the totals.
    private mutating func explain(_ rolled: Rolled, of key: BridgeKey, sign: Int64, in line: inout BridgeLine) {
        let transit = rolled.transit
        if rolled.isDelayFound || rolled.isVarying { delays.found.insert(key) }
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
            // Of a report that dates its sales, nothing has to be guessed.
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
            let undecided = named(transit.undecided) + named(rolled.withheld, isWithheld: true)
            line.inExcess = transit.inExcess.isEmpty ? nil : named(transit.inExcess)
            line.undecided = undecided.isEmpty ? nil : undecided
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
