/// The ledger's tables. docs/use/ledger.md describes them for users.
enum Schema {
    /// "RCNC". It distinguishes a ledger from any other SQLite file.
    static let applicationID: Int64 = 0x5243_4E43

    /// Raised with every change of the tables, for which `UpgradeSteps.all` gets a step.
    static let version: Int64 = 9

    static let text = tables + described + packed.map(\.sqlWithView).joined() + indexes + views

    /// The evidence of a case lies together: a row's id is case × 2^24 + its number in the case. Instants are
    /// milliseconds since 1970 UTC, dates are days since 1970, amounts are minor units, and `price` is in thousandths
    /// of the unit. `standing` is 1 for the current version and 0 for superseded ones, which stay on record. Rows that
    /// a night reads one by one carry their own proof: `case_sum` for evidence (see `CaseSums`), `proof` for blocks of
    /// keys and for owners of tokens.
    ///
    /// A seal of a closed month has its report and the report's digest, and the folder of its files and the digest of
    /// that folder's SHA256SUMS. `known` contains the figures of all months closed so far, so that a later month can
    /// report what changed.
    private static let tables = String(decoding: PackageResources.tables_sql, as: UTF8.self)

    /// Tables whose rows describe themselves (`TableRow`).
    private static let described =
        TableDefinition(RunRow.self).sql()
        + TableDefinition(OfRun<GapDecision>.self).sql()
        + TableDefinition(OfRun<StoredLoss>.self).sql()
        + TableDefinition(OfRun<RejectLine>.self).sql()
        + TableDefinition(OfRun<RefundLine>.self).sql()
        + TableDefinition(Product.self).sql()
        + TableDefinition(StoredException.self).sql()
        + TableDefinition(EventRow.self).sql("PRIMARY KEY (exception, run, number)", isWithoutRowID: true)
        + TableDefinition(ShownRow.self).sql("PRIMARY KEY (exception, run)", isWithoutRowID: true)
        + TableDefinition(StoredRetryEntry.self).sql("UNIQUE (entry_key)")
        + TableDefinition(RetryLineRow.self).sql("PRIMARY KEY (id)")

    private static let indexes = String(decoding: PackageResources.indexes_sql, as: UTF8.self)

    /// The state of an open exception is that of its last event of the last date, if there is one. A person's decision
    /// is left out if the same date was run again after it.
    private static let views = String(decoding: PackageResources.views_sql, as: UTF8.self)
}

/// Tables whose rows are covered by a sum, because nothing else in the ledger would prove them. The contents of all
/// other tables follow from these, and `check` derives them again.
enum SummedTable: String, CaseIterable {
    case run, upkeep, delivery, arrival
    case gapDecisions = "gap_decision"
    case lossReports = "loss_report"
    case rejectedRows = "rejected_row"
    case refundLines = "refund_line"
    case orders = "packed_order"
    case credits = "packed_credit"
    case transactions = "packed_transaction"
    case receipts = "packed_receipt"
    case product
    case segments = "identifier_segment"
    case blocks = "identifier_block"
    case filters = "identifier_filter"
    case caseSums = "case_sum"
    case facts = "ledger_fact"
    case watch, tally
    case purchases = "purchase_tally"
    case purchaseTables = "purchase_table"
    case orderLookups = "order_lookup"
    case signatures = "verified_signature"
    case subject = "packed_subject"
    case spellings = "spelling"
    case exception
    case events = "exception_event"
    case exceptionRows = "exception_row"
    case exceptionKeys = "exception_key"
    case retryEntries = "retry_entry"
    case retryAnswers = "retry_answer"
    case retryReleases = "retry_release"
    case retryLines = "retry_line"
    case seals = "month_seal"

    /// The tables of evidence.
    static let evidence = allCases.filter(\.isEvidence)

    /// Tables that a night relies on as a whole: it reads and compares them before it begins. Of the other tables, it
    /// proves the rows that it reads.
    static let readWhole: [SummedTable] = [
        .run, .upkeep, .gapDecisions, .rejectedRows, .delivery, .arrival, .product, .spellings, .segments, .facts,
        .watch, .tally, .purchases, .seals,
    ]

    /// Tables that a night relies on as a whole, too. They are long, so it proves them while it reads them
    /// (`readProven`).
    static let register: [SummedTable] = [.exception, .retryEntries]

    /// Tables from which the reports of earlier nights are rendered again.
    static let rendered: [SummedTable] = [.events, .exceptionRows, .retryLines, .refundLines, .rejectedRows]

    /// Whether the table stores evidence, so that a row's first column contains its case.
    var isEvidence: Bool {
        switch self {
        case .orders, .credits, .transactions, .receipts: true
        default: false
        }
    }

    /// The columns that are hashed: all of them, whatever they are, so that an added column shows as well. A run's
    /// other columns are covered by its link.
    private var columns: String { self == .run ? "id, folder, folder_digest" : "*" }

    /// The beginning of a query for rows that are to be hashed.
    var select: String { "SELECT " + columns + " FROM " + rawValue + " " }

    /// The end of a statement that changes rows which are to be hashed.
    var returning: String { " RETURNING " + columns }
}
