/// Ties the month's money to the register of exceptions at its end: what is in one and not in the other, and why.
struct RegisterTie {
    private struct Key: Hashable {
        var subject: String
        var verdict: Verdict
        var currency: Currency
    }
    private let report: MonthReport
    private let isWithin: (Instant) -> Bool
    private var rows: [String: [Int]] = [:]
    private(set) var lines: [RegisterLine] = []

    /// - Parameter isWithin: whether an instant falls into the month.
    init(_ report: MonthReport, isWithin: @escaping (Instant) -> Bool) {
        self.report = report
        self.isWithin = isWithin
        for (index, row) in report.open.enumerated() {
            for id in Self.ids(of: row) { rows[id, default: []].append(index) }
        }
        var known = Set<Int>()
        for (key, money) in money() { add(key, money: money, known: &known) }
        for (index, row) in report.open.enumerated() where !known.contains(index) { add(row) }
        lines.order {
            ($0.currency, $0.verdict.rawValue, $0.subject) < ($1.currency, $1.verdict.rawValue, $1.subject)
        }
    }

    private static func ids(of row: ExceptionRow) -> Set<String> {
        Set(row.transactions + row.orders + row.receipts + row.credits)
    }

    /// What each subject has too much by the month's money, apart from cut-off and partial refunds.
    private func money() -> [Key: Int64] {
        var sums: [Key: Int64] = [:]
        for line in report.differences {
            let verdict: Verdict
            switch line.reason {
            case .verdict(let own): verdict = own
            case .unexplained: verdict = line.verdict
            case .cutOff, .partialRefund: continue
            }
            sums[Key(subject: line.subject, verdict: verdict, currency: line.currency), default: 0] &-= line.minor
        }
        return sums
    }

    private mutating func add(_ key: Key, money: Int64, known: inout Set<Int>) {
        let index = rows[key.subject]?.first {
            !known.contains($0) && report.open[$0].verdict == key.verdict
                && report.open[$0].effect?.currency == key.currency
        }
        guard let index else {
            append(key, reason(of: key), money: money, effect: 0)
            return
        }
        known.insert(index)
        let row = report.open[index]
        let effect = row.effect?.minor ?? 0
        guard effect != money else { return }
        append(key, ownReason(of: row) ?? .otherMonths, money: money, effect: effect)
    }

    private mutating func add(_ row: ExceptionRow) {
        guard let effect = row.effect, effect.minor != 0, effect.currency == row.amount?.currency else { return }
        let subject = row.transactions.first ?? row.orders.first ?? row.receipts.first ?? row.credits.first ?? ""
        let key = Key(subject: subject, verdict: row.verdict, currency: effect.currency)
        let reason: RegisterReason = ownReason(of: row) ?? (isWithin(row.eventAt) ? .later : .otherMonths)
        append(key, reason, money: 0, effect: effect.minor)
    }

    /// Why an exception's effect is not in the money, by its verdict alone.
    private func ownReason(of row: ExceptionRow) -> RegisterReason? {
        switch (row.verdict, row.cause) {
        case (.creditedToWrongAccount, _): .wrongAccount
        case (.valueMismatch, .amount), (.valueMismatch, .currency): .booking
        default: nil
        }
    }

    /// Why a part of the money is not in the register.
    private func reason(of key: Key) -> RegisterReason {
        if !key.verdict.isException { return .undecided }
        let cleared = report.cleared.last { Self.ids(of: $0).contains(key.subject) }
        switch cleared?.state {
        case .waived: return .waived
        case .resolved: return .cleared
        default: return .later
        }
    }

    private mutating func append(_ key: Key, _ reason: RegisterReason, money: Int64, effect: Int64) {
        lines.append(
            RegisterLine(
                subject: key.subject, verdict: key.verdict, reason: reason, currency: key.currency, money: money,
                effect: effect))
    }
}
