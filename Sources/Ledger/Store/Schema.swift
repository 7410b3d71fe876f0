internal import Engine

/// The ledger's tables. docs/use/ledger.md describes them for users.
enum Schema {
    /// "RCNC". It distinguishes a ledger from any other SQLite file.
    static let applicationID: Int64 = 0x5243_4E43

    /// Raised with every change of the tables. A ledger of another version is refused.
    static let version: Int64 = 2

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
