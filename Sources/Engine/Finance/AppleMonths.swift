/// Apple's reports of one period, which all have the same days.
public struct ApplePeriod: Sendable {
    public let first: BusinessDate
    /// Included.
    public let last: BusinessDate
    public let rows: [AppleRow]

    init(_ reports: [AppleReport]) {
        first = reports[0].first
        last = reports[0].last
        rows = reports.flatMap(\.rows)
    }
}

/// Apple's reports that a month is compared with: those of its own period, and those of the periods that lead up to it
/// without a gap.
public struct AppleMonths: Sendable {
    /// Oldest first; the last one is the month's. Never empty.
    public let periods: [ApplePeriod]
    public let files: [AppleReportFile]
    /// A person said that the period is to be compared, although it is not the month's.
    public var isPeriodStated = false
    /// Apple's summary of payments.
    public var payout: Payout?
    /// The months that were closed before, in the order of closing.
    public var closed: [MonthReport] = []
    /// After how many days a sale that Apple has not reported counts as never collected.
    let collectDays: Int

    /// - Parameter reports: in any order; none of them covers days of the month's period and further ones.
    public init?(_ reports: [AppleReport], collectDays: Int) {
        let groups = Dictionary(grouping: reports, by: \.first)
        periods = groups.keys.ordered().compactMap { groups[$0].map(ApplePeriod.init) }
        guard let own = periods.last else { return nil }
        self.collectDays = collectDays
        files = reports.map { report in
            var file = report.file
            file.isEarlier = file.last < own.first
            return file
        }
    }

    /// Whether a bridge was made from the same files.
    public func isContained(in bridge: AppleBridge?) -> Bool {
        bridge?.files == files && bridge?.payout?.digest == payout?.digest
    }

    /// The period that the month is compared with.
    public var own: ApplePeriod { periods[periods.count - 1] }

    /// The days of all periods and of the month, those before the first period that may have been in transit into it, and the
    /// day after, of which Apple's last day may have a part.
    func days(with month: Period) -> ClosedRange<BusinessDate> {
        min(month.first, periods[0].first.advanced(by: -settlementDays))...max(month.last, own.last.advanced(by: 1))
    }

    /// Whether the reports go back as far as Apple may take to collect.
    var isLongEnough: Bool { periods[0].first.advanced(by: collectDays) <= own.first }

    /// How many periods before the month's are looked at.
    public static let earlierMax = 12
}

extension AppleReport {
    /// Whether the report's period is the month's, or overlaps it by more than half of the longer of the two.
    public func isOf(_ month: Period) -> Bool { (first...last).isMost(of: month.first...month.last) }

    /// Whether the other report has the same days and sums without the days of sale.
    public func details(_ other: AppleReport) -> Bool {
        guard first == other.first, last == other.last, rows[0].soldOn != nil, other.rows[0].soldOn == nil else {
            return false
        }
        let markets = Set(other.rows.map(\.market))
        return sums { markets.contains($0.market) } == other.sums { _ in true }
    }

    private func sums(where isWanted: (AppleRow) -> Bool) -> [BridgeKey: UnitsAndValue] {
        rows.filter(isWanted).reduce(into: [:]) { $0[BridgeKey($1), default: UnitsAndValue()] += $1.sum }
    }

    /// Whether both cover a common day for different spans, or the same span for the same country and currency.
    public func repeats(_ other: AppleReport) -> Bool {
        guard first <= other.last, other.first <= last else { return false }
        guard first == other.first, last == other.last else { return true }
        return !Set(rows.map(\.market)).isDisjoint(with: other.rows.map(\.market))
    }
}

extension AppleRow {
    var sum: UnitsAndValue { UnitsAndValue(units: units, minor: minor) }

    fileprivate var market: String { country + " " + currency.text }
}

extension ClosedRange<BusinessDate> {
    /// Whether the days of both overlap by more than half of the longer of the two.
    fileprivate func isMost(of other: Self) -> Bool {
        let common = Swift.min(upperBound, other.upperBound).day - Swift.max(lowerBound, other.lowerBound).day + 1
        let longer = Swift.max(upperBound.day - lowerBound.day, other.upperBound.day - other.lowerBound.day) + 1
        return common * 2 > longer
    }
}

extension ApplePeriod {
    func isMost(of days: ClosedRange<BusinessDate>) -> Bool { (first...last).isMost(of: days) }

    /// The customers' currencies that the reports have.
    var currencies: Set<Currency> { Set(rows.map(\.currency)) }

    /// Apple's share by product and currencies.
    var proceeds: [ProceedsLine] {
        let groups = Dictionary(grouping: rows) { [$0.product, $0.currency.text, $0.partnerCurrency.text] }
        return groups.ordered { $0.key.lexicographicallyPrecedes($1.key) }.map { _, rows in
            var line = ProceedsLine(
                product: rows[0].product, customerCurrency: rows[0].currency, partnerCurrency: rows[0].partnerCurrency)
            line.units = rows.reduce(0) { $0 &+ $1.units }
            line.customer = rows.reduce(0) { $0 &+ $1.minor }
            line.partner = rows.reduce(0) { $0 &+ $1.partner }.inMinorUnits(of: line.partnerCurrency)
            return line
        }
    }

    /// The partner share by currency, in minor units.
    var earned: [Currency: Int64] {
        var sums: [Currency: Int64] = [:]
        for row in rows { sums[row.partnerCurrency, default: 0] &+= row.partner }
        return Dictionary(uniqueKeysWithValues: sums.map { ($0.key, $0.value.inMinorUnits(of: $0.key)) })
    }
}

extension Int64 {
    /// From minor units.
    func inTenThousandths(of currency: Currency) -> Int64 {
        self &* powerOfTen(4 - Swift.min(4, currency.exponent))
    }

    /// From ten-thousandths of a currency, rounded half away from zero.
    func inMinorUnits(of currency: Currency) -> Int64 {
        let scale = powerOfTen(4 - Swift.min(4, currency.exponent))
        let half = (self < 0 ? -scale : scale) / 2
        return (self &+ half) / scale
    }
}
