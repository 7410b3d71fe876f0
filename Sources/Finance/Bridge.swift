public import Domain

/// How many days at each edge of Apple's period a payment or refund may take to be settled.
public let settlementDays = 7

/// The spans that a bridge needs sums of, beside the month's.
public struct BridgeWindows: Sendable {
    /// Apple's periods, each once.
    public let periods: [Range<Instant>]
    /// Their last days: what Apple may not have collected yet.
    public let ends: [Range<Instant>]
    /// The days before them: what Apple may have collected only then.
    public let before: [Range<Instant>]

    /// Apple says of no time zone whose days these are: the business zone's are taken.
    public init(_ reports: [AppleReport], zone: Zone) {
        var seen: [Range<Instant>] = []
        var ends: [Range<Instant>] = []
        var before: [Range<Instant>] = []
        for report in reports.sorted(by: { ($0.first, $0.last) < ($1.first, $1.last) }) {
            let span = zone.start(of: report.first)..<zone.end(of: report.last)
            if seen.contains(span) { continue }
            seen.append(span)
            ends.append(
                max(span.lowerBound, zone.start(of: report.last.advanced(by: 1 - settlementDays)))..<span.upperBound)
            before.append(zone.start(of: report.first.advanced(by: -settlementDays))..<span.lowerBound)
        }
        periods = seen
        self.ends = ends
        self.before = before
    }

    public var all: [Range<Instant>] { periods + ends + before }

    /// Joins the tables of `all`, in that order, kind by kind.
    func joined(_ tables: ArraySlice<SalesTable>) -> (periods: SalesTable, ends: SalesTable, before: SalesTable) {
        func join(_ part: Int) -> SalesTable {
            let start = tables.startIndex + part * periods.count
            return tables[start..<(start + periods.count)].reduce(into: [:]) { $0.merge($1) { $0 + $1 } }
        }
        return (join(0), join(1), join(2))
    }
}

private struct BridgeKey: Hashable, Comparable {
    var product: Identifier
    var country: String
    var currency: String
    var isReturn: Bool

    static func < (left: Self, right: Self) -> Bool {
        if left.product != right.product { return left.product < right.product }
        return (left.country, left.currency, left.isReturn ? 1 : 0) < (
            right.country, right.currency, right.isReturn ? 1 : 0
        )
    }
}

/// The month beside Apple's reports, per product, country, currency, sale or return. APPLE.md §7.
///
/// Apple's files hold no transaction ids, so this compares sums; customer prices, for a JWS tells of no proceeds.
///
/// - Parameters:
///   - tables: of `windows.all`, in that order.
///   - known: products that the ledger has ever seen.
public func bridgeLines(
    month: SalesTable, tables: ArraySlice<SalesTable>, windows: BridgeWindows, reports: [AppleReport],
    known: Set<Identifier>
) -> [BridgeLine] {
    let (periods, ends, before) = windows.joined(tables)
    let ledger = bridged(month)
    let (inside, late, early) = (bridged(periods), bridged(ends), bridged(before))
    var apple: [BridgeKey: UnitsAndValue] = [:]
    for row in reports.flatMap(\.rows) {
        let key = BridgeKey(
            product: Identifier(row.product), country: row.country, currency: row.currency.text, isReturn: row.isReturn)
        apple[key, default: UnitsAndValue()] += UnitsAndValue(units: row.units, minor: row.minor)
    }
    let keys = Set(ledger.keys).union(inside.keys).union(apple.keys)
    return keys.sorted().map { key in
        var line = BridgeLine(
            product: key.product.text, country: key.country, currency: key.currency, kind: key.isReturn ? "R" : "S")
        line.ledger = ledger[key] ?? UnitsAndValue()
        line.apple = apple[key] ?? UnitsAndValue()
        let own = inside[key] ?? UnitsAndValue()
        line.explain(.fiscalDays, line.ledger - own)
        let rest = own - line.apple
        if !known.contains(key.product) {
            line.explain(.unknownProduct, rest)
        } else {
            let edge = settled(
                rest, late: late[key] ?? UnitsAndValue(), early: early[key] ?? UnitsAndValue(),
                sign: key.isReturn ? -1 : 1)
            line.explain(key.isReturn ? .refundTiming : .notCollected, edge)
        }
        return line
    }
}

/// Sales, and returns as negative ones, under Apple's keys.
private func bridged(_ table: SalesTable) -> [BridgeKey: UnitsAndValue] {
    var sums: [BridgeKey: UnitsAndValue] = [:]
    for (key, sales) in table {
        let storefront = key.storefront.text
        let country = Countries.twoLetters(storefront) ?? storefront
        let currency = key.currency.isKnown ? key.currency.text : ""
        func add(_ isReturn: Bool, _ sum: UnitsAndValue) {
            if sum == UnitsAndValue() { return }
            let key = BridgeKey(product: key.product, country: country, currency: currency, isReturn: isReturn)
            sums[key, default: UnitsAndValue()] += sum
        }
        add(false, UnitsAndValue(units: sales.unitsSold, minor: sales.movements.purchases))
        add(true, UnitsAndValue(units: -sales.unitsRefunded, minor: -sales.movements.refunds))
    }
    return sums
}

/// What of the rest the days at the edges of Apple's period can hold, at most: where the ledger has more, what
/// happened in its last days; where Apple has more, what happened in the days before it.
private func settled(_ rest: UnitsAndValue, late: UnitsAndValue, early: UnitsAndValue, sign: Int64) -> UnitsAndValue {
    func bounded(_ rest: Int64, _ late: Int64, _ early: Int64) -> Int64 {
        let more = rest * sign
        return sign * (more > 0 ? min(more, late * sign) : max(more, -early * sign))
    }
    return UnitsAndValue(
        units: bounded(rest.units, late.units, early.units), minor: bounded(rest.minor, late.minor, early.minor))
}

extension BridgeLine {
    fileprivate mutating func explain(_ step: BridgeStep, _ sum: UnitsAndValue) {
        if sum != UnitsAndValue() { steps[step] = sum }
    }
}
