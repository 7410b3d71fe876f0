internal import Domain

extension SalesTable {
    /// The movements by currency. Sales without a known price are left out.
    var movements: [Currency: Movements] {
        var sums: [Currency: Movements] = [:]
        for (key, sales) in self where key.currency != .absent {
            sums[key.currency, default: Movements()] += sales.movements
        }
        return sums
    }

    /// Sorted by app, product, storefront and currency.
    var lines: [SalesLine] {
        sorted { $0.key < $1.key }.map { key, sales in
            var line = SalesLine(
                product: key.product.text, storefront: key.storefront.text,
                currency: key.currency,
                unitsSold: sales.unitsSold, unitsRefunded: sales.unitsRefunded, movements: sales.movements)
            line.unitsRefundReversed = sales.unitsRefundReversed
            line.bundle = key.bundle.text
            return line
        }
    }
}

extension MonthTally {
    /// Sorted by currency. `MoneyLine.problem` shows whether each adds up.
    var money: [MoneyLine] {
        let movements = sales.movements
        let currencies = Set(movements.keys).union(booked.currencies).union(opening.keys).union(closing.keys)
        return currencies.sorted().map { currency in
            let reasons = explained[currency] ?? [:]
            let known = DifferenceClass.explanations.compactMap { reason in
                reasons[reason].map { MoneyLine.Explained(reason: reason, minor: $0) }
            }
            var line = MoneyLine(
                currency: currency, movements: movements[currency] ?? Movements(), explained: known,
                unexplained: reasons[.unexplained] ?? 0)
            line.estimated = estimated[currency] ?? 0
            line.bookings = booked.money(currency)
            line.opening = opening[currency] ?? Balance()
            line.closing = closing[currency] ?? Balance()
            return line
        }
    }

    /// Puts the figures into the report, sorted as the report defines.
    func fill(_ report: inout MonthReport) {
        report.money = money
        report.unpriced = unpriced
        report.sales = sales.lines
        let rank = Dictionary(
            uniqueKeysWithValues: (DifferenceClass.explanations + [.unexplained]).enumerated().map { ($1, $0) })
        report.differences = differences.sorted {
            if $0.currency != $1.currency { return $0.currency < $1.currency }
            if $0.reason != $1.reason { return rank[$0.reason]! < rank[$1.reason]! }
            return $0.subject.utf8.lexicographicallyPrecedes($1.subject.utf8)
        }
        report.bookings = booked.sortedLines
        report.refunds = refunds.sorted {
            ($0.takenBackAt ?? $0.revokedAt, $0.transaction) < ($1.takenBackAt ?? $1.revokedAt, $1.transaction)
        }
    }
}
