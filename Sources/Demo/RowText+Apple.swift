internal import Domain

/// Apple's formats, as the backend stores them.
extension RowText {
    /// A decoded signed transaction.
    mutating func payload(of transaction: Transaction) {
        text("{")
        member("transactionId", transaction.id.text)
        member("originalTransactionId", (transaction.original ?? transaction.id).text)
        member("webOrderLineItemId", transaction.line?.text)
        member("bundleId", transaction.bundle?.text)
        member("productId", transaction.product.text)
        member("purchaseDate", transaction.purchasedAt.milliseconds)
        member("expiresDate", transaction.expiresAt?.milliseconds)
        member("quantity", Int64(transaction.quantity))
        member("type", transaction.type?.applesName)
        member("appAccountToken", transaction.token?.text)
        member("inAppOwnershipType", transaction.ownership == .familyShared ? "FAMILY_SHARED" : "PURCHASED")
        member("signedDate", transaction.signedAt?.milliseconds)
        member("revocationDate", transaction.revocation?.at.milliseconds)
        member("revocationReason", (transaction.revocation?.reason).map { Int64($0) })
        member("revocationType", transaction.revocation?.type.applesName)
        member("revocationPercentage", (transaction.revocation?.percentage).map { Int64($0) })
        member("environment", transaction.environment.name)
        member("storefront", transaction.storefront?.text)
        member("price", transaction.price?.thousandths)
        member("currency", transaction.price?.currency.text)
        text("}")
    }

    /// verifyReceipt's answer for a receipt that lists only this transaction. It has no price and no token.
    mutating func response(listing transaction: Transaction, askedAt: Instant) {
        text("{\"status\":0,\"environment\":\"Production\",\"receipt\":{\"receipt_type\":\"Production\"")
        member("bundle_id", transaction.bundle?.text)
        member("application_version", "1.9.4")
        member("request_date_ms", String(askedAt.milliseconds))
        text(",\"in_app\":[{")
        member("quantity", String(transaction.quantity))
        member("product_id", transaction.product.text)
        member("transaction_id", transaction.id.text)
        member("original_transaction_id", transaction.id.text)
        member("purchase_date_ms", String(transaction.purchasedAt.milliseconds))
        member("original_purchase_date_ms", String(transaction.purchasedAt.milliseconds))
        member("is_trial_period", "false")
        text("}]}}")
    }
}

extension ProductType {
    fileprivate var applesName: String {
        switch self {
        case .consumable: "Consumable"
        case .nonConsumable: "Non-Consumable"
        case .autoRenewable: "Auto-Renewable Subscription"
        case .nonRenewing: "Non-Renewing Subscription"
        }
    }
}

extension RevocationType {
    fileprivate var applesName: String? {
        switch self {
        case .refundFull: "REFUND_FULL"
        case .refundProrated: "REFUND_PRORATED"
        case .familyRevoke: "FAMILY_REVOKE"
        case .unnamed, .other: nil
        }
    }
}
