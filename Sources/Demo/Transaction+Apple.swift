internal import Base

/// Apple's formats, as the backend stores them.
extension Transaction {
    /// The decoded signed transaction.
    var payload: String {
        Self.document { json in
            json.add("transactionId", id.text)
            json.add("originalTransactionId", (original ?? id).text)
            json.add("webOrderLineItemId", line?.text)
            json.add("bundleId", bundle?.text)
            json.add("productId", product.text)
            json.add("purchaseDate", purchasedAt.milliseconds)
            json.add("expiresDate", expiresAt?.milliseconds)
            json.add("quantity", quantity)
            json.add("type", type?.applesName)
            json.add("appAccountToken", token?.text)
            json.add("inAppOwnershipType", ownership == .familyShared ? "FAMILY_SHARED" : "PURCHASED")
            json.add("signedDate", signedAt?.milliseconds)
            json.add("revocationDate", revocation?.at.milliseconds)
            json.add("revocationReason", revocation?.reason)
            json.add("revocationType", revocation?.type.applesName)
            json.add("revocationPercentage", revocation?.percentage)
            json.add("environment", environment.name)
            json.add("storefront", storefront?.text)
            json.add("price", price?.thousandths)
            json.add("currency", price?.currency.text)
        }
    }

    /// verifyReceipt's answer for a receipt that lists only this transaction. It has no price and no token.
    func response(askedAt: Instant) -> String {
        Self.document { answer in
            answer.add("status", 0)
            answer.add("environment", "Production")
            answer.add("receipt") { receipt in
                receipt.add("receipt_type", "Production")
                receipt.add("bundle_id", bundle?.text)
                receipt.add("application_version", "1.9.4")
                receipt.add("request_date_ms", String(askedAt.milliseconds))
                receipt.key("in_app")
                receipt.list { list in
                    list.object { purchase in
                        purchase.add("quantity", String(quantity))
                        purchase.add("product_id", product.text)
                        purchase.add("transaction_id", id.text)
                        purchase.add("original_transaction_id", id.text)
                        purchase.add("purchase_date_ms", String(purchasedAt.milliseconds))
                        purchase.add("original_purchase_date_ms", String(purchasedAt.milliseconds))
                        purchase.add("is_trial_period", "false")
                    }
                }
            }
        }
    }

    private static func document(_ members: (inout JSONWriter) -> Void) -> String {
        var json = JSONWriter(escaping: .required)
        json.object(members)
        return json.text
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
