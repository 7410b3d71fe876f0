internal import Domain

/// Apple's formats, as the backend stores them.
extension RowText {
    /// A decoded signed transaction.
    mutating func payload(of transaction: Transaction) {
        object { json in
            json.add("transactionId", transaction.id.text)
            json.add("originalTransactionId", (transaction.original ?? transaction.id).text)
            json.add("webOrderLineItemId", transaction.line?.text)
            json.add("bundleId", transaction.bundle?.text)
            json.add("productId", transaction.product.text)
            json.add("purchaseDate", transaction.purchasedAt.milliseconds)
            json.add("expiresDate", transaction.expiresAt?.milliseconds)
            json.add("quantity", transaction.quantity)
            json.add("type", transaction.type?.applesName)
            json.add("appAccountToken", transaction.token?.text)
            json.add("inAppOwnershipType", transaction.ownership == .familyShared ? "FAMILY_SHARED" : "PURCHASED")
            json.add("signedDate", transaction.signedAt?.milliseconds)
            json.add("revocationDate", transaction.revocation?.at.milliseconds)
            json.add("revocationReason", transaction.revocation?.reason)
            json.add("revocationType", transaction.revocation?.type.applesName)
            json.add("revocationPercentage", transaction.revocation?.percentage)
            json.add("environment", transaction.environment.name)
            json.add("storefront", transaction.storefront?.text)
            json.add("price", transaction.price?.thousandths)
            json.add("currency", transaction.price?.currency.text)
        }
    }

    /// verifyReceipt's answer for a receipt that lists only this transaction. It has no price and no token.
    mutating func response(listing transaction: Transaction, askedAt: Instant) {
        object { answer in
            answer.add("status", 0)
            answer.add("environment", "Production")
            answer.add("receipt") { receipt in
                receipt.add("receipt_type", "Production")
                receipt.add("bundle_id", transaction.bundle?.text)
                receipt.add("application_version", "1.9.4")
                receipt.add("request_date_ms", String(askedAt.milliseconds))
                receipt.key("in_app")
                receipt.list { list in
                    list.object { purchase in
                        purchase.add("quantity", String(transaction.quantity))
                        purchase.add("product_id", transaction.product.text)
                        purchase.add("transaction_id", transaction.id.text)
                        purchase.add("original_transaction_id", transaction.id.text)
                        purchase.add("purchase_date_ms", String(transaction.purchasedAt.milliseconds))
                        purchase.add("original_purchase_date_ms", String(transaction.purchasedAt.milliseconds))
                        purchase.add("is_trial_period", "false")
                    }
                }
            }
        }
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
