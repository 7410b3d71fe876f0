public import Base
public import Domain
public import Engine

// The objects of the lines that travel with evidence. See docs/spec/cluster.md#wire.

extension Order: MemberRecord {
    public static var blank: Order {
        Order(id: .absent, account: .absent, product: .absent, status: .created, createdAt: .absent)
    }

    public mutating func describe(_ members: inout Members) {
        var (minor, currency) = (amount?.minor, amount?.currency)
        members.value("account_id", &account)
        members.value("amount", &minor)
        members.value("app_account_token", &token)
        members.value("bundle_id", &bundle)
        members.value("created_at", &createdAt)
        members.value("currency", &currency)
        members.value("d", &source.delivery)
        members.value("f", &source.fileDate.day)
        members.value("l", &source.line)
        members.value("order_id", &id)
        members.value("product_id", &product)
        members.value("quantity", &quantity)
        members.value("status", &status)
        members.value("transaction_id", &transaction)
        members.value("updated_at", &updatedAt)
        members.check(source, quantity: quantity, amount: minor)
        members.check((minor == nil) == (currency == nil), "amount")
        if let minor, let currency { amount = Money(minor: minor, currency: currency) }
    }
}

extension Credit: MemberRecord {
    public static var blank: Credit { Credit(id: .absent, account: .absent, creditedAt: .absent) }

    public mutating func describe(_ members: inout Members) {
        members.value("account_id", &account)
        members.value("credit_id", &id)
        members.value("credited_at", &creditedAt)
        members.value("d", &source.delivery)
        members.value("f", &source.fileDate.day)
        members.value("kind", &kind)
        members.value("l", &source.line)
        members.value("order_id", &order)
        members.value("origin", &origin)
        members.value("product_id", &product)
        members.value("quantity", &quantity)
        members.value("transaction_id", &transaction)
        members.check(source, quantity: quantity)
    }
}

/// A transaction, and its place among those of its row.
struct PlacedTransaction: MemberRecord {
    var transaction: Transaction
    /// How many transactions of the row precede it; nil for none.
    var place: Int32?
    /// Other transactions of the row may be elsewhere.
    var isShared = false

    static var blank: Self {
        Self(transaction: Transaction(id: .absent, product: .absent, purchasedAt: .absent))
    }

    mutating func describe(_ members: inout Members) {
        var (thousandths, currency) = (transaction.price?.thousandths, transaction.price?.currency)
        var failure = transaction.failure == .none ? nil : transaction.failure
        let revocation = transaction.revocation
        var (percentage, reason) = (revocation?.percentage, revocation?.reason)
        var (revocationType, revokedAt) = (revocation?.type, revocation?.at)
        members.value("app_account_token", &transaction.token)
        members.value("bundle_id", &transaction.bundle)
        members.value("currency", &currency)
        members.value("d", &transaction.source.delivery)
        members.value("environment", &transaction.environment)
        members.value("expires_at", &transaction.expiresAt)
        members.value("f", &transaction.source.fileDate.day)
        members.value("failure", &failure)
        members.flag("is_from_receipt", &transaction.isFromReceipt)
        members.flag("is_upgraded", &transaction.isUpgraded)
        members.value("l", &transaction.source.line)
        members.value("n", &place)
        members.value("original_transaction_id", &transaction.original)
        members.value("ownership", &transaction.ownership)
        members.value("price", &thousandths)
        members.value("product_id", &transaction.product)
        members.value("proof", &transaction.proof)
        members.value("purchased_at", &transaction.purchasedAt)
        members.value("quantity", &transaction.quantity)
        members.value("revocation_percentage", &percentage)
        members.value("revocation_reason", &reason)
        members.value("revocation_type", &revocationType)
        members.value("revoked_at", &revokedAt)
        members.flag("s", &isShared)
        members.value("signed_at", &transaction.signedAt)
        members.value("storefront", &transaction.storefront)
        members.value("transaction_id", &transaction.id)
        members.value("type", &transaction.type)
        members.value("web_order_line_item_id", &transaction.line)
        members.check(transaction.source, quantity: transaction.quantity, amount: thousandths)
        members.check((thousandths == nil) == (currency == nil), "price")
        members.check((revokedAt == nil) == (revocationType == nil), "revoked_at")
        if let thousandths, let currency { transaction.price = Price(thousandths: thousandths, currency: currency) }
        if let revokedAt, let revocationType {
            transaction.revocation = Revocation(
                at: revokedAt, type: revocationType, reason: reason, percentage: percentage)
        }
        transaction.failure = failure ?? .none
    }
}

extension Receipt: MemberRecord {
    public static var blank: Receipt { Receipt(content: .absent, account: .absent, receivedAt: .absent) }

    public mutating func describe(_ members: inout Members) {
        var retryable = isRetryable.map { $0 ? 1 : 0 }
        members.value("account_id", &account)
        members.value("content", &content)
        members.value("d", &source.delivery)
        members.value("device_id", &device)
        members.value("f", &source.fileDate.day)
        members.value("l", &source.line)
        members.value("order_id", &order)
        members.value("product_id", &product)
        members.value("proof", &proof)
        members.value("receipt_id", &givenID)
        members.value("received_at", &receivedAt)
        members.value("transaction_id", &transaction)
        members.value("verify_retryable", &retryable)
        members.value("verify_status", &verifyStatus)
        members.check(source)
        members.check(retryable ?? 0 == 0 || retryable == 1, "verify_retryable")
        isRetryable = retryable.map { $0 == 1 }
    }
}

/// A token, and the account that it belongs to.
struct OwnedToken: MemberRecord {
    var token = Token(high: 0, low: 0)
    var owner = TokenOwner.unknown

    static var blank: Self { Self() }

    mutating func describe(_ members: inout Members) {
        var account: Identifier?
        if case .account(let owner) = owner { account = owner }
        var isSeveral = owner == .several
        members.value("account", &account)
        members.flag("is_several", &isSeveral)
        members.value("token", &token)
        owner = account.map { .account($0) } ?? (isSeveral ? .several : .unknown)
    }
}

extension FollowedException: MemberRecord {
    public static var blank: Self { Self(id: .least, keys: []) }

    public mutating func describe(_ members: inout Members) {
        members.value("exception", &id)
        members.value("keys", &keys)
    }
}

extension Members {
    /// What holds of every row that a feed delivered: sums of its numbers fit.
    fileprivate mutating func check(_ source: Provenance, quantity: Int32? = nil, amount: Int64? = nil) {
        check(source.delivery > .none, "d")
        check(source.line >= 0, "l")
        check(-719_162...2_932_896 ~= source.fileDate.day, "f")
        check(1...1_000_000 ~= quantity ?? 1, "quantity")
        check(-1_000_000_000_000_000...1_000_000_000_000_000 ~= amount ?? 0, "amount")
    }
}
