internal import Domain

/// The columns of `exceptions.csv`, in order. See docs/spec/interfaces.md#exceptions-csv.
let exceptionColumns: [Column<ExceptionRow>] = [
    Column("exception_id") { Cell($0.fields.id) },
    Column("state") { .text($0.fields.state.rawValue) },
    Column("verdict") { .text($0.fields.verdict.rawValue) },
    Column("cause") { Cell($0.fields.cause.rawValue) },
    Column("severity") { .text($0.fields.severity.rawValue) },
    Column("first_seen") { .date($0.fields.firstSeen) },
    Column("last_seen") { .date($0.fields.lastSeen) },
    Column("event_at", instant: { $0.fields.eventAt }),
    Column("age_days", figure: { Cell($0.fields.ageDays) }),
    Column("account_id") { .list($0.fields.accounts) },
    Column("order_id") { .list($0.fields.orders) },
    Column("transaction_id") { .list($0.fields.transactions) },
    Column("original_transaction_id") { .list($0.fields.originals) },
    Column("receipt_id") { .list($0.fields.receipts) },
    Column("credit_id") { .list($0.fields.credits) },
    Column("product_id") { Cell($0.fields.product) },
    Column("quantity", figure: { Cell($0.fields.quantity.map(Int.init)) }),
    Column("currency") { Cell(($0.fields.amount ?? $0.fields.effect)?.currency) },
    Column("amount", figure: { Cell($0.fields.amount) }),
    Column("effect", figure: { Cell($0.fields.effect) }),
    Column("short") { Cell($0.fields.short.rawValue) },
    Column("differs") { Cell($0.fields.differences.joined(separator: "; ")) },
    Column("flags") { .list($0.fields.flags) },
    Column("suggested_order_id") { Cell($0.fields.suggestedOrder) },
    Column("action") { .text($0.fields.action.rawValue) },
    Column("retry_key") { Cell($0.fields.retryKey) },
    Column("evidence") { .list($0.fields.evidence) },
    Column("note") { Cell($0.fields.note) },
]

/// The columns that a layout may use on the workbook's exception sheets, by name: those of `exceptions.csv` with words
/// in place of codes, the codes themselves, and columns that the CSV file does not have.
func exceptionCatalogue(_ texts: Texts) -> [String: Column<ExceptionRow>] {
    var catalogue = Dictionary(uniqueKeysWithValues: exceptionColumns.map { ($0.name, $0) })
    let words = WordTable(texts)
    let worded: [Column<ExceptionRow>] = [
        Column("state") { words.text(.state, $0.fields.state.rawValue) },
        Column("verdict") { words.verdict($0.fields.verdict) },
        Column("verdict_code") { .text($0.fields.verdict.rawValue) },
        Column("cause") { words.cause($0.fields.verdict, $0.fields.cause) },
        Column("cause_code") { Cell($0.fields.cause.rawValue) },
        Column("severity") { .severity(words.word(.severity, $0.fields.severity.rawValue), $0.fields.severity) },
        Column("short") { words.text(.short, $0.fields.short.rawValue) },
        Column("flags") { row in .list(row.fields.flags.map { words.word(.flag, $0) }) },
        Column("action") { words.text(.action, $0.fields.action.rawValue) },
        Column("last_step") { row in
            Cell(row.fields.lastEvent.map { texts.step(row.fields.state, $0) })
        },
    ]
    for column in worded { catalogue[column.name] = column }
    return catalogue
}
