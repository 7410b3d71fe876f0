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
            SalesLine(
                product: key.product.text, storefront: key.storefront.text, currency: key.currency,
                unitsSold: sales.unitsSold, unitsRefunded: sales.unitsRefunded,
                unitsRefundReversed: sales.unitsRefundReversed, bundle: key.bundle.text, movements: sales.movements)
        }
    }
}

extension MonthTally {
    /// Sorted by currency. `MoneyLine.problem` shows whether each adds up.
    var money: [MoneyLine] {
        let movements = sales.movements
        return Set(movements.keys).union(sums.keys).ordered().map { currency in
            let own = sums[currency] ?? CurrencySums()
            return MoneyLine(
                currency: currency, movements: movements[currency] ?? Movements(),
                bookings: BookedMoney(
                    booked: own.booked,
                    parts: BookingReason.allCases.compactMap { reason in
                        own.bookings[reason].map {
                            BookedMoney.Part(reason: reason, count: $0.count, minor: $0.minor)
                        }
                    }),
                estimated: own.estimated, opening: own.opening, closing: own.closing,
                strayed: own.strayed,
                explained: DifferenceClass.explanations.compactMap { reason in
                    own.explained[reason].map { MoneyLine.Explained(reason: reason, minor: $0) }
                }, unexplained: own.explained[.unexplained] ?? 0)
        }
    }

    /// What the sub-ledger rests on, sorted by currency.
    private var books: [Book] {
        sums.ordered().map { currency, own in
            Book(
                currency: currency, brought: own.brought, cutOff: own.cutOff,
                parts: (DifferenceClass.explanations + [.unexplained]).compactMap { reason in
                    own.open[reason].map { Book.Part(reason: reason, balance: $0) }
                })
        }
    }

    /// Puts the figures into the report, sorted as the report defines.
    func fill(_ report: inout MonthReport) {
        report.money = money
        report.subLedger = SubLedger(postedOn: scope.book.upperBound, books: books)
        report.unpriced = unpriced
        report.sales = sales.lines
        let rank = DifferenceClass.ranks
        report.differences = differences.ordered {
            if $0.currency != $1.currency { return $0.currency < $1.currency }
            if $0.reason != $1.reason { return rank[$0.reason]! < rank[$1.reason]! }
            return $0.subject.isBefore($1.subject)
        }
        report.bookings = bookings.ordered {
            if $0.currency != $1.currency { return $0.currency < $1.currency }
            if $0.reason != $1.reason { return $0.reason < $1.reason }
            return $0.subject.isBefore($1.subject)
        }
        report.refunds = refunds.ordered {
            ($0.takenBackAt ?? $0.revokedAt, $0.transaction) < ($1.takenBackAt ?? $1.revokedAt, $1.transaction)
        }
    }
}
