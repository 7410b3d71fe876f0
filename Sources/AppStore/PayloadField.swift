/// The fields of Apple's records that are used; all others are skipped. See docs/spec/app-store.md#transaction-fields,
/// docs/spec/app-store.md#notifications, docs/spec/app-store.md#verify-receipt.
enum PayloadField: Int {
    // of a transaction
    case transactionID, originalTransactionID, line, bundle, product, purchaseDate, expiresDate, quantity, type
    case token, ownership, signedDate, revocationDate, revocationReason, revocationType, revocationPercentage
    case isUpgraded, environment, storefront, price, currency, originalPurchaseDate, offer, reason
    // by which other kinds of record are recognized
    case notificationType, autoRenew, receiptType, receiptCreationDate, appAppleID
    // that contain other records
    case data, signedTransactionInfo, signedRenewalInfo, signedTransactions, signedPayload, status, receipt,
        latestReceiptInfo
}

extension PayloadField {
    /// The field with this name in signed records, notifications and API responses; nil for a field that is not used.
    /// Asked only for members that `MemberOrder` did not expect.
    static func signed(_ key: JSONText) -> PayloadField? { signedNames[key.string] }

    /// The field with this name in a verifyReceipt response. Of each date only the `_ms` form is used.
    /// See docs/spec/app-store.md#verify-receipt.
    static func legacy(_ key: JSONText) -> PayloadField? { legacyNames[key.string] }

    private static let signedNames: [String: PayloadField] = [
        "transactionId": .transactionID, "originalTransactionId": .originalTransactionID,
        "webOrderLineItemId": .line, "bundleId": .bundle, "productId": .product, "purchaseDate": .purchaseDate,
        "expiresDate": .expiresDate, "quantity": .quantity, "type": .type, "appAccountToken": .token,
        "inAppOwnershipType": .ownership, "signedDate": .signedDate, "revocationDate": .revocationDate,
        "revocationReason": .revocationReason, "revocationType": .revocationType,
        "revocationPercentage": .revocationPercentage, "isUpgraded": .isUpgraded, "environment": .environment,
        "storefront": .storefront, "price": .price, "currency": .currency,
        "originalPurchaseDate": .originalPurchaseDate, "offerType": .offer,
        "transactionReason": .reason,
        "notificationType": .notificationType, "notificationUUID": .notificationType,
        "autoRenewStatus": .autoRenew, "autoRenewProductId": .autoRenew, "receiptType": .receiptType,
        "receiptCreationDate": .receiptCreationDate, "appAppleId": .appAppleID,
        "data": .data, "summary": .data, "appData": .data, "externalPurchaseToken": .data,
        "signedTransactionInfo": .signedTransactionInfo, "signedRenewalInfo": .signedRenewalInfo,
        "signedTransactions": .signedTransactions, "signedPayload": .signedPayload, "status": .status,
        "receipt": .receipt, "latest_receipt_info": .latestReceiptInfo,
    ]

    private static let legacyNames: [String: PayloadField] = [
        "transaction_id": .transactionID, "original_transaction_id": .originalTransactionID,
        "original_purchase_date_ms": .originalPurchaseDate,
        "web_order_line_item_id": .line, "product_id": .product, "quantity": .quantity,
        "purchase_date_ms": .purchaseDate, "expires_date_ms": .expiresDate, "is_upgraded": .isUpgraded,
        "cancellation_date_ms": .revocationDate, "cancellation_reason": .revocationReason,
        "app_account_token": .token, "in_app_ownership_type": .ownership,
    ]
}
