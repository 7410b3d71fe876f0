/// What each subject moved in the accounts of reasons since a month was closed last: the rows that entries of reasons consist
/// of.
struct EntryRows: Sendable {
    private struct Key: Hashable {
        var subject: SubjectKey
        var reason: DifferenceClass
        var isShort: Bool
        var currency: Currency
    }
    private var lines: [Key: DifferenceLine] = [:]

    /// Adds what a subject is out of balance by at the end of a sub-ledger.
    ///
    /// - Parameters:
    ///   - end: the end of the sub-ledger's last month.
    ///   - number: the month of an instant.
    ///   - times: 1 for the present state, −1 for the state at the last closing.
    mutating func add(
        _ legs: Legs, of subject: Subject, _ judgement: Judgement, before end: Instant, times: Int64,
        number: (Instant) -> Int
    ) {
        let verdict = judgement.verdict
        let last = number(Instant(milliseconds: end.milliseconds - 1))
        var parts = legs.open(before: end, ofMonth: last, verdict: verdict, number: number)
            .filter { $0.reason != .cutOff }
        for (currency, minor) in legs.stray(before: end) where minor > 0 {
            parts += [minor, -minor].map { (.verdict(verdict), Money(minor: $0, currency: currency)) }
        }
        for (reason, value) in parts {
            let key = Key(subject: subject.key, reason: reason, isShort: value.minor > 0, currency: value.currency)
            let empty = legs.line(of: subject, judgement, for: reason, Money(minor: 0, currency: value.currency))
            // An account's balance is debit less credit: what is owed is below 0.
            lines[key, default: empty].minor &-= times &* value.minor
        }
    }

    mutating func merge(_ other: EntryRows) {
        // A subject belongs to one case, and each case was added to one of the two.
        lines.merge(other.lines) { mine, _ in mine }
    }

    var rows: [EntryRow] {
        lines.filter { $0.value.minor != 0 }.map { EntryRow(isShort: $0.isShort, line: $1) }
    }
}

extension EntryRow {
    /// Gives the rows the vouchers of their entries, and adds a row without a subject where rows do not come to their entry:
    /// the rules are newer than the last closing.
    static func rows(_ rows: [EntryRow], of entries: [JournalEntry]) -> [EntryRow] {
        var rows = rows
        for entry in entries where entry.isShort != nil {
            let reason = DifferenceClass.ranks.keys.first { $0.code == entry.subject }!
            var rest = entry.debit == .obligation ? 0 &- entry.minor : entry.minor
            for index in rows.indices
            where rows[index].isShort == entry.isShort && rows[index].line.reason == reason
                && rows[index].line.currency == entry.currency
            {
                rows[index].voucher = entry.voucher
                rest &-= rows[index].line.minor
            }
            guard rest != 0 else { continue }
            let line = DifferenceLine(
                subject: "", reason: reason, verdict: .undetermined, cause: .none, currency: entry.currency, minor: rest
            )
            rows.append(EntryRow(voucher: entry.voucher, isShort: entry.isShort!, line: line))
        }
        return rows.ordered {
            ($0.line.currency, $0.voucher, $0.line.subject) < ($1.line.currency, $1.voucher, $1.line.subject)
        }
    }
}
