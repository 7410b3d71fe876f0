extension Order: DescribedEvidence {
    public static let blank = Order(
        id: .absent, account: .absent, product: .absent, status: .created, createdAt: .absent)
    public static let statuses = CaseWords(OrderStatus.allCases, \.rawValue)

    @inlinable
    public mutating func listFields<Fields: EvidenceFields & ~Copyable>(in fields: inout Fields) throws(Fields.Failure)
    {
        try fields.source(&source)
        try fields.id("order_id", &id, as: .own(.order))
        try fields.id("account_id", &account, as: .own(.account))
        try fields.id("product_id", &product, as: .word)
        try fields.quantity(&quantity)
        var (minor, currency) = (amount?.minor, amount?.currency)
        try fields.amount("amount", &minor, in: &currency)
        amount = currency.map { Money(minor: minor ?? 0, currency: $0) }
        try fields.token("app_account_token", &token, isOfPurchase: true)
        try fields.id("transaction_id", &transaction, as: .transaction)
        try fields.id("bundle_id", &bundle, as: .word)
        try fields.word("status", &status, of: Self.statuses)
        try fields.instant("created_at", &createdAt)
        try fields.instant("updated_at", &updatedAt)
        try fields.labels(&labels)
    }
}

extension Credit: DescribedEvidence {
    public static let blank = Credit(id: .absent, account: .absent, creditedAt: .absent)
    public static let kinds = CaseWords(CreditKind.allCases, \.rawValue)
    public static let origins = CaseWords(CreditOrigin.allCases, \.rawValue)

    @inlinable
    public mutating func listFields<Fields: EvidenceFields & ~Copyable>(in fields: inout Fields) throws(Fields.Failure)
    {
        try fields.source(&source)
        try fields.id("credit_id", &id, as: .own(.credit))
        try fields.id("order_id", &order, as: .order)
        try fields.id("transaction_id", &transaction, as: .transaction)
        try fields.id("account_id", &account, as: .account)
        try fields.id("product_id", &product, as: .word)
        try fields.number("quantity", &quantity, in: 1...1_000_000)
        try fields.word("kind", &kind, of: Self.kinds)
        try fields.word("origin", &origin, of: Self.origins)
        try fields.instant("credited_at", &creditedAt)
        try fields.labels(&labels)
    }
}

extension Receipt: DescribedEvidence {
    public static let blank = Receipt(content: .absent, account: .absent, receivedAt: .absent)

    @inlinable
    public mutating func listFields<Fields: EvidenceFields & ~Copyable>(in fields: inout Fields) throws(Fields.Failure)
    {
        try fields.source(&source)
        try fields.id("receipt_id", &givenID, as: .own(.receipt))
        try fields.digest("content", &content)
        try fields.id("account_id", &account, as: .account)
        try fields.id("order_id", &order, as: .order)
        try fields.id("transaction_id", &transaction, as: .transaction)
        try fields.id("product_id", &product, as: .word)
        try fields.id("device_id", &device, as: .personal)
        try fields.instant("received_at", &receivedAt)
        try fields.number("verify_status", &verifyStatus)
        try fields.flag("verify_retryable", &isRetryable, isRequired: false)
        try fields.code("proof", &proof)
        try fields.id("further_transaction_ids", &furtherTransactions, as: .word)
        try fields.labels(&labels)
    }
}

extension Transaction: DescribedEvidence {
    public static let blank = Transaction(id: .absent, product: .absent, purchasedAt: .absent)

    @inlinable
    public mutating func listFields<Fields: EvidenceFields & ~Copyable>(in fields: inout Fields) throws(Fields.Failure)
    {
        try fields.source(&source)
        try fields.id("transaction_id", &id, as: .own(.transaction))
        try fields.id("original_transaction_id", &original, as: .original(of: id))
        try fields.id("web_order_line_item_id", &line, as: .own(.line))
        try fields.id("bundle_id", &bundle, as: .word)
        try fields.id("product_id", &product, as: .word)
        try fields.instant("purchased_at", &purchasedAt)
        try fields.instant("expires_at", &expiresAt)
        try fields.instant("signed_at", &signedAt)
        try fields.token("app_account_token", &token, isOfPurchase: false)
        var (thousandths, currency) = (price?.thousandths, price?.currency)
        try fields.amount("price", &thousandths, in: &currency)
        price = currency.map { Price(thousandths: thousandths ?? 0, currency: $0) }
        try fields.quantity(&quantity)
        try fields.code("type", &type)
        try fields.code("environment", &environment)
        try fields.code("ownership", &ownership)
        try fields.flag("is_upgraded", &isUpgraded)
        try fields.id("storefront", &storefront, as: .word)
        var (at, kind, reason, percentage) = (
            revocation?.at, revocation?.type, revocation?.reason, revocation?.percentage
        )
        try fields.instant("revoked_at", &at)
        try fields.code("revocation_type", &kind)
        try fields.number("revocation_reason", &reason)
        try fields.number("revocation_percentage", &percentage)
        fields.check((at == nil) == (kind == nil), "revoked_at")
        revocation = at.map { Revocation(at: $0, type: kind ?? .unnamed, reason: reason, percentage: percentage) }
        try fields.code("proof", &proof)
        try fields.code("failure", &failure)
        try fields.flag("is_from_receipt", &isFromReceipt)
        try fields.labels(&labels)
        // It was added later, so it stands behind the others.
        var began = self.reason?.rawValue
        try fields.number("transaction_reason", &began, in: 0...1)
        self.reason = began.flatMap(TransactionReason.init)
    }
}
