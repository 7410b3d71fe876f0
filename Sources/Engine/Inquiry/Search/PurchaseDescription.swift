/// What a customer without an id knows of a purchase. See docs/spec/interfaces.md#find.
public struct PurchaseDescription: Sendable, Equatable {
    /// The dates of purchase, in the shop's zone.
    public var days: ClosedRange<BusinessDate>?
    /// The readings of a date of which both numbers may be the month. It is not searched for.
    public var unclearDates: [BusinessDate] = []
    /// The time of day in minutes, any of them: 7:40 may be in the evening, too. More than a day: in the night after the
    /// date.
    public var arounds: [Int] = []
    /// By how many minutes the time may be wrong.
    public var within = Self.usualWindow
    /// What was paid, in thousandths of the major unit. Any of them.
    public var amounts: [Int64] = []
    /// Any of them; empty for all currencies.
    public var currencies: [Currency] = []
    /// Any of them; empty for all products.
    public var products: [Identifier] = []
    /// Apple's code of the storefront, such as CHN.
    public var storefront: String?
    /// What the account begins with.
    public var account: String?
    /// What the transaction id or an order id ends with.
    public var ending: String?

    public static let usualWindow = 30
    /// In minutes.
    public static let windows = 15...1440

    /// Nothing in it narrows a search down.
    public var isEmpty: Bool {
        days == nil && amounts.isEmpty && products.isEmpty && account == nil && ending == nil
    }

    /// The instants that fit on a date.
    private func times(on date: BusinessDate, in zone: Zone) -> [Range<Instant>] {
        let start = zone.start(of: date)
        if arounds.isEmpty { return [start..<zone.start(of: date.advanced(by: 1))] }
        let minute = Int64(60_000)
        return arounds.map { around in
            let middle = start.milliseconds + Int64(around) * minute
            let (first, last) = (middle - Int64(within) * minute, middle + Int64(within + 1) * minute)
            return Instant(milliseconds: first)..<Instant(milliseconds: last)
        }
    }

    func times(on days: ClosedRange<BusinessDate>, in zone: Zone) -> [Range<Instant>] {
        (days.lowerBound.day...days.upperBound.day).flatMap { times(on: BusinessDate(day: $0), in: zone) }
    }

    /// How far an instant is from the time of day, in milliseconds; 0 without one.
    func distance(from instant: Instant, in zone: Zone) -> UInt64 {
        (-1...1).flatMap { day in
            let start = zone.start(of: zone.date(of: instant).advanced(by: day)).milliseconds
            return arounds.map { (start + Int64($0) * 60_000 - instant.milliseconds).magnitude }
        }.min() ?? 0
    }

    func fits(_ money: Money) -> Bool {
        if amounts.isEmpty && currencies.isEmpty { return true }
        guard currencies.isEmpty || currencies.contains(money.currency) else { return false }
        return amounts.isEmpty
            || Self.thousandths(money).map(amounts.contains) == true
    }

    /// Nil if it is too large.
    static func thousandths(_ money: Money) -> Int64? {
        let unit = (0..<max(0, 3 - money.currency.exponent)).reduce(Int64(1)) { unit, _ in unit * 10 }
        let (thousandths, isHuge) = money.minor.multipliedReportingOverflow(by: unit)
        return isHuge ? nil : thousandths
    }

    /// An amount as people write it, in thousandths: `25`, `25.00`, `1,200.5`. Nil for other texts.
    public static func thousandths(_ text: some StringProtocol) -> Int64? {
        let parts = text.filter { $0 != "," }.split(separator: ".", omittingEmptySubsequences: false).map { String($0) }
        guard (1...2).contains(parts.count), let whole = Int64(parts[0]), (0...1_000_000_000).contains(whole) else {
            return nil
        }
        if parts.count == 1 { return whole * 1000 }
        guard (1...3).contains(parts[1].count),
            let fraction = Int64(parts[1] + String(repeating: "0", count: 3 - parts[1].count)), fraction >= 0
        else { return nil }
        return whole * 1000 + fraction
    }
}
