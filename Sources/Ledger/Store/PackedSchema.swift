/// The second version of the schema: evidence and verdicts in packed tables, and views of their former names that show
/// them in plain text; and filters of look-up keys (`KeyFilter`).
///
/// A packed table leaves out what its row repeats:
///
/// - A column without a declared type contains a text, packed (see `Spellings`): NULL, the text itself, or the number
///   that stands for it.
/// - 0 stands for what another row has already. In `order_id` and `account_id` of credits and receipts, that is the
///   first order of the case; in `transaction_id` and `app_account_token`, the first transaction of the case; in
///   `original_transaction_id`, the row itself. The first row of a case has number 0.
/// - A token is a blob of 16 bytes.
/// - Instants are milliseconds since the midnight, in UTC, that begins the date of the row's file (`file_date` of its
///   delivery): four bytes in place of six.
extension Schema {
    static let packed = packedTables + filling + plainViews

    private static let packedTables = """
        CREATE TABLE spelling (id INTEGER PRIMARY KEY, text TEXT NOT NULL, digits INTEGER NOT NULL, UNIQUE (text, digits));
        CREATE TABLE identifier_filter (
            segment INTEGER NOT NULL, last INTEGER NOT NULL, first INTEGER NOT NULL,
            bits BLOB NOT NULL, proof INTEGER NOT NULL,
            PRIMARY KEY (segment, last)
        );
        CREATE TABLE packed_order (
            id INTEGER PRIMARY KEY, standing INTEGER NOT NULL, delivery INTEGER NOT NULL, line INTEGER NOT NULL,
            order_id NOT NULL, account_id NOT NULL, product_id NOT NULL, quantity INTEGER NOT NULL,
            amount INTEGER, currency, app_account_token, transaction_id, bundle_id,
            status NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER
        );
        CREATE TABLE packed_credit (
            id INTEGER PRIMARY KEY, standing INTEGER NOT NULL, delivery INTEGER NOT NULL, line INTEGER NOT NULL,
            credit_id NOT NULL, order_id, transaction_id, account_id NOT NULL, product_id,
            quantity INTEGER, kind NOT NULL, origin NOT NULL, credited_at INTEGER NOT NULL
        );
        CREATE TABLE packed_transaction (
            id INTEGER PRIMARY KEY, standing INTEGER NOT NULL, delivery INTEGER NOT NULL, line INTEGER NOT NULL,
            transaction_id NOT NULL, original_transaction_id, web_order_line_item_id, bundle_id,
            product_id NOT NULL, purchased_at INTEGER NOT NULL, expires_at INTEGER, signed_at INTEGER,
            app_account_token, price INTEGER, currency, quantity INTEGER NOT NULL, type INTEGER,
            environment INTEGER NOT NULL, ownership INTEGER NOT NULL, is_upgraded INTEGER NOT NULL, storefront,
            revoked_at INTEGER, revocation_type INTEGER, revocation_reason INTEGER, revocation_percentage INTEGER,
            proof INTEGER NOT NULL, failure INTEGER NOT NULL, is_from_receipt INTEGER NOT NULL
        );
        CREATE TABLE packed_receipt (
            id INTEGER PRIMARY KEY, standing INTEGER NOT NULL, delivery INTEGER NOT NULL, line INTEGER NOT NULL,
            receipt_id, content BLOB NOT NULL, account_id NOT NULL, order_id, transaction_id,
            product_id, device_id TEXT, received_at INTEGER NOT NULL, verify_status INTEGER,
            verify_retryable INTEGER, proof INTEGER NOT NULL
        );
        CREATE TABLE packed_subject (
            id INTEGER PRIMARY KEY,
            kind INTEGER NOT NULL, key NOT NULL,
            verdict NOT NULL, cause NOT NULL, flags INTEGER NOT NULL,
            amount INTEGER, currency, purchase_date INTEGER, fulfilment INTEGER
        );

        """

    // MARK: The views

    /// SQL for the text that a packed value stands for.
    private static func plain(_ value: String) -> String {
        """
        CAST(CASE typeof(\(value)) WHEN 'integer' THEN
            (SELECT s.text || CASE s.digits WHEN 0 THEN '' ELSE printf('%0*d', s.digits, \(value) >> 10) END
                FROM spelling s WHERE s.id = iif(\(value) < 0, \(value), \(value) & 1023))
            ELSE \(value) END AS TEXT)
        """
    }

    /// SQL for a packed value, or for the one in another row if it is 0.
    private static func either(_ value: String, _ other: String) -> String {
        "CASE \(value) WHEN 0 THEN \(other) ELSE \(value) END"
    }

    /// SQL for the text of a token.
    private static func token(_ value: String) -> String {
        let parts = [(1, 8), (9, 4), (13, 4), (17, 4), (21, 12)].map { "substr(hex(\(value)), \($0), \($1))" }
        return "CAST(CASE typeof(\(value)) WHEN 'blob' THEN lower(\(parts.joined(separator: " || '-' || "))) "
            + "ELSE \(value) END AS TEXT)"
    }

    /// SQL for an instant of the row `p` from the delivery `d`.
    private static func instant(_ column: String) -> String {
        "p.\(column) + ifnull(d.file_date, 0) * 86400000 AS \(column)"
    }

    private static let firstOrder = "LEFT JOIN packed_order o ON o.id = p.id >> 24 << 24"
    private static let firstTransaction = "LEFT JOIN packed_transaction t ON t.id = p.id >> 24 << 24"
    private static let delivery = "LEFT JOIN delivery d ON d.id = p.delivery"
    private static let source = "p.id, p.standing, p.delivery, p.line, d.file_date"
    private static let order = "\(plain(either("p.order_id", "o.order_id"))) AS order_id"
    private static let account = "\(plain(either("p.account_id", "o.account_id"))) AS account_id"
    private static let transaction = "\(plain(either("p.transaction_id", "t.transaction_id"))) AS transaction_id"

    private static let plainViews = """
        CREATE VIEW backend_order AS SELECT \(source),
            \(plain("p.order_id")) AS order_id, \(plain("p.account_id")) AS account_id,
            \(plain("p.product_id")) AS product_id, p.quantity, p.amount, \(plain("p.currency")) AS currency,
            \(token(either("p.app_account_token", "t.app_account_token"))) AS app_account_token,
            \(transaction), \(plain("p.bundle_id")) AS bundle_id, \(plain("p.status")) AS status,
            \(instant("created_at")), \(instant("updated_at"))
            FROM packed_order p \(delivery) \(firstTransaction);
        CREATE VIEW backend_credit AS SELECT \(source),
            \(plain("p.credit_id")) AS credit_id, \(order), \(transaction), \(account),
            \(plain("p.product_id")) AS product_id, p.quantity,
            \(plain("p.kind")) AS kind, \(plain("p.origin")) AS origin, \(instant("credited_at"))
            FROM packed_credit p \(delivery) \(firstOrder) \(firstTransaction);
        CREATE VIEW apple_transaction AS SELECT \(source),
            \(plain("p.transaction_id")) AS transaction_id,
            \(plain(either("p.original_transaction_id", "p.transaction_id"))) AS original_transaction_id,
            \(plain("p.web_order_line_item_id")) AS web_order_line_item_id, \(plain("p.bundle_id")) AS bundle_id,
            \(plain("p.product_id")) AS product_id,
            \(instant("purchased_at")), \(instant("expires_at")), \(instant("signed_at")),
            \(token("p.app_account_token")) AS app_account_token,
            p.price, \(plain("p.currency")) AS currency, p.quantity, p.type, p.environment, p.ownership, p.is_upgraded,
            \(plain("p.storefront")) AS storefront, \(instant("revoked_at")),
            p.revocation_type, p.revocation_reason, p.revocation_percentage, p.proof, p.failure, p.is_from_receipt
            FROM packed_transaction p \(delivery);
        CREATE VIEW client_receipt AS SELECT \(source),
            \(plain("p.receipt_id")) AS receipt_id, p.content, \(account), \(order), \(transaction),
            \(plain("p.product_id")) AS product_id, p.device_id, \(instant("received_at")),
            p.verify_status, p.verify_retryable, p.proof
            FROM packed_receipt p \(delivery) \(firstOrder) \(firstTransaction);
        CREATE VIEW subject AS SELECT p.id, p.kind, \(plain("p.key")) AS key,
            \(plain("p.verdict")) AS verdict, \(plain("p.cause")) AS cause, p.flags,
            p.amount, \(plain("p.currency")) AS currency, p.purchase_date, p.fulfilment
            FROM packed_subject p;
        CREATE VIEW v_order AS
            SELECT o.*, d.name AS file FROM backend_order o JOIN delivery d ON d.id = o.delivery;
        CREATE VIEW v_credit AS
            SELECT c.*, d.name AS file FROM backend_credit c JOIN delivery d ON d.id = c.delivery;
        CREATE VIEW v_transaction AS
            SELECT t.*, d.name AS file FROM apple_transaction t JOIN delivery d ON d.id = t.delivery;
        CREATE VIEW v_receipt AS
            SELECT r.*, d.name AS file FROM client_receipt r JOIN delivery d ON d.id = r.delivery;
        """

    // MARK: Filling the packed tables from those of the first version

    /// SQL for how many digits `value` ends in, as `Identifier` counts them. Texts with other than ASCII characters are
    /// not packed, because length() counts characters and ends at a NUL.
    private static func digits(_ value: String) -> String {
        "iif(length(CAST(\(value) AS BLOB)) = length(\(value)), "
            + "min(14, length(\(value)) - length(rtrim(\(value), '0123456789'))), 0)"
    }

    /// SQL for the text before these digits.
    private static func head(_ value: String) -> String {
        "substr(\(value), 1, length(\(value)) - \(digits(value)))"
    }

    /// SQL for the packed form of a text.
    private static func packed(_ value: String) -> String {
        """
        coalesce((SELECT CAST(substr(\(value), -s.digits) AS INTEGER) << 10 | s.id FROM spelling s
            WHERE s.id > 0 AND s.text = \(head(value)) AND s.digits = \(digits(value))),
            (SELECT s.id FROM spelling s WHERE s.id < 0 AND s.text = \(value) AND s.digits = 0), \(value))
        """
    }

    /// SQL for the packed form of a text, or 0 if another row has it already.
    private static func packed(_ value: String, unless other: String) -> String {
        "iif(\(value) = \(other), 0, \(packed(value)))"
    }

    private static func since(_ column: String) -> String { "p.\(column) - ifnull(d.file_date, 0) * 86400000" }

    private static func texts(_ columns: [(table: String, names: [String])]) -> String {
        columns.flatMap { table, names in names.map { "SELECT " + $0 + " AS value FROM " + table } }
            .joined(separator: " UNION ALL ")
    }

    private static let numbered = texts([
        ("backend_order", ["order_id", "account_id", "product_id"]), ("backend_credit", ["credit_id"]),
        ("apple_transaction", ["transaction_id", "original_transaction_id", "web_order_line_item_id"]),
        ("client_receipt", ["receipt_id", "account_id"]), ("subject", ["key"]),
    ])
    private static let words = texts([
        ("backend_order", ["product_id", "currency", "bundle_id", "status"]),
        ("backend_credit", ["product_id", "kind", "origin"]),
        ("apple_transaction", ["bundle_id", "product_id", "currency", "storefront"]),
        ("client_receipt", ["product_id"]), ("subject", ["verdict", "cause", "currency"]),
    ])

    private static let filling = """
        INSERT INTO spelling SELECT row_number() OVER (ORDER BY count(*) DESC, head, digits), head, digits
            FROM (SELECT \(head("value")) AS head, \(digits("value")) AS digits FROM (\(numbered)))
            WHERE digits >= 4 GROUP BY head, digits HAVING count(*) >= 8 LIMIT 1023;
        INSERT INTO spelling SELECT -row_number() OVER (ORDER BY count(*) DESC, value), value, 0 FROM (\(words))
            WHERE length(CAST(value AS BLOB)) = length(value) GROUP BY value HAVING count(*) >= 8 LIMIT 65535;
        INSERT INTO packed_order SELECT p.id, p.standing, p.delivery, p.line,
            \(packed("p.order_id")), \(packed("p.account_id")), \(packed("p.product_id")), p.quantity,
            p.amount, \(packed("p.currency")), iif(p.app_account_token = t.app_account_token, 0, p.app_account_token),
            \(packed("p.transaction_id", unless: "t.transaction_id")), \(packed("p.bundle_id")),
            \(packed("p.status")), \(since("created_at")), \(since("updated_at"))
            FROM backend_order p LEFT JOIN delivery d ON d.id = p.delivery
            LEFT JOIN apple_transaction t ON t.id = p.id >> 24 << 24 ORDER BY p.id;
        INSERT INTO packed_credit SELECT p.id, p.standing, p.delivery, p.line,
            \(packed("p.credit_id")), \(packed("p.order_id", unless: "o.order_id")),
            \(packed("p.transaction_id", unless: "t.transaction_id")),
            \(packed("p.account_id", unless: "o.account_id")), \(packed("p.product_id")),
            p.quantity, \(packed("p.kind")), \(packed("p.origin")), \(since("credited_at"))
            FROM backend_credit p LEFT JOIN delivery d ON d.id = p.delivery
            LEFT JOIN backend_order o ON o.id = p.id >> 24 << 24
            LEFT JOIN apple_transaction t ON t.id = p.id >> 24 << 24 ORDER BY p.id;
        INSERT INTO packed_transaction SELECT p.id, p.standing, p.delivery, p.line,
            \(packed("p.transaction_id")), \(packed("p.original_transaction_id", unless: "p.transaction_id")),
            \(packed("p.web_order_line_item_id")), \(packed("p.bundle_id")), \(packed("p.product_id")),
            \(since("purchased_at")), \(since("expires_at")), \(since("signed_at")),
            p.app_account_token, p.price, \(packed("p.currency")), p.quantity, p.type,
            p.environment, p.ownership, p.is_upgraded, \(packed("p.storefront")), \(since("revoked_at")),
            p.revocation_type, p.revocation_reason, p.revocation_percentage, p.proof, p.failure, p.is_from_receipt
            FROM apple_transaction p LEFT JOIN delivery d ON d.id = p.delivery ORDER BY p.id;
        INSERT INTO packed_receipt SELECT p.id, p.standing, p.delivery, p.line,
            \(packed("p.receipt_id")), p.content, \(packed("p.account_id", unless: "o.account_id")),
            \(packed("p.order_id", unless: "o.order_id")),
            \(packed("p.transaction_id", unless: "t.transaction_id")), \(packed("p.product_id")),
            p.device_id, \(since("received_at")), p.verify_status, p.verify_retryable, p.proof
            FROM client_receipt p LEFT JOIN delivery d ON d.id = p.delivery
            LEFT JOIN backend_order o ON o.id = p.id >> 24 << 24
            LEFT JOIN apple_transaction t ON t.id = p.id >> 24 << 24 ORDER BY p.id;
        INSERT INTO packed_subject SELECT p.id, p.kind, \(packed("p.key")), \(packed("p.verdict")),
            \(packed("p.cause")), p.flags, p.amount, \(packed("p.currency")), p.purchase_date, p.fulfilment
            FROM subject p ORDER BY p.id;
        DROP VIEW v_order; DROP VIEW v_credit; DROP VIEW v_transaction; DROP VIEW v_receipt;
        DROP TABLE backend_order; DROP TABLE backend_credit; DROP TABLE apple_transaction;
        DROP TABLE client_receipt; DROP TABLE subject;
        DELETE FROM case_sum;
        DELETE FROM table_sum WHERE name IN (
            'backend_order', 'backend_credit', 'apple_transaction', 'client_receipt', 'subject', 'case_sum');

        """
}
