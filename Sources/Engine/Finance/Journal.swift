/// The positions of the sub-ledger, each with the two accounts that it stands between.
///
/// Money and goods move through one account, the obligation to customers: purchases increase it, goods that are given
/// settle it. What is left there is what customers paid for and did not receive, or the other way round. Each reason then
/// takes its share out of it, to what customers are owed, to goods given without money, or to suspense where nothing is
/// decided. What stays is the cut-off: paid in one month and given in another.
private struct Positions {
    struct Key: Hashable {
        /// The place of the subject among those of its month. From 10 on those of reasons, in pairs: what customers lack, and
        /// what they have too much.
        var order: Int
        var subject: String
        /// The month that it concerns. Empty for what concerns the month of the report.
        var month = ""
        var currency: Currency
        var debit: AccountRole
        var credit: AccountRole
    }
    private(set) var amounts: [Key: Int64] = [:]

    /// - Parameter known: the figures of each month, by its name.
    init(_ books: [Book], known: [String: MonthSeal.Figures]) {
        for book in books {
            add("brought_forward", book.currency, debit: .opening, credit: .obligation, minor: book.brought, order: 0)
            for part in book.parts {
                let index = DifferenceClass.ranks[part.reason]!
                let (short, long) = part.reason.accounts
                add(
                    part.reason.code, book.currency, debit: .obligation, credit: short, minor: part.balance.owed,
                    order: 10 + 2 * index)
                add(
                    part.reason.code, book.currency, debit: long, credit: .obligation, minor: part.balance.givenFree,
                    order: 11 + 2 * index)
            }
        }
        for (month, figures) in known {
            for (currency, moved) in figures {
                let bookings: [(String, debit: AccountRole, credit: AccountRole, minor: Int64)] = [
                    ("purchases", .receivable, .obligation, moved.purchases),
                    ("refunds", .obligation, .receivable, moved.refunds),
                    ("refund_reversals", .receivable, .obligation, moved.refundReversals),
                    ("credited", .obligation, .revenue, moved.credited),
                    ("reversed", .revenue, .obligation, moved.reversed),
                ]
                for (index, (subject, debit, credit, minor)) in bookings.enumerated() {
                    add(subject, currency, debit: debit, credit: credit, minor: minor, order: index + 1, month: month)
                }
            }
        }
    }

    private mutating func add(
        _ subject: String, _ currency: Currency, debit: AccountRole, credit: AccountRole, minor: Int64, order: Int,
        month: String = ""
    ) {
        guard minor != 0 else { return }
        let key = Key(
            order: order, subject: subject, month: month, currency: currency, debit: debit, credit: credit)
        amounts[key, default: 0] &+= minor
    }

    /// What each account stands at, debit less credit.
    var balances: [Currency: [AccountRole: Int64]] {
        amounts.reduce(into: [:]) { sums, position in
            let (key, minor) = position
            sums[key.currency, default: [:]][key.debit, default: 0] &+= minor
            sums[key.currency, default: [:]][key.credit, default: 0] &-= minor
        }
    }

    /// What must be posted to come from other positions to these, by currency, month and subject. A position that became less
    /// goes back from credit to debit.
    func changes(since last: Positions) -> [(key: Key, minor: Int64)] {
        var changes = amounts
        for (key, minor) in last.amounts { changes[key, default: 0] &-= minor }
        return changes.filter { $0.value != 0 }.map { key, minor in
            var key = key
            if minor < 0 { (key.debit, key.credit) = (key.credit, key.debit) }
            return (key, Int64(clamping: minor.magnitude))
        }.ordered {
            ($0.key.currency, $0.key.month, $0.key.order, $0.key.subject)
                < ($1.key.currency, $1.key.month, $1.key.order, $1.key.subject)
        }
    }
}

extension DifferenceClass {
    /// Where the share of this reason goes: what customers are short of, and what they have too much.
    public var accounts: (short: AccountRole, long: AccountRole) {
        switch self {
        case .verdict(.waiting), .verdict(.undetermined), .unexplained: (.suspense, .suspense)
        default: (.owed, .givenFree)
        }
    }
}

extension Period {
    /// No day lies between the two.
    fileprivate func joins(_ other: Period) -> Bool {
        last.advanced(by: 1) == other.first || other.last.advanced(by: 1) == first
    }
}

extension Month {
    /// Completes the sub-ledger: balances, and the entries since a month was closed last. A month that does not join on to
    /// the closed ones, or is of another calendar, has none.
    ///
    /// - Parameters:
    ///   - last: the report of the month that was closed last; nil without one.
    ///   - accounts: names of accounts.
    public func addEntries(to report: inout MonthReport, last: MonthReport?, accounts: [AccountRole: String]) {
        guard var ledger = report.subLedger else { return }
        let closed = seals.compactMap(\.month)
        guard report.closedByOther.isEmpty, closed.isEmpty || closed.contains(where: { $0.joins(report.month) }) else {
            return report.subLedger = nil
        }
        let before = Positions(last?.subLedger?.books ?? [], known: known)
        let now = Positions(ledger.books, known: known(with: report))
        let name = { (role: AccountRole) in accounts[role] ?? role.rawValue }
        ledger.follows = last?.period
        // As it was sealed, so that the entries prove it too.
        let sealed = last?.subLedger?.accounts ?? []
        let moved = sealed.filter { $0.closing != 0 && $0.name != name($0.role) }
        let transfers = moved.map { line in
            let (old, new) = ((line.role, line.name), (line.role, name(line.role)))
            let (debit, credit) = line.closing > 0 ? (new, old) : (old, new)
            return JournalEntry(
                voucher: "", concerns: report.period, subject: "account_changed", currency: line.currency,
                debit: debit.0, credit: credit.0, debitAccount: debit.1, creditAccount: credit.1,
                minor: Int64(clamping: line.closing.magnitude))
        }
        ledger.entries =
            transfers
            + now.changes(since: before).map { change in
                let (key, minor) = change
                return JournalEntry(
                    voucher: "", concerns: key.month.isEmpty ? report.period : key.month, subject: key.subject,
                    currency: key.currency,
                    debit: key.debit, credit: key.credit, debitAccount: name(key.debit),
                    creditAccount: name(key.credit),
                    minor: minor, isShort: key.order < 10 ? nil : key.order % 2 == 0)
            }
        for index in ledger.entries.indices {
            ledger.entries[index].voucher = report.period + "-" + padded(index + 1, 3)
        }
        ledger.rows = EntryRow.rows(ledger.rows ?? [], of: ledger.entries)
        let balances = now.balances
        ledger.accounts = Set(balances.keys).union(sealed.map(\.currency)).ordered().flatMap { currency in
            AccountRole.allCases.flatMap { role -> [AccountLine] in
                let own = { (line: AccountLine) in line.currency == currency && line.role == role }
                let former = moved.filter(own).map {
                    AccountLine(role: role, name: $0.name, currency: currency, opening: $0.closing, closing: 0)
                }
                let from = sealed.first { own($0) && $0.name == name(role) }?.closing ?? 0
                var closing = balances[currency]?[role] ?? 0
                // Counted subject by subject, and not what is left after all else.
                if role == .obligation { closing = 0 &- (ledger.books.first { $0.currency == currency }?.cutOff ?? 0) }
                guard from != 0 || closing != 0 || balances[currency]?[role] != nil || !former.isEmpty else {
                    return []
                }
                return former + [
                    AccountLine(role: role, name: name(role), currency: currency, opening: from, closing: closing)
                ]
            }
        }
        report.subLedger = ledger
        report.settingsChanged += last?.subLedger?.accountChanges(to: accounts) ?? []
    }
}

extension MonthReport {
    /// The month's own refunds by month of purchase, sorted by month and currency. What Apple took back is subtracted from
    /// the month of the refund that it ends.
    ///
    /// - Parameter purchases: the purchases of a month in a currency, where they are known.
    public func ownCohorts(purchases: (_ month: String, Currency) -> Int64?) -> [RefundCohort] {
        cohorts(
            refunds.flatMap { refund -> [OneRefund] in
                guard let amount = refund.amount else { return [] }
                if refund.kind != .reversed {
                    return [(period, refund.purchasedAt, amount.currency, refund.count ?? 1, amount.minor)]
                }
                return ends(refund.ended, purchasedAt: refund.purchasedAt, amount.currency)
            }, purchases)
    }

    /// The refunds of closed months that became known after their closing, in the same way.
    public func restatedCohorts(purchases: (_ month: String, Currency) -> Int64?) -> [RefundCohort] {
        cohorts(
            restatedSubjects.flatMap { subject -> [OneRefund] in
                let ends = ends(subject.ended, purchasedAt: subject.purchasedAt, subject.currency)
                let count = subject.refunds - ends.reduce(0) { $0 + $1.count }
                return [(subject.period, subject.purchasedAt, subject.currency, count, subject.change.refunds)] + ends
            }, purchases)
    }

    private typealias OneRefund = (month: String, purchasedAt: Instant?, currency: Currency, count: Int, minor: Int64)

    private func ends(_ ended: [RefundEnd], purchasedAt: Instant?, _ currency: Currency) -> [OneRefund] {
        let zone = zone
        return ended.map {
            (month.monthName(of: zone.date(of: $0.at)), purchasedAt, currency, 0 - $0.count, 0 &- $0.minor)
        }
    }

    private func cohorts(
        _ refunds: [OneRefund], _ purchases: (_ month: String, Currency) -> Int64?
    ) -> [RefundCohort] {
        let zone = zone
        var cohorts: [RefundCohort] = []
        for refund in refunds {
            guard let bought = refund.purchasedAt, refund.count != 0 || refund.minor != 0 else { continue }
            let name = month.monthName(of: zone.date(of: bought))
            let isOwn = { (own: RefundCohort) in
                own.purchaseMonth == name && own.refundMonth == refund.month && own.currency == refund.currency
            }
            if let index = cohorts.firstIndex(where: isOwn) {
                cohorts[index].count += refund.count
                cohorts[index].minor &+= refund.minor
            } else {
                cohorts.append(
                    RefundCohort(
                        purchaseMonth: name, refundMonth: refund.month, knownIn: period, currency: refund.currency,
                        count: refund.count, minor: refund.minor, purchases: purchases(name, refund.currency)))
            }
        }
        return cohorts.filter { $0.count != 0 || $0.minor != 0 }.ordered {
            ($0.refundMonth, $0.purchaseMonth, $0.currency) < ($1.refundMonth, $1.purchaseMonth, $1.currency)
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
