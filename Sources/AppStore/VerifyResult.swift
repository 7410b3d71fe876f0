/// What Apple's signature proves about one file or one line. The shape of `reconcile verify --json`.
/// See docs/spec/interfaces.md#verify-json.
public struct VerifyResult: Equatable, Sendable {
    /// What the record is. The raw values are written to JSON.
    public enum Kind: String, Sendable {
        case transaction, renewal, notification
        case appTransaction = "app_transaction"
        case receipt
        /// A receipt created before iOS 7, or a verifyReceipt response.
        case legacyReceipt = "legacy_receipt"
        case unknown
    }

    /// Ordered from best to worst. Where several signatures must hold, the worst result counts.
    public enum Outcome: String, Sendable, OrderedCases {
        case verified, unverifiable, invalid
    }

    /// The line in the file, from 1; nil if the file is a single record.
    public var line: Int?
    public var kind: Kind
    public var outcome: Outcome
    /// The outcome in words, for the operator.
    public var reason: String
    /// The name of the root certificate; nil if the record is not verified.
    public var root: String?
    /// The app that the record names; nil without one. It is not compared with the configuration.
    public var bundleID: String?
    /// The environment that the record names; nil without one.
    public var environment: String?
    /// When the record was signed or, for receipts, created; nil if it does not say.
    public var signedAt: Instant?
    /// The facts about each transaction in the record, in a fixed order: the ids first, always present; the others only
    /// if known.
    public var transactions: [[Fact]] = []
    /// Other facts about the app, for display.
    public var details: [Fact] = []

    init(_ kind: Kind, _ outcome: Outcome, reason: String) {
        (self.kind, self.outcome, self.reason) = (kind, outcome, reason)
    }

    /// A named value. Names are those of docs/spec/interfaces.md#verify-json.
    public struct Fact: Equatable, Sendable {
        /// The name, in snake case.
        public var name: String
        public var value: JSON
    }
}

extension VerifyResult {
    init(_ kind: Kind, _ authenticity: Authenticity) {
        switch authenticity {
        case .genuine(let root):
            self.init(kind, .verified, reason: authenticity.reason)
            self.root = root
        case .unknownRoot, .unjudged: self.init(kind, .unverifiable, reason: authenticity.reason)
        case .broken: self.init(kind, .invalid, reason: authenticity.reason)
        }
    }

    /// Includes the result of a signed record inside this one. All signatures must hold, so the worse outcome counts.
    mutating func include(_ inner: VerifyResult) {
        transactions += inner.transactions
        guard inner.outcome > outcome else { return }
        outcome = inner.outcome
        reason = "the \(inner.kind.rawValue) inside: " + inner.reason
        root = nil
    }
}

extension [VerifyResult.Fact] {
    /// Those that are known.
    init(_ facts: KeyValuePairs<String, JSON?>) {
        self = facts.compactMap { name, value in value.map { Element(name: name, value: $0) } }
    }

    init(_ fields: TransactionFields) {
        var price: Money?
        if let thousandths = fields.thousandths, let currency = fields.currency {
            price = Price(thousandths: thousandths, currency: currency).money
        }
        self.init([
            "transaction_id": JSON(fields.transactionID?.text),
            "original_transaction_id": JSON(fields.originalTransactionID?.text),
            "product_id": JSON(fields.product?.text),
            "web_order_line_item_id": (fields.line?.text).map(JSON.text),
            "type": (fields.type?.name).map(JSON.text),
            "quantity": fields.quantity.map(JSON.number),
            "purchase_date": (fields.purchaseDate?.text).map(JSON.text),
            "expires_date": (fields.expiresDate?.text).map(JSON.text),
            "revocation_date": (fields.revocationDate?.text).map(JSON.text),
            "revocation_reason": fields.revocationReason.map { .number(Int64($0)) },
            "revocation_percentage": fields.revocationPercentage.map { .number(Int64($0)) },
            "app_account_token": (fields.token?.text).map(JSON.text),
            "price": (price?.text).map(JSON.text),
            "currency": (price?.currency.text).map(JSON.text),
            "storefront": (fields.storefront?.text).map(JSON.text),
            "is_family_shared": fields.ownership == .familyShared ? .bool(true) : nil,
            "is_upgraded": fields.isUpgraded ? .bool(true) : nil,
        ])
    }

    init(_ purchase: ReceiptPurchase) {
        self.init(purchase.fields)
        self += Self([
            "original_purchase_date": (purchase.fields.originalPurchaseDate?.text).map(JSON.text),
            "promotional_offer_id": purchase.offer.map(JSON.text),
            "is_trial_period": purchase.isTrial ? .bool(true) : nil,
            "is_in_intro_offer_period": purchase.isIntroductory ? .bool(true) : nil,
        ])
    }
}
