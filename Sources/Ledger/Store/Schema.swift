internal import Domain
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
    private static let tables = """
        CREATE TABLE spelling (id INTEGER PRIMARY KEY, text TEXT NOT NULL, digits INTEGER NOT NULL, UNIQUE (text, digits));
        CREATE TABLE table_sum (
            name TEXT PRIMARY KEY, rows INTEGER NOT NULL, sum INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE upkeep (
            run INTEGER NOT NULL REFERENCES run (id),
            kind TEXT NOT NULL, by_whom TEXT, at INTEGER NOT NULL, note TEXT NOT NULL
        );
        CREATE TABLE delivery (
            id INTEGER PRIMARY KEY,
            run INTEGER NOT NULL REFERENCES run (id),
            kind TEXT NOT NULL,
            name TEXT NOT NULL,
            file_date INTEGER NOT NULL,
            digest TEXT NOT NULL,
            device INTEGER NOT NULL,
            inode INTEGER NOT NULL,
            bytes INTEGER NOT NULL,
            modified INTEGER NOT NULL,
            changed INTEGER NOT NULL,
            rows INTEGER NOT NULL,
            accepted INTEGER NOT NULL,
            duplicates INTEGER NOT NULL,
            rejected INTEGER NOT NULL
        );
        CREATE TABLE arrival (
            feed TEXT NOT NULL,
            file_date INTEGER NOT NULL,
            run INTEGER NOT NULL REFERENCES run (id),
            PRIMARY KEY (feed, file_date)
        ) WITHOUT ROWID;

        CREATE TABLE identifier_segment (id INTEGER PRIMARY KEY, keys INTEGER NOT NULL);
        CREATE TABLE identifier_block (
            segment INTEGER NOT NULL,
            first INTEGER NOT NULL,
            entries BLOB NOT NULL,
            proof INTEGER NOT NULL,
            PRIMARY KEY (segment, first)
        );
        CREATE TABLE identifier_filter (
            segment INTEGER NOT NULL, last INTEGER NOT NULL, first INTEGER NOT NULL,
            bits BLOB NOT NULL, proof INTEGER NOT NULL,
            PRIMARY KEY (segment, last)
        );
        CREATE TABLE case_sum (block INTEGER PRIMARY KEY, sums BLOB NOT NULL);
        CREATE TABLE token_owner (
            token TEXT NOT NULL,
            account_id TEXT NOT NULL,
            orders INTEGER NOT NULL,
            proof INTEGER NOT NULL,
            PRIMARY KEY (token, account_id)
        ) WITHOUT ROWID;
        CREATE TABLE loose_end (
            hash INTEGER NOT NULL,
            case_file INTEGER NOT NULL,
            PRIMARY KEY (hash, case_file)
        ) WITHOUT ROWID;
        CREATE TABLE ledger_fact (
            kind TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL,
            PRIMARY KEY (kind, key)
        ) WITHOUT ROWID;
        CREATE TABLE watch (case_file INTEGER PRIMARY KEY);
        CREATE TABLE order_lookup (
            emailed_order_id TEXT NOT NULL,
            transaction_id TEXT NOT NULL,
            delivery INTEGER NOT NULL, line INTEGER NOT NULL,
            PRIMARY KEY (emailed_order_id, transaction_id)
        ) WITHOUT ROWID;

        CREATE TABLE verified_signature (digest BLOB PRIMARY KEY) WITHOUT ROWID;

        CREATE TABLE tally (
            verdict TEXT NOT NULL, cause TEXT NOT NULL, currency TEXT NOT NULL,
            subjects INTEGER NOT NULL, amount INTEGER NOT NULL,
            PRIMARY KEY (verdict, cause, currency)
        ) WITHOUT ROWID;
        CREATE TABLE purchase_tally (
            purchase_date INTEGER NOT NULL, fulfilment INTEGER NOT NULL, currency TEXT NOT NULL,
            purchases INTEGER NOT NULL, amount INTEGER NOT NULL,
            PRIMARY KEY (purchase_date, fulfilment, currency)
        ) WITHOUT ROWID;

        CREATE TABLE exception_key (
            exception TEXT NOT NULL REFERENCES exception (id),
            kind INTEGER NOT NULL, key TEXT NOT NULL,
            PRIMARY KEY (exception, kind, key)
        ) WITHOUT ROWID;

        CREATE TABLE retry_answer (
            entry_key TEXT NOT NULL, at INTEGER NOT NULL, outcome TEXT NOT NULL, message TEXT,
            delivery INTEGER NOT NULL, line INTEGER NOT NULL
        );
        CREATE TABLE retry_release (
            entry_key TEXT NOT NULL REFERENCES retry_entry (entry_key),
            run INTEGER NOT NULL REFERENCES run (id),
            by_whom TEXT NOT NULL, at INTEGER NOT NULL, note TEXT NOT NULL
        );
        CREATE TABLE month_seal (
            period TEXT NOT NULL,
            calendar TEXT NOT NULL,
            run INTEGER NOT NULL REFERENCES run (id),
            closed_after INTEGER NOT NULL REFERENCES run (id),
            sealed_at INTEGER NOT NULL,
            by_whom TEXT NOT NULL,
            digest TEXT NOT NULL,
            report TEXT NOT NULL,
            known TEXT NOT NULL,
            folder TEXT NOT NULL,
            folder_digest TEXT NOT NULL,
            language TEXT NOT NULL,
            PRIMARY KEY (period, calendar)
        ) WITHOUT ROWID;

        """

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

    private static let indexes = """
        CREATE INDEX run_business_date ON run (business_date);
        CREATE INDEX rejected_row_run ON rejected_row (run);
        CREATE INDEX refund_line_run ON refund_line (run);
        CREATE INDEX delivery_digest ON delivery (digest);
        CREATE INDEX exception_case ON exception (case_file);
        CREATE INDEX exception_event_person ON exception_event (exception, run) WHERE by_whom IS NOT NULL;
        CREATE INDEX retry_entry_exception ON retry_entry (exception);
        CREATE INDEX retry_entry_demanded ON retry_entry (state) WHERE is_demanded = 1;
        CREATE INDEX retry_answer_key ON retry_answer (entry_key, at);
        CREATE INDEX retry_line_standing ON retry_line (id) WHERE until_run IS NULL;

        """

    /// The state of an open exception is that of its last event of the last date, if there is one. A person's decision
    /// is left out if the same date was run again after it.
    private static let views = """
        CREATE VIEW v_retry AS
            SELECT entry_key, exception, state, attempts, answer, message, dead_reason
            FROM retry_entry WHERE is_demanded = 1;
        CREATE VIEW v_exception_open AS
            SELECT x.id, ifnull((
                    SELECT e.state FROM exception_event e
                    WHERE e.exception = x.id
                        AND e.run >= (SELECT min(id) FROM run WHERE business_date = (SELECT max(business_date) FROM run))
                        AND (e.by_whom IS NULL OR e.run = (SELECT max(id) FROM run))
                    ORDER BY e.run DESC, e.number DESC LIMIT 1
                ), x.state) AS state,
                x.verdict, x.cause, x.first_seen, x.amount, x.currency, x.key AS subject
            FROM exception x WHERE x.state NOT IN ('resolved', 'waived');
        CREATE VIEW v_exception_history AS
            SELECT e.exception, r.business_date, e.state, e.verdict, e.cause, e.amount, e.currency, e.by_whom, e.note
            FROM exception_event e JOIN run r ON r.id = e.run;
        CREATE VIEW v_order AS
            SELECT o.*, d.name AS file FROM backend_order o JOIN delivery d ON d.id = o.delivery;
        CREATE VIEW v_credit AS
            SELECT c.*, d.name AS file FROM backend_credit c JOIN delivery d ON d.id = c.delivery;
        CREATE VIEW v_transaction AS
            SELECT t.*, d.name AS file FROM apple_transaction t JOIN delivery d ON d.id = t.delivery;
        CREATE VIEW v_receipt AS
            SELECT r.*, d.name AS file FROM client_receipt r JOIN delivery d ON d.id = r.delivery;

        """
}
