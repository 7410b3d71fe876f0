/// The tables of a month's detail sheets, which the formulas of the tie-out sheet add up.
struct MonthDetails {
    private let texts: Texts
    private(set) var sheets: [MonthSheet: any BookSheet] = [:]
    private(set) var ranges: [MonthSheet: DetailRange] = [:]

    init(_ report: MonthReport, _ texts: Texts) {
        self.texts = texts
        addSales(report.sales)
        add(.bookings, bookingColumns(texts), rows: report.bookings, totals: ["difference"])
        add(.refunds, refundColumns(texts), rows: report.refunds, totals: ["amount", "reversed_amount"], pagesWide: 2)
        let exceptions = monthExceptionColumns(texts, report.waivers)
        add(.open, exceptions, rows: report.open, totals: ["amount", "effect"], pagesWide: 2)
        add(.cleared, exceptions, rows: report.cleared, totals: ["amount", "effect"], pagesWide: 2)
        add(.aging, agingColumns(texts), rows: RegisterFigures(report.open).aging)
        let differences = differenceColumns(texts)
        let cutOff = report.differences.filter { $0.reason == .cutOff }
        let others = report.differences.filter { $0.reason != .cutOff }
        add(.cutOff, differences, rows: cutOff, totals: ["difference"], pagesWide: 2)
        add(.differences, differences, rows: others, totals: ["difference"], pagesWide: 2)
        add(.register, registerColumns(texts), rows: report.register, totals: ["by_money", "effect", "difference"])
        let moved = report.nights.filter { night in
            rollForwardFigures.dropFirst().dropLast().contains { $0.value(night.line) != CountAndAmount() }
        }
        add(.nights, nightColumns(texts), rows: moved, pagesWide: 2)
        if let ledger = report.subLedger {
            add(.entryRows, entryRowColumns(ledger, report, texts), rows: ledger.rows ?? [], totals: [], pagesWide: 2)
        }
        add(.sources, texts.layout.sources.columns(of: sourceCatalogue(texts)), rows: report.sources, pagesWide: 2)
    }

    private mutating func addSales(_ lines: [SalesLine]) {
        let totals = movementLines.map { texts.month($0.label) } + ["units_sold", "units_refunded"]
        let dashed = { @Sendable [texts] (text: String) in Cell(text.isEmpty ? texts.label(.unpriced) : text) }
        if Set(lines.map(\.bundle)).count > 1 {
            let byApp = folded(lines) { ($0.product, $0.storefront) = ("", "") }
            add(.byApp, salesColumns(Column("bundle_id") { dashed($0.bundle) }, texts), rows: byApp, totals: totals)
        }
        let byProduct = folded(lines) { ($0.storefront, $0.bundle) = ("", "") }
        add(.byProduct, salesColumns(Column("product_id") { Cell($0.product) }, texts), rows: byProduct, totals: totals)
        let byStorefront = folded(lines) { ($0.product, $0.bundle) = ("", "") }
        add(
            .byStorefront, salesColumns(Column("storefront") { dashed($0.storefront) }, texts), rows: byStorefront,
            totals: totals)
    }

    private mutating func add<Row: Sendable>(
        _ sheet: MonthSheet, _ columns: [Column<Row>], rows: [Row], totals: [String] = [], pagesWide: Int = 1
    ) {
        let table = Table(columns: columns, rows: rows)
        sheets[sheet] = DetailSheet(table: table, totals: totals, pagesWide: pagesWide)
        ranges[sheet] = DetailRange(texts.monthSheet(sheet), table, rowsMax: Sheet.rowsMax)
    }
}

/// The lines with one key removed, and lines that have become the same added up.
private func folded(_ lines: [SalesLine], _ blank: (inout SalesLine) -> Void) -> [SalesLine] {
    let blanked = lines.map { line in
        var line = line
        blank(&line)
        return line
    }
    return Dictionary(grouping: blanked) { [$0.bundle, $0.product, $0.storefront, $0.currency.text] }.ordered {
        $0.key.lexicographicallyPrecedes($1.key)
    }.map { _, own in
        own.dropFirst().reduce(into: own[0]) {
            $0.unitsSold += $1.unitsSold
            $0.unitsRefunded += $1.unitsRefunded
            $0.unitsRefundReversed += $1.unitsRefundReversed
            $0.movements += $1.movements
        }
    }
}

private func money(_ minor: Int64, _ currency: Currency) -> Cell {
    currency == .absent ? .empty : .money(Money(minor: minor, currency: currency))
}

private func salesColumns(_ first: Column<SalesLine>, _ texts: Texts) -> [Column<SalesLine>] {
    [
        first, Column("currency") { .text(texts.code($0.currency)) },
        Column("units_sold", figure: { .integer($0.unitsSold) }),
        Column("units_refunded", figure: { .integer($0.unitsRefunded) }),
    ]
        + movementLines.map { line in
            Column(texts.month(line.label), figure: { money(line.value($0.movements), $0.currency) })
        }
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

private func refundColumns(_ texts: Texts) -> [Column<RefundLine>] {
    let own: [Column<RefundLine>] = [
        Column("storefront") { Cell($0.storefront) },
        Column("currency") { .text(texts.code($0.price?.currency ?? .absent)) },
        Column("price", figure: { Cell($0.price) }),
        Column("amount", figure: { $0.kind == .reversed ? .empty : Cell($0.amount) }),
        Column("taken_back_at", instant: { $0.takenBackAt }),
        Column("reversed_amount", figure: { $0.kind == .reversed ? Cell($0.amount) : .empty }),
    ]
    let names = [
        "transaction_id", "product_id", "storefront", "account_id", "purchased_at", "revoked_at", "refund_kind",
        "percentage", "reason_code", "currency", "price", "amount", "taken_back_at", "reversed_amount", "verdict",
        "cause",
    ]
    let catalogue = own + refundCatalogue(texts)
    return names.map { name in catalogue.first { $0.name == name }! }
}

private func monthExceptionColumns(_ texts: Texts, _ waivers: [WaiverLine]) -> [Column<ExceptionRow>] {
    var catalogue = exceptionCatalogue(texts)
    let decisions = Dictionary(waivers.map { ($0.exception, $0) }) { $1 }
    catalogue["waived_by"] = Column("waived_by") { Cell(decisions[$0.id.text]?.by) }
    catalogue["waived_at"] = Column("waived_at", instant: { decisions[$0.id.text]?.at })
    catalogue["currency"] = Column("currency") { .text(texts.code(($0.amount ?? $0.effect)?.currency ?? .absent)) }
    let names = [
        "transaction_id", "verdict", "cause", "state", "age_days", "first_seen", "currency", "amount", "effect",
        "account_id", "order_id", "product_id", "quantity", "event_at", "last_step", "note", "waived_by", "waived_at",
        "exception_id", "verdict_code",
    ]
    return (names + ExceptionFields.later.map(\.name)).map { catalogue[$0]! }
}

private func differenceColumns(_ texts: Texts) -> [Column<DifferenceLine>] {
    return [
        Column("subject_id") { Cell($0.subject) },
        Column("currency") { .text($0.currency.text) },
        Column("explanation") { .text(texts.title($0.reason)) },
        Column("product_id") { Cell($0.product) },
        Column("account_id") { Cell($0.account) },
        Column("difference", figure: { money($0.minor, $0.currency) }),
        Column("purchased_at", instant: { $0.purchasedAt }),
        Column("refunded_at", instant: { $0.refundedAt }),
        Column("given_at", instant: { $0.creditedAt }),
        Column("reversed_at", instant: { $0.reversedAt }),
        Column("verdict") { texts.verdict($0.verdict) },
        Column("cause") { texts.cause($0.verdict, $0.cause) },
        Column("explanation_code") { .text($0.reason.code) },
    ]
}

private func entryRowColumns(_ ledger: SubLedger, _ report: MonthReport, _ texts: Texts) -> [Column<EntryRow>] {
    let rest = texts.cause(ofRestOf: report)
    let names = Dictionary(ledger.accounts.map { ($0.role, $0.name) }) { $1 }
    return [
        Column("voucher") { Cell($0.voucher) },
        Column("currency") { .text($0.line.currency.text) },
        Column("explanation") { .text(texts.title($0.line.reason)) },
        Column("ledger_account") { .text(texts.account($0.role, names[$0.role] ?? $0.role.rawValue)) },
        Column("amount", figure: { money($0.line.minor, $0.line.currency) }),
        Column("subject_id") { Cell($0.line.subject.isEmpty ? rest : $0.line.subject) },
        Column("product_id") { Cell($0.line.product) },
        Column("account_id") { Cell($0.line.account) },
        Column("purchased_at", instant: { $0.line.purchasedAt }),
        Column("refunded_at", instant: { $0.line.refundedAt }),
        Column("given_at", instant: { $0.line.creditedAt }),
        Column("reversed_at", instant: { $0.line.reversedAt }),
        Column("verdict") { $0.line.subject.isEmpty ? .empty : texts.verdict($0.line.verdict) },
        Column("cause") { texts.cause($0.line.verdict, $0.line.cause) },
        Column("explanation_code") { .text(EntryRow.code($0.line.reason.code, isShort: $0.isShort)) },
    ]
}

private func registerColumns(_ texts: Texts) -> [Column<RegisterLine>] {
    return [
        Column("subject_id") { Cell($0.subject) },
        Column("currency") { .text($0.currency.text) },
        Column("verdict") { texts.verdict($0.verdict) },
        Column("explanation") { .text(texts.title($0.reason)) },
        Column("by_money", figure: { money($0.money, $0.currency) }),
        Column("effect", figure: { money($0.effect, $0.currency) }),
        Column("difference", figure: { money($0.effect &- $0.money, $0.currency) }),
        Column("verdict_code") { .text($0.verdict.rawValue) },
    ]
}

private func nightColumns(_ texts: Texts) -> [Column<NightMovement>] {
    var columns: [Column<NightMovement>] = [
        Column("business_date") { .date($0.date) },
        Column("run", figure: { .integer($0.run.rawValue) }),
        Column("verdict") { texts.verdict($0.line.verdict) },
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
