/// How many days at the end of Apple's period a payment or refund may take to settle in the ordinary way.
let settlementDays = 7

/// The time spans for which a bridge needs sums of the ledger's sales, in addition to the month's.
struct BridgeWindows: Sendable {
    /// For each of Apple's periods: the period, and its last `settlementDays` days.
    let periods: [(whole: Range<Instant>, tail: Range<Instant>)]
    /// The `settlementDays` days before the first period. Apple may have collected these payments within it only.
    let before: Range<Instant>?

    /// Apple does not say in which time zone its days are. The business time zone is used.
    init(_ months: AppleMonths?, zone: Zone) {
        periods = (months?.periods ?? []).map { period in
            let span = zone.start(of: period.first)..<zone.end(of: period.last)
            let tail = zone.start(of: period.last.advanced(by: 1 - settlementDays))
            return (span, max(span.lowerBound, tail)..<span.upperBound)
        }
        before = (months?.periods.first).map { period in
            zone.start(of: period.first.advanced(by: -settlementDays))..<zone.start(of: period.first)
        }
    }

    /// All spans: each period and its tail, then the days before the first.
    var all: [Range<Instant>] { periods.flatMap { [$0.whole, $0.tail] } + (before.map { [$0] } ?? []) }

    /// The tables of `all`, given in that order, as the roll-forward needs them.
    func tables(
        _ tables: ArraySlice<SalesTable>
    ) -> (periods: [(whole: SalesTable, tail: SalesTable)], before: SalesTable) {
        let start = tables.startIndex
        let pairs = periods.indices.map { (tables[start + 2 * $0], tables[start + 2 * $0 + 1]) }
        return (pairs, before == nil ? [:] : tables[start + 2 * periods.count])
    }
}
