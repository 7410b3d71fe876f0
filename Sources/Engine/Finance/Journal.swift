/// Suggested journal entries for a month, one for each movement and each reason of a difference, currency by currency.
///
/// Money and goods move through one account, the obligation to customers: purchases increase it, goods that are given
/// settle it. What is left there is the month's difference. Each reason then takes its share out of it, to what
/// customers are owed, to goods given without money, or to suspense where nothing is decided. The cut-off stays: it is what
/// was paid in one month and given in another.
public func journal(of report: MonthReport, accounts: [AccountRole: String]) -> [JournalEntry] {
    report.money.flatMap { line in
        var entries: [JournalEntry] = []
        func book(_ subject: String, debit: AccountRole, credit: AccountRole, _ minor: Int64) {
            guard minor != 0 else { return }
            let (from, to) = minor > 0 ? (debit, credit) : (credit, debit)
            entries.append(
                JournalEntry(
                    subject: subject, currency: line.currency, debit: from, credit: to,
                    debitAccount: accounts[from] ?? from.rawValue, creditAccount: accounts[to] ?? to.rawValue,
                    minor: Int64(clamping: minor.magnitude)))
        }
        let moved = line.movements
        book("purchases", debit: .receivable, credit: .obligation, moved.purchases)
        book("refunds", debit: .obligation, credit: .receivable, moved.refunds)
        book("refund_reversals", debit: .receivable, credit: .obligation, moved.refundReversals)
        book("credited", debit: .obligation, credit: .revenue, moved.credited)
        book("reversed", debit: .revenue, credit: .obligation, moved.reversed)
        for part in line.explained where part.reason != .cutOff {
            book(
                part.reason.code, debit: .obligation, credit: part.reason.account(of: part.minor), part.minor)
        }
        book("unexplained", debit: .obligation, credit: .suspense, line.unexplained)
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
    public func ownCohorts(purchases: (_ month: String, Currency) -> Int64?) -> [RefundCohort] {
        let zone = Zone(timeZone) ?? .utc
        var sums: [String: [Currency: CountAndAmount]] = [:]
        for refund in refunds {
            guard let amount = refund.amount else { continue }
            let name = month.monthName(of: zone.date(of: refund.purchasedAt))
            let one = CountAndAmount(of: amount)
            sums[name, default: [:]][amount.currency, default: CountAndAmount()] +=
                refund.kind == .reversed ? CountAndAmount() - one : one
        }
        return sums.sorted { $0.key < $1.key }.flatMap { name, sums in
            sums.sorted { $0.key < $1.key }.map { currency, sum in
                RefundCohort(
                    purchaseMonth: name, refundMonth: period, currency: currency, count: sum.count, minor: sum.minor,
                    purchases: purchases(name, currency))
            }
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
