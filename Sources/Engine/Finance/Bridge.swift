/// What one line of the bridge is about.
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

/// Compares the month with Apple's reports: one line for each product, country, currency and kind (sale or return).
/// See docs/spec/app-store.md#bridge.
///
/// Apple's files contain no transaction ids, so only sums can be compared. They are sums of customer prices, because a
/// signed transaction does not state the proceeds.
///
/// How a line's difference (ledger less Apple) is explained:
///
/// - `fiscalDays` is what the ledger's month has more than the ledger has for Apple's period. It is exact, because both
///   sums come from the ledger.
/// - `refundReversed` is what Apple lists as sold again because it took a refund back.
/// - For a product that never occurred in the ledger, the rest is `unknownProduct`.
/// - For other products, `Transit` rolls what is sold and not reported forward from Apple's earlier periods. The rest is
///   what the balance in transit changed by, what was never collected, and a difference of prices.
/// - What is left is the line's `unexplained` part: Apple reported more than was ever sold.
struct BridgeMaker {
    private let months: AppleMonths
    /// All products that ever occurred in the ledger.
    private let known: Set<Identifier>
    private let month: BridgeTable
    private let inside: [(whole: BridgeTable, tail: BridgeTable)]
    private let before: BridgeTable
    private let apple: [[BridgeKey: UnitsAndValue]]
    /// For each period, by currency and kind.
    private var totals: [[Currency: [BridgeLine.Kind: TransitLine]]]
    /// The bridge, with the payment.
    private(set) var bridge = AppleBridge(files: [], lines: [])

    /// - Parameters:
    ///   - month: the sales of the month.
    ///   - tables: the sales of `windows.all`, in that order.
    ///   - known: all products that ever occurred in the ledger.
    init(
        _ months: AppleMonths, month: SalesTable, tables: ArraySlice<SalesTable>, windows: BridgeWindows,
        known: Set<Identifier>
    ) {
        self.months = months
        self.known = known
        totals = Array(repeating: [:], count: months.periods.count)
        let tables = windows.tables(tables)
        self.month = BridgeTable(month)
        inside = tables.periods.map { (BridgeTable($0.whole), BridgeTable($0.tail)) }
        before = BridgeTable(tables.before)
        apple = months.periods.map { period in
            period.rows.reduce(into: [:]) { sums, row in
                let key = BridgeKey(
                    product: Identifier(row.product), country: row.country, currency: row.currency, kind: row.kind)
                sums[key, default: UnitsAndValue()] += UnitsAndValue(units: row.units, minor: row.minor)
            }
        }
        build()
    }

    private mutating func build() {
        var keys = Set(month.sums.keys)
        for (index, sums) in apple.enumerated() {
            keys.formUnion(sums.keys)
            keys.formUnion(inside[index].whole.sums.keys)
            keys.formUnion(inside[index].whole.reversed.keys)
        }
        for key in keys.sorted() {
            let line = line(key)
            // Without a figure for the month's period, the key is one of earlier periods only.
            if line != BridgeLine(key) { bridge.lines.append(line) }
        }
        bridge.files = months.files
        bridge.isPeriodStated = months.isPeriodStated
        // If the ledger sold something in the days before, some of it may have been in transit.
        if !months.isLongEnough, !before.sums.isEmpty { bridge.earlierMissing = months.periods[0].first }
        bridge.rollForward = totals.flatMap { $0.values.flatMap(\.values) }.sorted {
            ($0.first, $0.currency, $0.kind) < ($1.first, $1.currency, $1.kind)
        }
        bridge.proceeds = months.own.proceeds
        bridge.payout = months.payout?.tied(to: months.own)
    }

    private mutating func line(_ key: BridgeKey) -> BridgeLine {
        let own = months.periods.count - 1
        var line = BridgeLine(key)
        line.ledger = month.sums[key] ?? UnitsAndValue()
        line.apple = apple[own][key] ?? UnitsAndValue()
        let sold = inside[own].whole.sums[key] ?? UnitsAndValue()
        line.explain(.fiscalDays, line.ledger - sold)
        if known.contains(key.product) {
            line.explain(.refundReversed, (inside[own].whole.reversed[key] ?? UnitsAndValue()).times(-1))
            roll(key, into: &line)
        } else {
            for index in apple.indices {
                let reported = apple[index][key] ?? UnitsAndValue()
                addTotal(of: key, inPeriod: index) {
                    $0.reported += reported
                    $0.unknownProduct += reported.times(-1)
                }
            }
            line.explain(.unknownProduct, sold - line.apple)
        }
        return line
    }

    /// Rolls the key's balance forward over all periods, and explains the month's by the last one.
    private mutating func roll(_ key: BridgeKey, into line: inout BridgeLine) {
        // Sums of returns are negative, and are made positive.
        let sign: Int64 = key.kind == .returns ? -1 : 1
        var transit = Transit(prices: prices(key), collectDays: months.collectDays)
        for (index, period) in months.periods.enumerated() {
            let movement = movement(of: key, inPeriod: index, sign: sign)
            let outcome = transit.roll(movement, from: period.first, until: period.last)
            addTotal(of: key, inPeriod: index) { total in
                total.opening += outcome.opening.times(sign)
                total.sold += movement.sold.times(sign)
                total.reported += movement.reported.times(sign)
                total.neverCollected += outcome.neverCollected.times(sign)
                total.price.minor &+= sign &* (outcome.priceDifference &+ outcome.priceMix)
                total.unexplained += outcome.unexplained.times(sign)
                total.closing += outcome.closing.times(sign)
            }
            guard index == months.periods.count - 1 else { continue }
            line.explain(.openingInTransit, outcome.opening.times(-sign))
            line.explain(.closingInTransit, outcome.closing.times(sign))
            line.explain(.neverCollected, outcome.neverCollected.times(sign))
            line.explain(.priceDifference, UnitsAndValue(minor: sign &* outcome.priceDifference))
            line.explain(.priceMix, UnitsAndValue(minor: sign &* outcome.priceMix))
            line.aging = transit.aging.map { part in
                var part = part
                part.sum = part.sum.times(sign)
                return part
            }
        }
    }

    private func movement(of key: BridgeKey, inPeriod index: Int, sign: Int64) -> Transit.Movement {
        let (whole, tail) = inside[index]
        var movement = Transit.Movement()
        movement.sold = whole.all(key).times(sign)
        movement.tail = tail.all(key).times(sign)
        movement.reported = (apple[index][key] ?? UnitsAndValue()).times(sign)
        if index == 0 { movement.before = before.all(key).times(sign) }
        movement.isReported = months.periods[index].currencies.contains(key.currency)
        return movement
    }

    /// The prices of one piece in all periods.
    private func prices(_ key: BridgeKey) -> ClosedRange<Int64>? {
        (inside.map(\.whole) + [before]).reduce(nil) { .covering($0, $1.prices[key]) }
    }

    private mutating func addTotal(of key: BridgeKey, inPeriod index: Int, _ add: (inout TransitLine) -> Void) {
        let period = months.periods[index]
        let new = TransitLine(first: period.first, last: period.last, currency: key.currency, kind: key.kind)
        add(&totals[index][key.currency, default: [:]][key.kind, default: new])
    }
}

/// A table of sales under the bridge's keys, with returns as negative sums. A storefront of unknown country keeps its own
/// code.
private struct BridgeTable {
    private(set) var sums: [BridgeKey: UnitsAndValue] = [:]
    /// Refunds that Apple took back, under the keys of sales: Apple lists them as such.
    private(set) var reversed: [BridgeKey: UnitsAndValue] = [:]
    /// The lowest and the highest price of one piece.
    private(set) var prices: [BridgeKey: ClosedRange<Int64>] = [:]

    init(_ table: SalesTable) {
        for (place, sales) in table {
            let storefront = place.storefront.text
            let country = Countries.twoLetters(storefront) ?? storefront
            func key(_ kind: BridgeLine.Kind) -> BridgeKey {
                BridgeKey(product: place.product, country: country, currency: place.currency, kind: kind)
            }
            let (bought, refunded) = (sales.movements.purchases, sales.movements.refunds)
            for (key, sum) in [
                (key(.sales), UnitsAndValue(units: sales.unitsSold, minor: bought)),
                (key(.returns), UnitsAndValue(units: sales.unitsRefunded, minor: refunded).times(-1)),
            ] {
                if sum != UnitsAndValue() { sums[key, default: UnitsAndValue()] += sum }
                prices[key] = .covering(prices[key], sales.prices)
            }
            let back = UnitsAndValue(units: sales.unitsRefundReversed, minor: sales.movements.refundReversals)
            if back != UnitsAndValue() { reversed[key(.sales), default: UnitsAndValue()] += back }
        }
    }

    /// What Apple should report under the key.
    func all(_ key: BridgeKey) -> UnitsAndValue {
        (sums[key] ?? UnitsAndValue()) + (reversed[key] ?? UnitsAndValue())
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
    fileprivate init(_ key: BridgeKey) {
        self.init(product: key.product.text, country: key.country, currency: key.currency, kind: key.kind)
    }

    /// Records a step, unless it explains nothing.
    fileprivate mutating func explain(_ step: BridgeStep, _ sum: UnitsAndValue) {
        if sum != UnitsAndValue() { steps[step] = sum }
    }
}
