/// One figure of a month: a row of `month.csv`.
private struct Figure {
    /// `money`, `explained`, `exceptions`, `sales`, `apple`, `restated`, `accepted_gaps` …
    var section: String
    var currency: Currency
    /// What the figure is about: a verdict, a reason, a product, a closed month or a feed.
    var key = ""
    /// A storefront or a country; of a gap, its date; of a setting, its former value.
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
    for figure in money(report) + exceptions(report) + sales(report) + apple(report) + restated(report)
        + accepted(report) + changed(report)
    {
        csv.row(figure, of: columns)
    }
    return csv.take()
}

/// The figures of one line: of each name a count, an amount or both.
private func figures(
    _ section: String, _ currency: Currency, key: String = "", place: String = "",
    of values: [(name: String, count: Int64?, minor: Int64?)]
) -> [Figure] {
    values.map {
        Figure(
            section: section, currency: currency, key: key, place: place, name: $0.name, count: $0.count,
            minor: $0.minor)
    }
}

private func moved(_ movements: Movements) -> [(name: String, count: Int64?, minor: Int64?)] {
    movementLines.map { ($0.label.name, nil, $0.value(movements)) }
}

private func money(_ report: MonthReport) -> [Figure] {
    report.money.flatMap { line in
        let currency = line.currency
        return figures("money", currency, of: moved(line.movements))
            + line.explained.flatMap {
                figures("explained", currency, key: $0.reason.code, of: [("amount", nil, $0.minor)])
            }
            + figures(
                "money", currency,
                of: [
                    ("unexplained", nil, line.unexplained), ("estimated", nil, line.estimated),
                    ("booked", nil, line.bookings.booked), ("opening_owed", nil, line.opening.owed),
                    ("opening_given_free", nil, line.opening.givenFree), ("closing_owed", nil, line.closing.owed),
                    ("closing_given_free", nil, line.closing.givenFree),
                ])
            + line.bookings.parts.flatMap {
                figures("booked", currency, key: $0.reason.rawValue, of: [("amount", Int64($0.count), $0.minor)])
            }
    } + figures("unpriced", .absent, of: unpricedFigures(report).map { ($0.label.name, Int64($0.count), nil) })
}

private func exceptions(_ report: MonthReport) -> [Figure] {
    report.rollForward.flatMap { line in
        figures(
            "exceptions", line.currency, key: line.verdict.rawValue,
            of: rollForwardFigures.map { ($0.name, Int64($0.value(line).count), $0.value(line).minor) })
    }
}

private func sales(_ report: MonthReport) -> [Figure] {
    report.sales.flatMap { line in
        figures(
            "sales", line.currency, key: line.product, place: line.storefront,
            of: [("units_sold", line.unitsSold, nil), ("units_refunded", line.unitsRefunded, nil)]
                + moved(line.movements))
    }
}

private func apple(_ report: MonthReport) -> [Figure] {
    (report.apple?.lines ?? []).flatMap { line in
        let sums =
            [
                ("ledger", line.ledger), ("apple", line.apple), ("difference", line.difference),
                ("explained", line.explained), ("unexplained", line.unexplained),
            ] + line.steps.ordered { $0.key.rawValue < $1.key.rawValue }.map { ($0.key.rawValue, $0.value) }
        return figures(
            line.kind == .sales ? "apple_sales" : "apple_returns", line.currency, key: line.product,
            place: line.country, of: sums.map { ($0.0, $0.1.units, $0.1.minor) })
    }
}

private func restated(_ report: MonthReport) -> [Figure] {
    report.restated.flatMap { figures("restated", $0.currency, key: $0.period, of: moved($0.change)) }
        + report.restatedFigures.flatMap {
            figures("restated", $0.currency, key: $0.period, of: [($0.figure, nil, $0.change)])
        }
}

/// The gaps that people accepted: feed, date, and who did it why.
private func accepted(_ report: MonthReport) -> [Figure] {
    report.acceptedGaps.flatMap {
        figures("accepted_gaps", .absent, key: $0.feed, place: $0.date.text, of: [("\($0.by): \($0.note)", 1, nil)])
    }
}

/// What changed since a month was closed last beside the figures: decisions about gaps, gaps, and settings.
private func changed(_ report: MonthReport) -> [Figure] {
    report.gapDecisions.flatMap {
        figures(
            "gap_decisions", .absent, key: $0.feed, place: $0.date.text,
            of: [("\($0.isAccepted ? "accepted" : "reopened") by \($0.by): \($0.note)", 1, nil)])
    }
        + report.gapChanges.flatMap {
            figures(
                "gap_changes", .absent, key: $0.feed.rawValue, place: $0.date.text,
                of: [($0.hasBegun ? "began" : "ended", 1, nil)])
        }
        + report.settingsChanged.flatMap {
            figures("settings_changed", .absent, key: $0.setting, place: $0.old ?? "", of: [($0.new ?? "", 1, nil)])
        }
}
