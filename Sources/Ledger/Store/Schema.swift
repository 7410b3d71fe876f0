/// The ledger's tables. docs/use/ledger.md describes them for users. To change them, add a migration; never edit one.
enum Schema {
    /// "RCNC". It distinguishes a ledger from any other SQLite file.
    static let applicationID: Int64 = 0x5243_4E43

    /// The migrations in order. The version of a ledger is the number of migrations that it has been through.
    static let migrations: [String] = [first + months, books + packed, resting, states, covered, nested]

    /// What a ledger needs whose evidence lies elsewhere.
    private static let books = """
        ALTER TABLE run ADD COLUMN evidence TEXT;
        ALTER TABLE run ADD COLUMN evidence_link TEXT;
        CREATE TABLE exception_key (
            exception TEXT NOT NULL REFERENCES exception (id),
            kind INTEGER NOT NULL, key TEXT NOT NULL,
            PRIMARY KEY (exception, kind, key)
        ) WITHOUT ROWID;

        """

    /// The third version: open cases that a night need not judge. `counts` has a bit for each figure of `DateCounts`.
    private static let resting = """
        CREATE TABLE resting_case (case_file INTEGER PRIMARY KEY, purchased_at INTEGER, counts INTEGER NOT NULL);

        """

    /// The fourth version: the row of an exception that is neither resolved nor waived says `open`. The view takes its
    /// state from its last event of the last date, if there is one.
    private static let states = openExceptions(fromEvents: "")

    /// The fifth version: the blocks and filters of a segment cover all keys (`Ledger.coverAllKeys`). The view leaves
    /// out a person's decision if the same date was run again after it.
    private static let covered = openExceptions(
        fromEvents: "\n                AND (e.by_whom IS NULL OR e.run = (SELECT max(id) FROM run))")

    /// The sixth version: no table changes. In `exception` and `exception_row`, the JSON that is written from now on has
    /// other members, which earlier programs cannot read.
    private static let nested = ""

    /// Replaces the view of open exceptions.
    ///
    /// - Parameter condition: further restricts the events that count.
    private static func openExceptions(fromEvents condition: String) -> String {
        """
        DROP VIEW v_exception_open;
        CREATE VIEW v_exception_open AS
            SELECT x.id, ifnull((
                    SELECT e.state FROM exception_event e
                    WHERE e.exception = x.id
                        AND e.run >= (SELECT min(id) FROM run WHERE business_date = (SELECT max(business_date) FROM run))\(condition)
                    ORDER BY e.run DESC, e.number DESC LIMIT 1
                ), x.state) AS state,
                x.verdict, x.cause, x.first_seen, x.amount, x.currency, x.key AS subject
            FROM exception x WHERE x.state NOT IN ('resolved', 'waived');

        """
    }

    /// The evidence of a case lies together: a row's id is case × 2^24 + its number in the case. Instants are
    /// milliseconds since 1970 UTC, dates are days since 1970, amounts are minor units, and `price` is in thousandths
    /// of the unit. `standing` is 1 for the current version and 0 for superseded ones, which stay on record. Rows that
    /// a night reads one by one carry their own proof: `case_sum` for evidence (see `CaseSums`), `proof` for blocks of
    /// keys and for owners of tokens.
    private static let first = """
        CREATE TABLE run (
            id INTEGER PRIMARY KEY,
            business_date TEXT NOT NULL,
            as_of INTEGER NOT NULL,
            horizon INTEGER NOT NULL,
            policy TEXT NOT NULL,
            version TEXT NOT NULL,
            folder TEXT,
            folder_digest TEXT,
            events TEXT NOT NULL, decisions TEXT NOT NULL, link TEXT NOT NULL,
            report TEXT NOT NULL
        );
        CREATE INDEX run_business_date ON run (business_date);
        CREATE TABLE table_sum (
            name TEXT PRIMARY KEY, rows INTEGER NOT NULL, sum INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE upkeep (
            run INTEGER NOT NULL REFERENCES run (id),
            kind TEXT NOT NULL, by_whom TEXT, at INTEGER NOT NULL, note TEXT NOT NULL
        );
        CREATE TABLE gap_decision (
            run INTEGER NOT NULL REFERENCES run (id),
            feed TEXT NOT NULL, file_date INTEGER NOT NULL, is_accepted INTEGER NOT NULL,
            by_whom TEXT NOT NULL, at INTEGER NOT NULL, note TEXT NOT NULL
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
        CREATE INDEX delivery_digest ON delivery (digest);

        CREATE TABLE arrival (
            feed TEXT NOT NULL,
            file_date INTEGER NOT NULL,
            run INTEGER NOT NULL REFERENCES run (id),
            PRIMARY KEY (feed, file_date)
        ) WITHOUT ROWID;

        CREATE TABLE rejected_row (
            run INTEGER NOT NULL REFERENCES run (id),
            source TEXT NOT NULL,
            line INTEGER NOT NULL,
            column_name TEXT,
            reason TEXT NOT NULL,
            row BLOB
        );
        CREATE TABLE refund_line (
            run INTEGER NOT NULL REFERENCES run (id),
            number INTEGER NOT NULL,
            transaction_id TEXT NOT NULL, product_id TEXT NOT NULL, account_id TEXT,
            purchased_at INTEGER NOT NULL, revoked_at INTEGER NOT NULL,
            kind TEXT NOT NULL, reason INTEGER, percentage INTEGER,
            amount INTEGER, currency TEXT, verdict TEXT NOT NULL, cause TEXT NOT NULL,
            PRIMARY KEY (run, number)
        ) WITHOUT ROWID;

        CREATE TABLE backend_order (
            id INTEGER PRIMARY KEY, standing INTEGER NOT NULL,
            delivery INTEGER NOT NULL, line INTEGER NOT NULL, file_date INTEGER NOT NULL,
            order_id TEXT NOT NULL, account_id TEXT NOT NULL, product_id TEXT NOT NULL, quantity INTEGER NOT NULL,
            amount INTEGER, currency TEXT, app_account_token TEXT, transaction_id TEXT, bundle_id TEXT,
            status TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER
        );
        CREATE TABLE backend_credit (
            id INTEGER PRIMARY KEY, standing INTEGER NOT NULL,
            delivery INTEGER NOT NULL, line INTEGER NOT NULL, file_date INTEGER NOT NULL,
            credit_id TEXT NOT NULL, order_id TEXT, transaction_id TEXT, account_id TEXT NOT NULL, product_id TEXT,
            quantity INTEGER, kind TEXT NOT NULL, origin TEXT NOT NULL, credited_at INTEGER NOT NULL
        );
        CREATE TABLE apple_transaction (
            id INTEGER PRIMARY KEY, standing INTEGER NOT NULL,
            delivery INTEGER NOT NULL, line INTEGER NOT NULL, file_date INTEGER NOT NULL,
            transaction_id TEXT NOT NULL, original_transaction_id TEXT, web_order_line_item_id TEXT, bundle_id TEXT,
            product_id TEXT NOT NULL, purchased_at INTEGER NOT NULL, expires_at INTEGER, signed_at INTEGER,
            app_account_token TEXT, price INTEGER, currency TEXT, quantity INTEGER NOT NULL, type INTEGER,
            environment INTEGER NOT NULL, ownership INTEGER NOT NULL, is_upgraded INTEGER NOT NULL, storefront TEXT,
            revoked_at INTEGER, revocation_type INTEGER, revocation_reason INTEGER, revocation_percentage INTEGER,
            proof INTEGER NOT NULL, failure INTEGER NOT NULL, is_from_receipt INTEGER NOT NULL
        );
        CREATE TABLE client_receipt (
            id INTEGER PRIMARY KEY, standing INTEGER NOT NULL,
            delivery INTEGER NOT NULL, line INTEGER NOT NULL, file_date INTEGER NOT NULL,
            receipt_id TEXT, content BLOB NOT NULL, account_id TEXT NOT NULL, order_id TEXT, transaction_id TEXT,
            product_id TEXT, device_id TEXT, received_at INTEGER NOT NULL, verify_status INTEGER,
            verify_retryable INTEGER, proof INTEGER NOT NULL
        );
        CREATE TABLE product (
            product_id TEXT NOT NULL, valid_from INTEGER, valid_to INTEGER, type INTEGER, name TEXT,
            amount INTEGER, currency TEXT, delivery INTEGER NOT NULL, line INTEGER NOT NULL, file_date INTEGER NOT NULL
        );

        CREATE TABLE identifier_segment (id INTEGER PRIMARY KEY, keys INTEGER NOT NULL);
        CREATE TABLE identifier_block (
            segment INTEGER NOT NULL,
            first INTEGER NOT NULL,
            entries BLOB NOT NULL,
            proof INTEGER NOT NULL,
            PRIMARY KEY (segment, first)
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

        CREATE TABLE subject (
            id INTEGER PRIMARY KEY,
            kind INTEGER NOT NULL, key TEXT NOT NULL,
            verdict TEXT NOT NULL, cause TEXT NOT NULL, flags INTEGER NOT NULL,
            amount INTEGER, currency TEXT, purchase_date INTEGER, fulfilment INTEGER
        );
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

        CREATE TABLE exception (
            id TEXT NOT NULL UNIQUE,
            case_file INTEGER NOT NULL,
            kind INTEGER NOT NULL, key TEXT NOT NULL,
            state TEXT NOT NULL,
            is_booked INTEGER NOT NULL,
            first_seen TEXT NOT NULL,
            verdict TEXT NOT NULL, cause TEXT NOT NULL, amount INTEGER, currency TEXT,
            facts TEXT NOT NULL
        );
        CREATE INDEX exception_case ON exception (case_file);
        CREATE TABLE exception_event (
            exception TEXT NOT NULL REFERENCES exception (id),
            run INTEGER NOT NULL REFERENCES run (id),
            number INTEGER NOT NULL,
            state TEXT NOT NULL, verdict TEXT NOT NULL, cause TEXT NOT NULL,
            amount INTEGER, currency TEXT,
            by_whom TEXT, at INTEGER, note TEXT,
            PRIMARY KEY (exception, run, number)
        ) WITHOUT ROWID;
        CREATE TABLE exception_row (
            exception TEXT NOT NULL REFERENCES exception (id),
            run INTEGER NOT NULL REFERENCES run (id),
            row TEXT NOT NULL,
            PRIMARY KEY (exception, run)
        ) WITHOUT ROWID;

        CREATE INDEX exception_event_person ON exception_event (exception, run) WHERE by_whom IS NOT NULL;

        CREATE TABLE retry_entry (
            entry_key TEXT NOT NULL UNIQUE,
            exception TEXT NOT NULL REFERENCES exception (id),
            state TEXT NOT NULL, is_demanded INTEGER NOT NULL,
            attempts INTEGER NOT NULL, round INTEGER NOT NULL,
            due INTEGER NOT NULL, last_emitted INTEGER, first_emitted INTEGER, is_released INTEGER NOT NULL,
            dead_reason TEXT, dead_since INTEGER,
            answer TEXT, answered_at INTEGER, message TEXT,
            facts TEXT NOT NULL
        );
        CREATE INDEX retry_entry_exception ON retry_entry (exception);
        CREATE INDEX retry_entry_demanded ON retry_entry (state) WHERE is_demanded = 1;
        CREATE TABLE retry_answer (
            entry_key TEXT NOT NULL, at INTEGER NOT NULL, outcome TEXT NOT NULL, message TEXT,
            delivery INTEGER NOT NULL, line INTEGER NOT NULL
        );
        CREATE INDEX retry_answer_key ON retry_answer (entry_key, at);
        CREATE TABLE retry_release (
            entry_key TEXT NOT NULL REFERENCES retry_entry (entry_key),
            run INTEGER NOT NULL REFERENCES run (id),
            by_whom TEXT NOT NULL, at INTEGER NOT NULL, note TEXT NOT NULL
        );
        CREATE TABLE retry_line (
            id INTEGER PRIMARY KEY,
            list TEXT NOT NULL, entry_key TEXT NOT NULL,
            since_run INTEGER NOT NULL REFERENCES run (id), until_run INTEGER REFERENCES run (id),
            line TEXT NOT NULL
        );
        CREATE INDEX retry_line_standing ON retry_line (id) WHERE until_run IS NULL;

        CREATE VIEW v_retry AS
            SELECT entry_key, exception, state, attempts, answer, message, dead_reason
            FROM retry_entry WHERE is_demanded = 1;
        CREATE VIEW v_exception_open AS
            SELECT id, state, verdict, cause, first_seen, amount, currency, key AS subject
            FROM exception WHERE state NOT IN ('resolved', 'waived');
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
