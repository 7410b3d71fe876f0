CREATE TABLE spelling (id INTEGER PRIMARY KEY, text TEXT NOT NULL, digits INTEGER NOT NULL);
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
CREATE TABLE purchase_table (
    block INTEGER NOT NULL, purchase_date INTEGER NOT NULL, delays BLOB NOT NULL, purchases BLOB NOT NULL,
    PRIMARY KEY (block, purchase_date)
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
