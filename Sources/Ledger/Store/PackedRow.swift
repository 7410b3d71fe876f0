internal import Domain
internal import Engine

/// A value that a packed table has a row for. Its fields are described once, in `describe`: the table, its view, writing
/// and reading follow from it (`PackedTable`, `FieldWriter`, `FieldReader`).
protocol PackedRow: Sendable {
    /// The position of the table in `Schema.packed`.
    static var place: Int { get }
    /// What reading a row begins with.
    static var blank: Self { get }
    /// Calls `fields` with each field, in the order of the columns.
    mutating func describe<Fields: FieldVisitor & ~Copyable>(_ fields: inout Fields) throws(Fields.Failure)
}

/// What goes through the fields of a row: it writes them, sets them or asks how they are stored.
protocol FieldVisitor: ~Copyable {
    associatedtype Failure: Error

    /// What 0 stands for in this case.
    var first: FirstRows { get }
    /// The columns `delivery` and `line`. The view shows `file_date` as well.
    mutating func source(_ source: inout Provenance) throws(Failure)
    mutating func field<P: Packing>(
        _ column: StaticString, _ value: inout P.Value?, _ packing: P, isRequired: Bool) throws(Failure)
}

extension FieldVisitor where Self: ~Copyable {
    @inline(__always)
    mutating func field<P: Packing>(
        _ column: StaticString, _ value: inout P.Value?, _ packing: P
    ) throws(Failure) {
        try field(column, &value, packing, isRequired: false)
    }

    /// A field that every row has.
    @inline(__always)
    mutating func field<P: Packing>(_ column: StaticString, _ value: inout P.Value, _ packing: P) throws(Failure) {
        var found: P.Value? = value
        try field(column, &found, packing, isRequired: true)
        if let found { value = found }
    }

    /// The amount of a single row: at most what a feed may state, so that sums fit.
    @inline(__always)
    mutating func amount(
        _ column: StaticString, _ value: inout Int64?, _ currency: inout Currency?
    ) throws(Failure) {
        try field(column, &value, Number(-1_000_000_000_000_000...1_000_000_000_000_000))
        try field("currency", &currency, CurrencyWord())
    }
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
    static var place: Int { 0 }
    static let blank = Transaction(id: .absent, product: .absent, purchasedAt: .absent)

    mutating func describe<Fields: FieldVisitor & ~Copyable>(_ fields: inout Fields) throws(Fields.Failure) {
        try fields.source(&source)
        try fields.field("transaction_id", &id, Spelled())
        try fields.field("original_transaction_id", &original, Spelled(unless: "p.transaction_id", id))
        try fields.field("web_order_line_item_id", &line, Spelled())
        try fields.field("bundle_id", &bundle, Spelled(word: true))
        try fields.field("product_id", &product, Spelled(word: true))
        try fields.field("purchased_at", &purchasedAt, SinceFile())
        try fields.field("expires_at", &expiresAt, SinceFile())
        try fields.field("signed_at", &signedAt, SinceFile())
        try fields.field("app_account_token", &token, TokenBlob())
        var (thousandths, currency) = (price?.thousandths, price?.currency)
        try fields.amount("price", &thousandths, &currency)
        price = currency.map { Price(thousandths: thousandths ?? 0, currency: $0) }
        try fields.field("quantity", &quantity, Number(1...1_000_000))
        try fields.field("type", &type, Code())
        try fields.field("environment", &environment, Code())
        try fields.field("ownership", &ownership, Code())
        try fields.field("is_upgraded", &isUpgraded, Flag())
        try fields.field("storefront", &storefront, Spelled(word: true))
        var (at, kind, reason, percentage) = (
            revocation?.at, revocation?.type, revocation?.reason, revocation?.percentage
        )
        try fields.field("revoked_at", &at, SinceFile())
        try fields.field("revocation_type", &kind, Code())
        try fields.field("revocation_reason", &reason, Number())
        try fields.field("revocation_percentage", &percentage, Number())
        revocation = at.map {
            Revocation(at: $0, type: kind ?? .unnamed, reason: reason, percentage: percentage)
        }
        try fields.field("proof", &proof, Code())
        try fields.field("failure", &failure, Code())
        try fields.field("is_from_receipt", &isFromReceipt, Flag())
    }

    func note(in first: inout FirstRows) {
        first.transaction = id
        first.token = token
    }

    func forEachKey(_ reader: inout IdentifierReader, _ body: (Int64) -> Void) { reader.forEachKey(of: self, body) }
}

extension Order: PackedEvidence {
    static var place: Int { 1 }
    static let blank = Order(id: .absent, account: .absent, product: .absent, status: .created, createdAt: .absent)
    private static let statuses = Words(OrderStatus.allCases, \.rawValue)

    mutating func describe<Fields: FieldVisitor & ~Copyable>(_ fields: inout Fields) throws(Fields.Failure) {
        try fields.source(&source)
        try fields.field("order_id", &id, Spelled())
        try fields.field("account_id", &account, Spelled())
        try fields.field("product_id", &product, Spelled(word: true))
        try fields.field("quantity", &quantity, Number(1...1_000_000))
        var (minor, currency) = (amount?.minor, amount?.currency)
        try fields.amount("amount", &minor, &currency)
        amount = currency.map { Money(minor: minor ?? 0, currency: $0) }
        try fields.field("app_account_token", &token, TokenBlob(unless: "t.app_account_token", fields.first.token))
        try fields.field(
            "transaction_id", &transaction, Spelled(unless: "t.transaction_id", fields.first.transaction))
        try fields.field("bundle_id", &bundle, Spelled(word: true))
        try fields.field("status", &status, Self.statuses)
        try fields.field("created_at", &createdAt, SinceFile())
        try fields.field("updated_at", &updatedAt, SinceFile())
    }

    func note(in first: inout FirstRows) {
        first.order = id
        first.account = account
    }

    func forEachKey(_ reader: inout IdentifierReader, _ body: (Int64) -> Void) { reader.forEachKey(of: self, body) }
}

extension Credit: PackedEvidence {
    static var place: Int { 2 }
    static let blank = Credit(id: .absent, account: .absent, creditedAt: .absent)
    private static let kinds = Words(CreditKind.allCases, \.rawValue)
    private static let origins = Words(CreditOrigin.allCases, \.rawValue)

    mutating func describe<Fields: FieldVisitor & ~Copyable>(_ fields: inout Fields) throws(Fields.Failure) {
        try fields.source(&source)
        try fields.field("credit_id", &id, Spelled())
        try fields.field("order_id", &order, Spelled(unless: "o.order_id", fields.first.order))
        try fields.field(
            "transaction_id", &transaction, Spelled(unless: "t.transaction_id", fields.first.transaction))
        try fields.field("account_id", &account, Spelled(unless: "o.account_id", fields.first.account))
        try fields.field("product_id", &product, Spelled(word: true))
        try fields.field("quantity", &quantity, Number(1...1_000_000))
        try fields.field("kind", &kind, Self.kinds)
        try fields.field("origin", &origin, Self.origins)
        try fields.field("credited_at", &creditedAt, SinceFile())
    }

    func forEachKey(_ reader: inout IdentifierReader, _ body: (Int64) -> Void) { reader.forEachKey(of: self, body) }
}

extension Receipt: PackedEvidence {
    static var place: Int { 3 }
    static let blank = Receipt(content: .absent, account: .absent, receivedAt: .absent)

    mutating func describe<Fields: FieldVisitor & ~Copyable>(_ fields: inout Fields) throws(Fields.Failure) {
        try fields.source(&source)
        try fields.field("receipt_id", &givenID, Spelled())
        try fields.field("content", &content, DigestBlob())
        try fields.field("account_id", &account, Spelled(unless: "o.account_id", fields.first.account))
        try fields.field("order_id", &order, Spelled(unless: "o.order_id", fields.first.order))
        try fields.field(
            "transaction_id", &transaction, Spelled(unless: "t.transaction_id", fields.first.transaction))
        try fields.field("product_id", &product, Spelled(word: true))
        try fields.field("device_id", &device, PlainText())
        try fields.field("received_at", &receivedAt, SinceFile())
        try fields.field("verify_status", &verifyStatus, Number())
        try fields.field("verify_retryable", &isRetryable, Flag())
        try fields.field("proof", &proof, Code())
    }

    func forEachKey(_ reader: inout IdentifierReader, _ body: (Int64) -> Void) { reader.forEachKey(of: self, body) }
}

extension StoredVerdict: PackedRow {
    static var place: Int { 4 }
    static let blank = StoredVerdict(
        subject: SubjectKey(.transaction, .absent), verdict: .matched, cause: .none, flags: [], amount: nil,
        outcome: nil)
    private static let verdicts = Words(Verdict.allCases, \.rawValue)
    private static let causes = Words(Cause.allCases, \.rawValue)

    mutating func describe<Fields: FieldVisitor & ~Copyable>(_ fields: inout Fields) throws(Fields.Failure) {
        var (kind, key, bits) = (subject.kind, subject.id, flags.rawValue)
        try fields.field("kind", &kind, Code())
        try fields.field("key", &key, Spelled())
        subject = SubjectKey(kind, key)
        try fields.field("verdict", &verdict, Self.verdicts)
        try fields.field("cause", &cause, Self.causes)
        try fields.field("flags", &bits, Number())
        flags = Flags(rawValue: bits)
        var (minor, currency) = (amount?.minor, amount?.currency)
        try fields.field("amount", &minor, Number())
        try fields.field("currency", &currency, CurrencyWord())
        amount = currency.map { Money(minor: minor ?? 0, currency: $0) }
        var (date, fulfilment) = (outcome?.date.day, outcome?.fulfilment)
        try fields.field("purchase_date", &date, Number(0...2_932_896))
        try fields.field("fulfilment", &fulfilment, Code())
        outcome = date.flatMap { PurchaseOutcome(BusinessDate(day: $0), fulfilment ?? .waiting) }
    }
}
