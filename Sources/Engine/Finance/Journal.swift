public import Domain

/// Suggested journal entries for a month, one for each movement and each reason of a difference, currency by currency.
///
/// Money and goods move through one account, the obligation to customers: purchases increase it, goods that are given
/// settle it. What is left there is the month's difference. Each reason then takes its share out of it, to what
/// customers are owed, to goods given without money, or to suspense where nothing is decided. The cut-off stays: it is what
/// was paid in one month and given in another.
public func journal(of report: MonthReport, accounts: [AccountRole: String]) -> [JournalEntry] {
    report.money.flatMap { line in
        var entries: [JournalEntry] = []
        func book(_ subject: String, _ debit: AccountRole, _ credit: AccountRole, _ minor: Int64) {
            guard minor != 0 else { return }
            let (from, to) = minor > 0 ? (debit, credit) : (credit, debit)
            entries.append(
                JournalEntry(
                    subject: subject, currency: line.currency, debit: from, credit: to,
                    minor: Int64(clamping: minor.magnitude), accounts: accounts))
        }
        let moved = line.movements
        book("purchases", .receivable, .obligation, moved.purchases)
        book("refunds", .obligation, .receivable, moved.refunds)
        book("refund_reversals", .receivable, .obligation, moved.refundReversals)
        book("credited", .obligation, .revenue, moved.credited)
        book("reversed", .revenue, .obligation, moved.reversed)
        for part in line.explained where part.reason != .cutOff {
            book(part.reason.code, .obligation, part.reason.account(of: part.minor), part.minor)
        }
        book("unexplained", .obligation, .suspense, line.unexplained)
        return entries
    }
}

extension DifferenceClass {
    /// Where the share of this reason goes: what customers are owed above 0, what they got for nothing below.
    fileprivate func account(of minor: Int64) -> AccountRole {
        switch self {
        case .verdict(.waiting), .verdict(.undetermined), .unexplained: .suspense
        default: minor > 0 ? .owed : .givenFree
        }
    }
}

extension MonthReport {
    /// The month's own refunds by month of purchase, sorted by month and currency.
    ///
    /// - Parameter purchases: the purchases of a month in a currency, where they are known.
    public func ownCohorts(
        _ calendar: MonthCalendar, zone: Zone, purchases: (_ month: String, Currency) -> Int64?
    ) -> [RefundCohort] {
        var sums: [String: [Currency: (count: Int, minor: Int64)]] = [:]
        for refund in refunds {
            guard let amount = refund.amount else { continue }
            let month = calendar.name(of: zone.date(of: refund.purchasedAt))
            let sign: Int64 = refund.kind == .reversed ? -1 : 1
            let old = sums[month]?[amount.currency] ?? (0, 0)
            sums[month, default: [:]][amount.currency] = (old.count + Int(sign), old.minor &+ sign &* amount.minor)
        }
        return sums.keys.sorted().flatMap { month in
            (sums[month] ?? [:]).sorted { $0.key < $1.key }.map { currency, sum in
                RefundCohort(
                    purchaseMonth: month, refundMonth: period, currency: currency, count: sum.count, minor: sum.minor,
                    purchases: purchases(month, currency))
            }
        }
    }
}

extension MonthCalendar {
    /// The name of the month that a date falls into, `YYYY-MM`.
    func name(of date: BusinessDate) -> String {
        switch self {
        case .business: return date.month
        case .fiscal(let number):
            let number = number(date)
            return "\(number / 12)-" + padded(number % 12 + 1, 2)
        }
    }
}

extension Period {
    /// The year that the month belongs to, and its quarter: of the calendar, or of Apple's fiscal calendar, which begins
    /// with October.
    public var yearAndQuarter: (year: Int, quarter: Int) {
        let parts = name.split(separator: "-").compactMap { Int($0) }
        guard parts.count == 2 else { return (0, 0) }
        guard isFiscal else { return (parts[0], (parts[1] - 1) / 3 + 1) }
        return (parts[1] >= 10 ? parts[0] + 1 : parts[0], (parts[1] + 2) % 12 / 3 + 1)
    }
}
