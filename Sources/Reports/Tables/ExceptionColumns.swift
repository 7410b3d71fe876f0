/// The columns of `exceptions.csv`, in order. See docs/spec/interfaces.md#exceptions-csv.
let exceptionColumns: [Column<ExceptionRow>] = [
    Column("exception_id") { .text($0.id.text) },
    Column("state") { .text($0.state.rawValue) },
    Column("verdict") { .text($0.verdict.rawValue) },
    Column("cause") { Cell($0.cause.rawValue) },
    Column("severity") { .text($0.severity.rawValue) },
    Column("first_seen") { .date($0.firstSeen) },
    Column("last_seen") { .date($0.lastSeen) },
    Column("event_at", instant: { $0.eventAt }),
    Column("age_days", figure: { Cell($0.ageDays) }),
    Column("account_id") { .list($0.accounts) },
    Column("order_id") { .list($0.orders) },
    Column("transaction_id") { .list($0.transactions) },
    Column("original_transaction_id") { .list($0.originals) },
    Column("receipt_id") { .list($0.receipts) },
    Column("credit_id") { .list($0.credits) },
    Column("product_id") { Cell($0.product) },
    Column("quantity", figure: { Cell($0.quantity.map(Int.init)) }),
    Column("currency") { Cell(($0.amount ?? $0.effect)?.currency.text) },
    Column("amount", figure: { Cell($0.amount) }),
    Column("effect", figure: { Cell($0.effect) }),
    Column("short") { Cell($0.short.rawValue) },
    Column("differs") { Cell($0.differences.map(\.rawValue).joined(separator: "; ")) },
    Column("flags") { .list($0.flags) },
    Column("suggested_order_id") { Cell($0.suggestedOrder) },
    Column("action") { .text($0.action.rawValue) },
    Column("retry_key") { Cell($0.retryKey) },
    Column("evidence") { .list($0.evidence) },
    Column("note") { Cell($0.note) },
]

/// The last columns, behind those of the labels: who has the exception in hand at the desk.
let workColumns: [Column<ExceptionRow>] = [
    Column("assignee") { Cell($0.assignee) },
    Column("ticket") { Cell($0.ticket) },
]

/// A column for each label, in the order of the names.
func labelColumns(_ names: [String]?) -> [Column<ExceptionRow>] {
    (names ?? []).map { name in Column("label_" + name) { Cell($0.labels?[name]?.text) } }
}

/// The columns that a layout may use on the workbook's exception sheets, by name: those of `exceptions.csv` with words
/// in place of codes, the codes themselves, and columns that the CSV file does not have.
func exceptionCatalogue(_ texts: Texts) -> [String: Column<ExceptionRow>] {
    var catalogue = Dictionary(uniqueKeysWithValues: exceptionColumns.map { ($0.name, $0) })
    let worded: [Column<ExceptionRow>] = [
        Column("state") { texts.cell(.state, $0.state.rawValue) },
        Column("verdict") { texts.verdict($0.verdict) },
        Column("verdict_code") { .text($0.verdict.rawValue) },
        Column("cause") { texts.cause($0.verdict, $0.cause) },
        Column("cause_code") { Cell($0.cause.rawValue) },
        Column("severity") { .severity(texts.word(.severity, $0.severity.rawValue), $0.severity) },
        Column("short") { texts.cell(.short, $0.short.rawValue) },
        Column("flags") { row in .list(row.flags.map { texts.word(.flag, $0) }) },
        Column("action") { texts.cell(.action, $0.action.rawValue) },
        Column("differs") { row in
            Cell(row.differences.map(texts.sentence).joined(separator: texts.label(.clauseSeparator)))
        },
        Column("last_step") { row in
            Cell(row.lastEvent.map { texts.step(row.state, $0) })
        },
    ]
    for column in worded + workColumns { catalogue[column.name] = column }
    return catalogue
}

/// The same for pages, where the amount stands with its currency.
func pageColumns(_ texts: Texts) -> [String: Column<ExceptionRow>] {
    var catalogue = exceptionCatalogue(texts)
    catalogue["amount"] = Column("amount", figure: { Cell($0.amount?.description) })
    return catalogue
}
