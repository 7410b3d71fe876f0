/// Evidence and verdicts in packed tables, and views that show them in plain text.
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
    static let packedTables = """
        CREATE TABLE spelling (id INTEGER PRIMARY KEY, text TEXT NOT NULL, digits INTEGER NOT NULL, UNIQUE (text, digits));
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

    static let packedViews = """
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
        """
}
