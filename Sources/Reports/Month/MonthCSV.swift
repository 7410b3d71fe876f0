internal import Engine

/// One figure of a month: a row of `month.csv`.
private struct Figure {
    /// `money`, `explained`, `exceptions`, `sales`, `apple`, `restated`.
    var section: String
    var currency: Currency
    /// What the figure is about: a verdict, a reason, a product or a closed month.
    var key = ""
    /// A storefront or a country.
    var place = ""
    var name: String
    var count: Int64?
    var minor: Int64?
}

private let columns: [Column<Figure>] = [
    Column("section") { .text($0.section) },
    Column("currency") { Cell($0.currency.text) },
    Column("key") { Cell($0.key) },
    Column("place") { Cell($0.place) },
    Column("figure") { .text($0.name) },
    Column("count") { $0.count.map { .integer($0) } ?? .empty },
    Column("amount") { figure in
        figure.currency == .absent ? .empty : Cell(figure.minor.map { Money(minor: $0, currency: figure.currency) })
    },
]

/// `month.csv`: the figures of `month.json`, one per row.
func monthCSV(_ report: MonthReport) -> [UInt8] {
    var csv = CSVWriter()
    csv.header(columns)
    for figure in money(report) + exceptions(report) + sales(report) + apple(report) + restated(report) {
        csv.row(figure, of: columns)
    }
    return csv.take()
}

private func figures(
    of movements: Movements, section: String, currency: Currency, key: String = "", place: String = ""
) -> [Figure] {
    movementLines.map {
        Figure(
            section: section, currency: currency, key: key, place: place, name: $0.label.name,
            minor: $0.value(movements))
    }
}

private func money(_ report: MonthReport) -> [Figure] {
    let counts = unpricedFigures(report).map {
        Figure(section: "unpriced", currency: .absent, name: $0.label.name, count: Int64($0.count))
    }
    return report.money.flatMap { line in
        figures(of: line.movements, section: "money", currency: line.currency)
            + line.explained.map {
                Figure(
                    section: "explained", currency: line.currency, key: $0.reason.code, name: "amount",
                    minor: $0.minor)
            }
            + [
                ("unexplained", line.unexplained), ("estimated", line.estimated), ("booked", line.bookings.booked),
                ("opening_owed", line.opening.owed), ("opening_given_free", line.opening.givenFree),
                ("closing_owed", line.closing.owed), ("closing_given_free", line.closing.givenFree),
            ].map { Figure(section: "money", currency: line.currency, name: $0.0, minor: $0.1) }
            + line.bookings.parts.map {
                Figure(
                    section: "booked", currency: line.currency, key: $0.reason.rawValue, name: "amount",
                    count: Int64($0.count), minor: $0.minor)
            }
    } + counts
}

private func exceptions(_ report: MonthReport) -> [Figure] {
    report.rollForward.flatMap { line in
        rollForwardFigures.map { figure in
            let value = figure.value(line)
            return Figure(
                section: "exceptions", currency: line.currency, key: line.verdict.rawValue, name: figure.name,
                count: Int64(value.count), minor: value.minor)
        }
    }
}

private func sales(_ report: MonthReport) -> [Figure] {
    report.sales.flatMap { line in
        [("units_sold", line.unitsSold), ("units_refunded", line.unitsRefunded)].map {
            Figure(
                section: "sales", currency: line.currency, key: line.product, place: line.storefront, name: $0.0,
                count: $0.1)
        }
            + figures(
                of: line.movements, section: "sales", currency: line.currency, key: line.product, place: line.storefront
            )
    }
}

private func apple(_ report: MonthReport) -> [Figure] {
    (report.apple?.lines ?? []).flatMap { line in
        let sums =
            [
                ("ledger", line.ledger), ("apple", line.apple), ("difference", line.difference),
                ("explained", line.explained), ("unexplained", line.unexplained),
            ] + line.steps.sorted { $0.key.rawValue < $1.key.rawValue }.map { ($0.key.rawValue, $0.value) }
        return sums.map {
            Figure(
                section: line.kind == .sales ? "apple_sales" : "apple_returns", currency: line.currency,
                key: line.product, place: line.country, name: $0.0, count: $0.1.units, minor: $0.1.minor)
        }
    }
}

private func restated(_ report: MonthReport) -> [Figure] {
    report.restated.flatMap { figures(of: $0.change, section: "restated", currency: $0.currency, key: $0.period) }
}
