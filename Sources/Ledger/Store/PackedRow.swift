internal import Domain
internal import Engine

/// A row of a packed table. Its id comes before its fields, and in evidence, `standing` does.
protocol PackedRow: TableRow {
    /// The position of the table in `Schema.packed`.
    static var place: Int { get }
}

/// What rows of other tables leave out, because the first row of the case has it.
struct FirstRows: Sendable {
    var order: Identifier?
    var account: Identifier?
    var transaction: Identifier?
    var token: Token?
}

/// A kind of evidence as rows.
protocol PackedEvidence: PackedRow {
    var source: Provenance { get }
    /// Notes what other rows of the case leave out if this is the first row of its kind.
    func note(in first: inout FirstRows)
    /// Calls `body` with each key by which look-ups find the case.
    func forEachKey(_ reader: inout IdentifierReader, _ body: (Int64) -> Void)
}

extension PackedEvidence {
    func note(in first: inout FirstRows) {}
}

extension Transaction: PackedEvidence {
    static var table: SummedTable { .transactions }
    static var place: Int { 0 }
    static let blank = Transaction(id: .absent, product: .absent, purchasedAt: .absent)

    mutating func describe<Fields: FieldVisitor & ~Copyable>(_ fields: inout Fields) throws(Fields.Failure) {
        try fields.source(&source)
        try fields.field("transaction_id", &id, as: Spelled())
        try fields.field("original_transaction_id", &original, as: Spelled(unless: "p.transaction_id", id))
        try fields.field("web_order_line_item_id", &line, as: Spelled())
        try fields.field("bundle_id", &bundle, as: Spelled(word: true))
        try fields.field("product_id", &product, as: Spelled(word: true))
        try fields.field("purchased_at", &purchasedAt, as: SinceFile())
        try fields.field("expires_at", &expiresAt, as: SinceFile())
        try fields.field("signed_at", &signedAt, as: SinceFile())
        try fields.field("app_account_token", &token, as: TokenBlob())
        var (thousandths, currency) = (price?.thousandths, price?.currency)
        try fields.field("price", &thousandths, as: Number.amount)
        try fields.field("currency", &currency, as: CurrencyWord())
        price = currency.map { Price(thousandths: thousandths ?? 0, currency: $0) }
        try fields.field("quantity", &quantity, as: Number(1...1_000_000))
        try fields.field("type", &type, as: Code())
        try fields.field("environment", &environment, as: Code())
        try fields.field("ownership", &ownership, as: Code())
        try fields.field("is_upgraded", &isUpgraded, as: Flag())
        try fields.field("storefront", &storefront, as: Spelled(word: true))
        var (at, kind, reason, percentage) = (
            revocation?.at, revocation?.type, revocation?.reason, revocation?.percentage
        )
        try fields.field("revoked_at", &at, as: SinceFile())
        try fields.field("revocation_type", &kind, as: Code())
        try fields.field("revocation_reason", &reason, as: Number())
        try fields.field("revocation_percentage", &percentage, as: Number())
        revocation = at.map {
            Revocation(at: $0, type: kind ?? .unnamed, reason: reason, percentage: percentage)
        }
        try fields.field("proof", &proof, as: Code())
        try fields.field("failure", &failure, as: Code())
        try fields.field("is_from_receipt", &isFromReceipt, as: Flag())
    }

    func note(in first: inout FirstRows) {
        first.transaction = id
        first.token = token
    }

    func forEachKey(_ reader: inout IdentifierReader, _ body: (Int64) -> Void) {
        body(reader.key(.transaction, id))
        if let original, original != id { body(reader.key(.transaction, original)) }
        if let line { body(reader.key(.line, line)) }
        if let token { body(IdentifierReader.key(of: token)) }
    }
}

extension Order: PackedEvidence {
    static var table: SummedTable { .orders }
    static var place: Int { 1 }
    static let blank = Order(id: .absent, account: .absent, product: .absent, status: .created, createdAt: .absent)
    private static let statuses = Words(OrderStatus.allCases, \.rawValue)

    mutating func describe<Fields: FieldVisitor & ~Copyable>(_ fields: inout Fields) throws(Fields.Failure) {
        try fields.source(&source)
        try fields.field("order_id", &id, as: Spelled())
        try fields.field("account_id", &account, as: Spelled())
        try fields.field("product_id", &product, as: Spelled(word: true))
        try fields.field("quantity", &quantity, as: Number(1...1_000_000))
        try fields.money(&amount, as: .amount, in: CurrencyWord())
        try fields.field("app_account_token", &token, as: TokenBlob(unless: "t.app_account_token", fields.first.token))
        try fields.field(
            "transaction_id", &transaction, as: Spelled(unless: "t.transaction_id", fields.first.transaction))
        try fields.field("bundle_id", &bundle, as: Spelled(word: true))
        try fields.field("status", &status, as: Self.statuses)
        try fields.field("created_at", &createdAt, as: SinceFile())
        try fields.field("updated_at", &updatedAt, as: SinceFile())
    }

    func note(in first: inout FirstRows) {
        first.order = id
        first.account = account
    }

    func forEachKey(_ reader: inout IdentifierReader, _ body: (Int64) -> Void) {
        body(reader.key(.order, id))
        body(reader.key(.account, account))
        if let transaction { body(reader.key(.transaction, transaction)) }
        if let token { body(IdentifierReader.key(of: token)) }
    }
}

extension Credit: PackedEvidence {
    static var table: SummedTable { .credits }
    static var place: Int { 2 }
    static let blank = Credit(id: .absent, account: .absent, creditedAt: .absent)
    private static let kinds = Words(CreditKind.allCases, \.rawValue)
    private static let origins = Words(CreditOrigin.allCases, \.rawValue)

    mutating func describe<Fields: FieldVisitor & ~Copyable>(_ fields: inout Fields) throws(Fields.Failure) {
        try fields.source(&source)
        try fields.field("credit_id", &id, as: Spelled())
        try fields.field("order_id", &order, as: Spelled(unless: "o.order_id", fields.first.order))
        try fields.field(
            "transaction_id", &transaction, as: Spelled(unless: "t.transaction_id", fields.first.transaction))
        try fields.field("account_id", &account, as: Spelled(unless: "o.account_id", fields.first.account))
        try fields.field("product_id", &product, as: Spelled(word: true))
        try fields.field("quantity", &quantity, as: Number(1...1_000_000))
        try fields.field("kind", &kind, as: Self.kinds)
        try fields.field("origin", &origin, as: Self.origins)
        try fields.field("credited_at", &creditedAt, as: SinceFile())
    }

    func forEachKey(_ reader: inout IdentifierReader, _ body: (Int64) -> Void) {
        body(reader.key(.credit, id))
        body(reader.key(.account, account))
        if let order { body(reader.key(.order, order)) }
        if let transaction { body(reader.key(.transaction, transaction)) }
    }
}

extension Receipt: PackedEvidence {
    static var table: SummedTable { .receipts }
    static var place: Int { 3 }
    static let blank = Receipt(content: .absent, account: .absent, receivedAt: .absent)

    mutating func describe<Fields: FieldVisitor & ~Copyable>(_ fields: inout Fields) throws(Fields.Failure) {
        try fields.source(&source)
        try fields.field("receipt_id", &givenID, as: Spelled())
        try fields.field("content", &content, as: DigestBlob())
        try fields.field("account_id", &account, as: Spelled(unless: "o.account_id", fields.first.account))
        try fields.field("order_id", &order, as: Spelled(unless: "o.order_id", fields.first.order))
        try fields.field(
            "transaction_id", &transaction, as: Spelled(unless: "t.transaction_id", fields.first.transaction))
        try fields.field("product_id", &product, as: Spelled(word: true))
        try fields.field("device_id", &device, as: PlainText())
        try fields.field("received_at", &receivedAt, as: SinceFile())
        try fields.field("verify_status", &verifyStatus, as: Number())
        try fields.field("verify_retryable", &isRetryable, as: Flag())
        try fields.field("proof", &proof, as: Code())
    }

    func forEachKey(_ reader: inout IdentifierReader, _ body: (Int64) -> Void) {
        body(givenID.map { reader.key(.receipt, $0) } ?? IdentifierKind.receipt.hash(content.words.0))
        body(reader.key(.account, account))
        if let order { body(reader.key(.order, order)) }
        if let transaction { body(reader.key(.transaction, transaction)) }
    }
}

extension StoredVerdict: PackedRow {
    static var table: SummedTable { .subject }
    static var place: Int { 4 }
    static let blank = StoredVerdict(
        subject: SubjectKey(.transaction, .absent), verdict: .matched, cause: .none, flags: [], amount: nil,
        outcome: nil)
    private static let verdicts = Words(Verdict.allCases, \.rawValue)
    private static let causes = Words(Cause.allCases, \.rawValue)

    mutating func describe<Fields: FieldVisitor & ~Copyable>(_ fields: inout Fields) throws(Fields.Failure) {
        var (kind, key, bits) = (subject.kind, subject.id, flags.rawValue)
        try fields.field("kind", &kind, as: Code())
        try fields.field("key", &key, as: Spelled())
        subject = SubjectKey(kind, key)
        try fields.field("verdict", &verdict, as: Self.verdicts)
        try fields.field("cause", &cause, as: Self.causes)
        try fields.field("flags", &bits, as: Number())
        flags = Flags(rawValue: bits)
        try fields.money(&amount, in: CurrencyWord())
        var (date, fulfilment) = (outcome?.date.day, outcome?.fulfilment)
        try fields.field("purchase_date", &date, as: Number(0...2_932_896))
        try fields.field("fulfilment", &fulfilment, as: Code())
        outcome = date.flatMap { PurchaseOutcome(BusinessDate(day: $0), fulfilment ?? .waiting) }
    }
}
