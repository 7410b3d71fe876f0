public import Base

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
    /// The app that the record names; nil if none. It is not compared with the configuration.
    public var bundleID: String?
    /// The environment that the record names; nil if none.
    public var environment: String?
    /// When the record was signed or, for receipts, created; nil if it does not say.
    public var signedAt: Instant?
    /// The facts about each transaction in the record, in a fixed order: the ids first, always present; the others only
    /// if known.
    public var transactions: [[Fact]] = []
    /// Other facts about the app, for display.
    public var details: [Fact] = []

    init(_ kind: Kind, _ outcome: Outcome, reason: String) {
        self.kind = kind
        self.outcome = outcome
        self.reason = reason
    }

    /// A named value. Names are those of docs/spec/interfaces.md#verify-json.
    public struct Fact: Equatable, Sendable {
        /// The name, in snake case.
        public var name: String
        public var value: JSON

        init(_ name: String, _ value: JSON) {
            self.name = name
            self.value = value
        }
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
    init(_ fields: TransactionFields) {
        self = [
            Element("transaction_id", JSON(fields.transactionID?.text)),
            Element("original_transaction_id", JSON(fields.originalTransactionID?.text)),
            Element("product_id", JSON(fields.product?.text)),
        ]
        add("web_order_line_item_id", fields.line?.text)
        add("type", fields.type?.name)
        add("quantity", fields.quantity)
        add("purchase_date", fields.purchaseDate?.text)
        add("expires_date", fields.expiresDate?.text)
        add("revocation_date", fields.revocationDate?.text)
        add("revocation_reason", fields.revocationReason.map(Int64.init))
        add("revocation_percentage", fields.revocationPercentage.map(Int64.init))
        add("app_account_token", fields.token?.text)
        if let thousandths = fields.thousandths, let currency = fields.currency {
            add("price", Price(thousandths: thousandths, currency: currency).money.text)
            add("currency", currency.text)
        }
        add("storefront", fields.storefront?.text)
        if fields.ownership == .familyShared { append(Element("is_family_shared", .bool(true))) }
        if fields.isUpgraded { append(Element("is_upgraded", .bool(true))) }
    }

    init(_ purchase: ReceiptPurchase) {
        self.init(purchase.fields)
        add("original_purchase_date", purchase.originalPurchaseDate?.text)
        add("promotional_offer_id", purchase.offer)
        if purchase.isTrial { append(Element("is_trial_period", .bool(true))) }
        if purchase.isIntroductory { append(Element("is_in_intro_offer_period", .bool(true))) }
    }

    mutating func add(_ name: String, _ text: String?) {
        if let text { append(Element(name, .text(text))) }
    }

    private mutating func add(_ name: String, _ number: Int64?) {
        if let number { append(Element(name, .number(number))) }
    }
}
