internal import Domain
internal import Engine

/// The tables of a month's detail sheets, which the formulas of the tie-out sheet add up.
struct MonthDetails {
    let byApp: DetailSheet<SalesLine>
    let byProduct: DetailSheet<SalesLine>
    let byStorefront: DetailSheet<SalesLine>
    let bookings: DetailSheet<BookingLine>
    let refunds: DetailSheet<MonthRefund>
    let open: DetailSheet<ExceptionRow>
    let cleared: DetailSheet<ExceptionRow>
    let cutOff: DetailSheet<DifferenceLine>
    let differences: DetailSheet<DifferenceLine>
    let register: DetailSheet<RegisterLine>
    let nights: DetailSheet<NightMovement>
    let aging: DetailSheet<AgingLine>
    let sources: DetailSheet<FileLine>

    init(_ report: MonthReport, _ texts: Texts) {
        let name = { (sheet: MonthSheet) in texts.monthSheet(sheet) }
        let movements = movementLines.map { texts.month($0.label) } + ["units_sold", "units_refunded"]
        func sales(_ sheet: MonthSheet, _ column: Column<SalesLine>, _ rows: [SalesLine]) -> DetailSheet<SalesLine> {
            DetailSheet(
                name: name(sheet), table: Table(columns: salesColumns([column], texts), rows: rows), totals: movements)
        }
        byApp = sales(
            .byApp, Column("bundle_id") { Cell(orDash($0.bundle, texts)) },
            folded(report.sales) { ($0.product, $0.storefront) = ("", "") })
        byProduct = sales(
            .byProduct, Column("product_id") { Cell($0.product) },
            folded(report.sales) { ($0.storefront, $0.bundle) = ("", "") })
        byStorefront = sales(
            .byStorefront, Column("storefront") { Cell(orDash($0.storefront, texts)) },
            folded(report.sales) { ($0.product, $0.bundle) = ("", "") }.sorted {
                ($0.storefront, $0.currency) < ($1.storefront, $1.currency)
            })
        bookings = DetailSheet(
            name: name(.bookings), table: Table(columns: bookingColumns(texts), rows: report.bookings),
            totals: ["difference"])
        refunds = DetailSheet(
            name: name(.refunds), table: Table(columns: refundColumns(texts), rows: report.refunds),
            totals: ["amount", "reversed_amount"], pagesWide: 2)
        func exceptions(_ sheet: MonthSheet, _ rows: [ExceptionRow]) -> DetailSheet<ExceptionRow> {
            DetailSheet(
                name: name(sheet), table: Table(columns: monthExceptionColumns(texts, report.waivers), rows: rows),
                totals: ["amount", "effect"], pagesWide: 2)
        }
        open = exceptions(.open, report.open)
        cleared = exceptions(.cleared, report.cleared)
        let columns = differenceColumns(texts)
        func lines(_ sheet: MonthSheet, _ rows: [DifferenceLine]) -> DetailSheet<DifferenceLine> {
            DetailSheet(
                name: name(sheet), table: Table(columns: columns, rows: rows), totals: ["difference"], pagesWide: 2)
        }
        cutOff = lines(.cutOff, report.differences.filter { $0.reason == .cutOff })
        differences = lines(.differences, report.differences.filter { $0.reason != .cutOff })
        let catalogue = sourceCatalogue(texts)
        sources = DetailSheet(
            name: name(.sources),
            table: Table(
                columns: texts.layout.sources.columns.compactMap { wanted in
                    catalogue.first { $0.name == wanted.column }
                }, rows: report.sources), pagesWide: 2)
        nights = DetailSheet(
            name: name(.nights),
            table: Table(columns: nightColumns(texts), rows: report.nights),
            pagesWide: 2)
        register = DetailSheet(
            name: name(.register), table: Table(columns: registerColumns(texts), rows: report.register),
            totals: ["by_money", "effect", "difference"])
        aging = DetailSheet(
            name: name(.aging), table: Table(columns: agingColumns(texts), rows: NightFigures(report.open).aging),
            pagesWide: 2)
    }
}

/// A dash in place of a missing text, because formulas cannot match an empty cell.
private func orDash(_ text: String, _ texts: Texts) -> String { text.isEmpty ? texts.label(.unpriced) : text }

/// The lines with one key removed, and lines that have become the same added up.
private func folded(_ lines: [SalesLine], _ blank: (inout SalesLine) -> Void) -> [SalesLine] {
    var sums: [[String]: SalesLine] = [:]
    for var line in lines {
        blank(&line)
        let key = [line.bundle, line.product, line.storefront, line.currency.text]
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
    columns.append(Column("currency") { .text(texts.code($0.currency)) })
    columns.append(Column("units_sold", figure: { .integer($0.unitsSold) }))
    columns.append(Column("units_refunded", figure: { .integer($0.unitsRefunded) }))
    columns += movementLines.map { line in
        Column(texts.month(line.label), figure: { money(line.value($0.movements), $0.currency) })
    }
    return columns
}

private func bookingColumns(_ texts: Texts) -> [Column<BookingLine>] {
    [
        Column("subject_id") { Cell($0.subject) },
        Column("currency") { .text($0.currency.text) },
        Column("explanation") { .text(texts.title($0.reason)) },
        Column("product_id") { Cell($0.product) },
        Column("order_id") { Cell($0.order) },
        Column("ordered_at", instant: { $0.orderedAt }),
        Column("purchased_at", instant: { $0.purchasedAt }),
        Column("difference", figure: { money($0.minor, $0.currency) }),
        Column("explanation_code") { .text($0.reason.rawValue) },
    ]
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
        Column("currency") { .text(texts.code($0.price?.currency ?? .absent)) },
        Column("price", figure: { Cell($0.price) }),
        Column("amount", figure: { $0.kind == .reversed ? .empty : Cell($0.amount) }),
        Column("taken_back_at", instant: { $0.takenBackAt }),
        Column("reversed_amount", figure: { $0.kind == .reversed ? Cell($0.amount) : .empty }),
        Column("verdict") { words.verdict($0.verdict) },
        Column("cause") { words.cause($0.verdict, $0.cause) },
    ]
}

private func monthExceptionColumns(_ texts: Texts, _ waivers: [WaiverLine]) -> [Column<ExceptionRow>] {
    let catalogue = exceptionCatalogue(texts)
    let decisions = Dictionary(waivers.map { ($0.exception, $0) }) { $1 }
    let names = [
        "transaction_id", "verdict", "cause", "state", "age_days", "first_seen", "currency", "amount", "effect",
        "account_id", "order_id", "product_id", "quantity", "event_at", "last_step", "note", "waived_by", "waived_at",
        "exception_id",
        "verdict_code",
    ]
    return names.map { name in
        if name == "waived_by" {
            return Column(name) { row in Cell(decisions[row.id.text]?.by) }
        }
        if name == "waived_at" {
            return Column(name, instant: { row in decisions[row.id.text]?.at })
        }
        if name == "currency" {
            return Column(name) { .text(texts.code(($0.amount ?? $0.effect)?.currency ?? .absent)) }
        }
        guard let column = catalogue[name] else { preconditionFailure("exceptions have no column \(name)") }
        return column
    }
}

private func differenceColumns(_ texts: Texts) -> [Column<DifferenceLine>] {
    let words = WordTable(texts)
    return [
        Column("subject_id") { Cell($0.subject) },
        Column("currency") { .text($0.currency.text) },
        Column("explanation") { .text($0.reason == .unexplained ? texts.month(.unexplained) : texts.title($0.reason)) },
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

private func registerColumns(_ texts: Texts) -> [Column<RegisterLine>] {
    let words = WordTable(texts)
    return [
        Column("subject_id") { Cell($0.subject) },
        Column("currency") { .text($0.currency.text) },
        Column("verdict") { words.verdict($0.verdict) },
        Column("explanation") { .text(texts.title($0.reason)) },
        Column("by_money", figure: { money($0.money, $0.currency) }),
        Column("effect", figure: { money($0.effect, $0.currency) }),
        Column("difference", figure: { money($0.effect &- $0.money, $0.currency) }),
        Column("verdict_code") { .text($0.verdict.rawValue) },
    ]
}

private func nightColumns(_ texts: Texts) -> [Column<NightMovement>] {
    let words = WordTable(texts)
    var columns: [Column<NightMovement>] = [
        Column("business_date") { .date($0.date) },
        Column("run", figure: { .integer($0.run.rawValue) }),
        Column("verdict") { words.verdict($0.line.verdict) },
        Column("currency") { .text(texts.code($0.line.currency)) },
    ]
    for figure in rollForwardFigures {
        columns.append(Column(figure.name, figure: { .integer(Int64(figure.value($0.line).count)) }))
    }
    for figure in rollForwardFigures {
        columns.append(
            Column(figure.name + "_effect", figure: { money(figure.value($0.line).effect, $0.line.currency) }))
    }
    return columns + [Column("verdict_code") { .text($0.line.verdict.rawValue) }]
}
