internal import Domain
internal import ReportData

/// The tables of a month's detail sheets, which the formulas of the tie-out sheet add up.
struct MonthDetails {
    let byProduct: Table<SalesLine>
    let byStorefront: Table<SalesLine>
    let refunds: Table<MonthRefund>
    let open: Table<ExceptionRow>
    let cleared: Table<ExceptionRow>
    let cutOff: Table<DifferenceLine>
    let differences: Table<DifferenceLine>
    let nights: Table<NightMovement>
    let aging: Table<AgingLine>

    init(_ report: MonthReport, _ texts: Texts) {
        byProduct = Table(
            columns: salesColumns([Column("product_id") { Cell($0.product) }], texts),
            rows: folded(report.sales) { $0.storefront = "" })
        byStorefront = Table(
            columns: salesColumns([Column("storefront") { Cell(orDash($0.storefront, texts)) }], texts),
            rows: folded(report.sales) { $0.product = "" }.sorted {
                ($0.storefront, $0.currency) < ($1.storefront, $1.currency)
            })
        refunds = Table(columns: refundColumns(texts), rows: report.refunds)
        open = Table(columns: exceptionColumns(texts), rows: report.open)
        cleared = Table(columns: exceptionColumns(texts), rows: report.cleared)
        let columns = differenceColumns(texts)
        cutOff = Table(columns: columns, rows: report.differences.filter { $0.reason == .cutOff })
        differences = Table(columns: columns, rows: report.differences.filter { $0.reason != .cutOff })
        nights = Table(columns: nightColumns(texts), rows: report.nights)
        aging = Table(columns: agingColumns(texts), rows: NightFigures(report.open).aging)
    }
}

/// A dash in place of a missing text, because formulas cannot match an empty cell.
private func orDash(_ text: String?, _ texts: Texts) -> String {
    guard let text, !text.isEmpty else { return texts.label(.unpriced) }
    return text
}

/// The lines with one key removed, and lines that have become the same added up.
private func folded(_ lines: [SalesLine], _ blank: (inout SalesLine) -> Void) -> [SalesLine] {
    var sums: [[String]: SalesLine] = [:]
    for var line in lines {
        blank(&line)
        let key = [line.product, line.storefront, line.currency.text]
        guard var sum = sums[key] else {
            sums[key] = line
            continue
        }
        sum.unitsSold += line.unitsSold
        sum.unitsRefunded += line.unitsRefunded
        sum.unitsRefundReversed += line.unitsRefundReversed
        sum.movements += line.movements
        sums[key] = sum
    }
    return sums.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value)
}

private func money(_ minor: Int64, _ currency: Currency) -> Cell {
    currency == .absent ? .empty : .money(Money(minor: minor, currency: currency))
}

private func salesColumns(_ first: [Column<SalesLine>], _ texts: Texts) -> [Column<SalesLine>] {
    var columns = first
    columns.append(Column("currency") { .text(orDash($0.currency.text, texts)) })
    columns.append(Column("units_sold", figure: { .integer($0.unitsSold) }))
    columns.append(Column("units_refunded", figure: { .integer($0.unitsRefunded) }))
    columns += movementLines.map { line in
        Column(texts.month(line.label), figure: { money(line.value($0.movements), $0.currency) })
    }
    return columns
}

private func refundColumns(_ texts: Texts) -> [Column<MonthRefund>] {
    let words = WordTable(texts)
    return [
        Column("transaction_id") { Cell($0.transaction) },
        Column("product_id") { Cell($0.product) },
        Column("storefront") { Cell($0.storefront) },
        Column("account_id") { Cell($0.account) },
        Column("purchased_at", instant: { $0.purchasedAt }),
        Column("revoked_at", instant: { $0.revokedAt }),
        Column("refund_kind") { .text(texts.title($0.kind)) },
        Column("percentage") { Cell($0.percentage.map { decimal(Int64($0), exponent: 3) + " %" }) },
        Column("reason_code", figure: { Cell($0.reason.map(Int.init)) }),
        Column("currency") { .text(orDash($0.price?.currency.text, texts)) },
        Column("price", figure: { Cell($0.price) }),
        Column("amount", figure: { Cell($0.amount) }),
        Column("taken_back_at", instant: { $0.takenBackAt }),
        Column("verdict") { words.verdict($0.verdict) },
        Column("cause") { words.cause($0.verdict, $0.cause) },
    ]
}

private func exceptionColumns(_ texts: Texts) -> [Column<ExceptionRow>] {
    let catalogue = exceptionCatalogue(texts)
    let names = [
        "verdict", "cause", "age_days", "first_seen", "account_id", "order_id", "transaction_id", "product_id",
        "quantity", "currency", "amount", "state", "last_step", "effect", "event_at", "note", "exception_id",
        "verdict_code",
    ]
    return names.map { name in
        if name == "currency" { return Column(name) { .text(orDash($0.amount?.currency.text, texts)) } }
        guard let column = catalogue[name] else { preconditionFailure("exceptions have no column \(name)") }
        return column
    }
}

private func differenceColumns(_ texts: Texts) -> [Column<DifferenceLine>] {
    let words = WordTable(texts)
    return [
        Column("currency") { .text($0.currency.text) },
        Column("explanation") { .text($0.reason == .unexplained ? texts.month(.unexplained) : texts.title($0.reason)) },
        Column("subject_id") { Cell($0.subject) },
        Column("product_id") { Cell($0.product) },
        Column("account_id") { Cell($0.account) },
        Column("difference", figure: { money($0.minor, $0.currency) }),
        Column("purchased_at", instant: { $0.purchasedAt }),
        Column("refunded_at", instant: { $0.refundedAt }),
        Column("credited_at", instant: { $0.creditedAt }),
        Column("reversed_at", instant: { $0.reversedAt }),
        Column("verdict") { words.verdict($0.verdict) },
        Column("cause") { words.cause($0.verdict, $0.cause) },
        Column("explanation_code") { .text($0.reason.code) },
    ]
}

private func nightColumns(_ texts: Texts) -> [Column<NightMovement>] {
    let words = WordTable(texts)
    var columns: [Column<NightMovement>] = [
        Column("business_date") { .date($0.date) },
        Column("run", figure: { .integer($0.run.rawValue) }),
        Column("verdict") { words.verdict($0.line.verdict) },
        Column("currency") { .text(orDash($0.line.currency.text, texts)) },
    ]
    for figure in rollForwardFigures {
        columns.append(Column(figure.name, figure: { .integer(Int64(figure.value($0.line).count)) }))
    }
    for figure in rollForwardFigures {
        let title = figure.name + "_amount"
        columns.append(Column(title, figure: { money(figure.value($0.line).minor, $0.line.currency) }))
    }
    return columns + [Column("verdict_code") { .text($0.line.verdict.rawValue) }]
}
