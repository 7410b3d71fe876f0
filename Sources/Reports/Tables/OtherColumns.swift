/// The columns of the refunds sheet, by the names that layouts use.
func refundCatalogue(_ texts: Texts) -> [Column<RefundLine>] {
    return [
        Column("transaction_id") { Cell($0.transaction) },
        Column("product_id") { Cell($0.product) },
        Column("account_id") { Cell($0.account) },
        Column("purchased_at", instant: { $0.purchasedAt }),
        Column("revoked_at", instant: { $0.revokedAt }),
        Column("refund_kind") { texts.cell(.refund, $0.kind.rawValue) },
        // Converts thousandths of a percent to a percentage.
        Column("percentage") { Cell($0.percentage.map { decimal(Int64($0), exponent: 3) + " %" }) },
        Column("reason_code", figure: { Cell($0.reason.map(Int.init)) }),
        Column("currency") { Cell($0.amount?.currency.text) },
        Column("amount", figure: { Cell($0.amount) }),
        Column("verdict") { texts.verdict($0.verdict) },
        Column("verdict_code") { .text($0.verdict.rawValue) },
        Column("cause") { texts.cause($0.verdict, $0.cause) },
        Column("cause_code") { Cell($0.cause.rawValue) },
    ]
}

let rejectCatalogue: [Column<RejectLine>] = [
    Column("source") { Cell($0.source) },
    Column("line", figure: { Cell($0.reject.line) }),
    Column("column") { Cell($0.reject.column) },
    Column("reason") { Cell($0.reject.reason) },
    // Invalid UTF-8 is repaired for display; `rejected.jsonl` has the exact bytes.
    Column("row") { Cell(String(decoding: $0.reject.row, as: UTF8.self)) },
]

func sourceCatalogue(_ texts: Texts) -> [Column<FileLine>] {
    return [
        Column("file") { Cell($0.name) },
        Column("feed") { texts.cell(.feed, $0.feed.rawValue) },
        Column("file_date") { .date($0.fileDate) },
        Column("late") { $0.isLate ? .text(texts.column("late")) : .empty },
        Column("rows", figure: { Cell($0.counts.rows) }),
        Column("accepted", figure: { Cell($0.counts.accepted) }),
        Column("duplicates", figure: { Cell($0.counts.duplicates) }),
        Column("rejected", figure: { Cell($0.counts.rejected) }),
        Column("first_event", instant: { $0.firstEvent }),
        Column("last_event", instant: { $0.lastEvent }),
        Column("amounts") { Cell($0.amounts.map { $0.description }.joined(separator: ", ")) },
        Column("hash_total") { Cell($0.hashTotal) },
        Column("digest") { Cell($0.digest) },
    ]
}

/// The columns of the roll-forward. In each line, opening + new + reopened + changed in − changed out − resolved −
/// waived = closing. See docs/spec/rules.md#roll-forward.
func rollForwardColumns(_ texts: Texts) -> [Column<RollForwardLine>] {
    let titles =
        [texts.label(.opening), texts.sheet(.new)]
        + [Label.reopened, .changedIn, .changedOut, .resolvedTonight, .waived, .closing].map { texts.label($0) }
    var columns: [Column<RollForwardLine>] = [
        Column("verdict") { texts.verdict($0.verdict) },
        Column("currency") { Cell($0.currency.text) },
    ]
    columns += zip(titles, rollForwardFigures).flatMap { pair($0, texts, currency: { $0.currency }, value: $1.value) }
    columns += [
        Column(texts.label(.check), figure: { Cell($0.difference.count) }),
        Column(
            texts.label(.check) + " " + texts.label(.amount),
            figure: {
                $0.currency == .absent ? .empty : .money(Money(minor: $0.difference.minor, currency: $0.currency))
            }
        ),
        Column("verdict_code") { .text($0.verdict.rawValue) },
    ]
    return columns
}
