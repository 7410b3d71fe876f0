public import Domain
public import ReportData

/// How many days at each edge of Apple's period a payment or refund may take to settle.
public let settlementDays = 7

/// The time spans for which a bridge needs sums of the ledger's sales, in addition to the month's.
public struct BridgeWindows: Sendable {
    /// Apple's periods, each once.
    public let periods: [Range<Instant>]
    /// The last `settlementDays` days of each period. Apple may not have collected these payments within the period.
    public let ends: [Range<Instant>]
    /// The `settlementDays` days before each period. Apple may have collected these payments within the period only.
    public let before: [Range<Instant>]

    /// Apple does not say in which time zone its days are. The business time zone is used.
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

    /// All spans: first the periods, then their ends, then the days before them.
    public var all: [Range<Instant>] { periods + ends + before }

    /// Adds up the tables of `all`, given in that order, to one table for each of the three groups.
    func joined(_ tables: ArraySlice<SalesTable>) -> (periods: SalesTable, ends: SalesTable, before: SalesTable) {
        func join(_ part: Int) -> SalesTable {
            let start = tables.startIndex + part * periods.count
            return tables[start..<(start + periods.count)].reduce(into: [:]) { $0.merge($1) { $0 + $1 } }
        }
        return (join(0), join(1), join(2))
    }
}

/// What one line of the bridge is about.
private struct BridgeKey: Hashable, Comparable {
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
/// - The rest is what the ledger has for Apple's period, less Apple's own figure. For a product that never occurred in
///   the ledger all of it is `unknownProduct`.
/// - For other products, the rest can come from payments or refunds at the edges of the period that Apple settled in
///   another period. `timingDifference` limits it to what happened in those days.
/// - What is left is the line's `unexplained` part.
///
/// - Parameters:
///   - tables: the sales of `windows.all`, in that order.
///   - known: all products that ever occurred in the ledger.
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
            product: Identifier(row.product), country: row.country, currency: row.currency, kind: row.kind)
        apple[key, default: UnitsAndValue()] += UnitsAndValue(units: row.units, minor: row.minor)
    }
    let keys = Set(ledger.keys).union(inside.keys).union(apple.keys)
    return keys.sorted().map { key in
        var line = BridgeLine(
            product: key.product.text, country: key.country, currency: key.currency, kind: key.kind)
        line.ledger = ledger[key] ?? UnitsAndValue()
        line.apple = apple[key] ?? UnitsAndValue()
        let own = inside[key] ?? UnitsAndValue()
        line.explain(.fiscalDays, line.ledger - own)
        let rest = own - line.apple
        if !known.contains(key.product) {
            line.explain(.unknownProduct, rest)
        } else {
            let edge = timingDifference(
                rest, late: late[key] ?? UnitsAndValue(), early: early[key] ?? UnitsAndValue(),
                sign: key.kind == .returns ? -1 : 1)
            line.explain(key.kind == .returns ? .refundTiming : .notCollected, edge)
        }
        return line
    }
}

/// The table under the bridge's keys, with returns as negative sums. A storefront of unknown country keeps its own
/// code.
private func bridged(_ table: SalesTable) -> [BridgeKey: UnitsAndValue] {
    var sums: [BridgeKey: UnitsAndValue] = [:]
    for (key, sales) in table {
        let storefront = key.storefront.text
        let country = Countries.twoLetters(storefront) ?? storefront
        func add(_ kind: BridgeLine.Kind, _ sum: UnitsAndValue) {
            if sum == UnitsAndValue() { return }
            let key = BridgeKey(product: key.product, country: country, currency: key.currency, kind: kind)
            sums[key, default: UnitsAndValue()] += sum
        }
        add(.sales, UnitsAndValue(units: sales.unitsSold, minor: sales.movements.purchases))
        add(.returns, UnitsAndValue(units: -sales.unitsRefunded, minor: 0 &- sales.movements.refunds))
    }
    return sums
}

/// The part of the rest that settlement at the edges of Apple's period can explain, an upper bound.
///
/// A positive rest means that the ledger has more than Apple: payments in the last days of the period that Apple
/// collected only later. So it is limited to what happened in those days (`late`). A negative rest means that Apple has
/// more: payments made before the period that Apple collected within it. So it is limited to what happened in the days
/// before (`early`). Units and value are limited separately.
///
/// - Parameter sign: −1 for returns, whose sums are negative; they are made positive for the comparison.
private func timingDifference(_ rest: UnitsAndValue, late: UnitsAndValue, early: UnitsAndValue, sign: Int64)
    -> UnitsAndValue
{
    func bounded(_ rest: Int64, _ late: Int64, _ early: Int64) -> Int64 {
        let more = rest &* sign
        return sign &* (more > 0 ? min(more, late &* sign) : max(more, 0 &- early &* sign))
    }
    return UnitsAndValue(
        units: bounded(rest.units, late.units, early.units), minor: bounded(rest.minor, late.minor, early.minor))
}

extension BridgeLine {
    /// Records a step, unless it explains nothing.
    fileprivate mutating func explain(_ step: BridgeStep, _ sum: UnitsAndValue) {
        if sum != UnitsAndValue() { steps[step] = sum }
    }
}
