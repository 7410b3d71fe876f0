internal import Base

/// The fields of Apple's records that are used; all others are skipped. See docs/spec/app-store.md#transaction-fields,
/// docs/spec/app-store.md#notifications, docs/spec/app-store.md#verify-receipt.
enum PayloadField: Int {
    // of a transaction
    case transactionID, originalTransactionID, line, bundle, product, purchaseDate, expiresDate, quantity, type
    case token, ownership, signedDate, revocationDate, revocationReason, revocationType, revocationPercentage
    case isUpgraded, environment, storefront, price, currency
    // by which other kinds of record are recognized
    case notificationType, autoRenew, receiptType, receiptCreationDate, appAppleID
    // that contain other records
    case data, signedTransactionInfo, signedRenewalInfo, signedTransactions, signedPayload, status, receipt,
        latestReceiptInfo
}

extension PayloadField {
    /// The field with this name in signed records, notifications and API responses; nil for a field that is not used.
    ///
    /// Comparing by length first is faster than a dictionary; this runs for every field of every record.
    @inline(__always)
    static func signed(_ name: UnsafeRawBufferPointer) -> PayloadField? {
        switch name.count {
        case 4:
            if name.isEqual(to: "type") { return .type }
            return name.isEqual(to: "data") ? .data : nil
        case 5: return name.isEqual(to: "price") ? .price : nil
        case 6: return name.isEqual(to: "status") ? .status : nil
        case 7:
            if name.isEqual(to: "summary") || name.isEqual(to: "appData") { return .data }
            return name.isEqual(to: "receipt") ? .receipt : nil
        case 8:
            if name.isEqual(to: "bundleId") { return .bundle }
            if name.isEqual(to: "quantity") { return .quantity }
            return name.isEqual(to: "currency") ? .currency : nil
        case 9: return name.isEqual(to: "productId") ? .product : nil
        case 10:
            if name.isEqual(to: "signedDate") { return .signedDate }
            if name.isEqual(to: "storefront") { return .storefront }
            if name.isEqual(to: "appAppleId") { return .appAppleID }
            return name.isEqual(to: "isUpgraded") ? .isUpgraded : nil
        case 11:
            if name.isEqual(to: "environment") { return .environment }
            if name.isEqual(to: "expiresDate") { return .expiresDate }
            return name.isEqual(to: "receiptType") ? .receiptType : nil
        default: return signedLong(name)
        }
    }

    @inline(__always)
    private static func signedLong(_ name: UnsafeRawBufferPointer) -> PayloadField? {
        switch name.count {
        case 12: return name.isEqual(to: "purchaseDate") ? .purchaseDate : nil
        case 13:
            if name.isEqual(to: "transactionId") { return .transactionID }
            return name.isEqual(to: "signedPayload") ? .signedPayload : nil
        case 14:
            if name.isEqual(to: "revocationDate") { return .revocationDate }
            return name.isEqual(to: "revocationType") ? .revocationType : nil
        case 15:
            if name.isEqual(to: "appAccountToken") { return .token }
            return name.isEqual(to: "autoRenewStatus") ? .autoRenew : nil
        case 16:
            if name.isEqual(to: "revocationReason") { return .revocationReason }
            let isNotification = name.isEqual(to: "notificationType") || name.isEqual(to: "notificationUUID")
            return isNotification ? .notificationType : nil
        case 17: return name.isEqual(to: "signedRenewalInfo") ? .signedRenewalInfo : nil
        case 18:
            if name.isEqual(to: "inAppOwnershipType") { return .ownership }
            if name.isEqual(to: "webOrderLineItemId") { return .line }
            if name.isEqual(to: "signedTransactions") { return .signedTransactions }
            return name.isEqual(to: "autoRenewProductId") ? .autoRenew : nil
        case 19:
            if name.isEqual(to: "receiptCreationDate") { return .receiptCreationDate }
            return name.isEqual(to: "latest_receipt_info") ? .latestReceiptInfo : nil
        case 20: return name.isEqual(to: "revocationPercentage") ? .revocationPercentage : nil
        case 21:
            if name.isEqual(to: "originalTransactionId") { return .originalTransactionID }
            if name.isEqual(to: "signedTransactionInfo") { return .signedTransactionInfo }
            return name.isEqual(to: "externalPurchaseToken") ? .data : nil
        default: return nil
        }
    }

    /// The field with this name in a verifyReceipt response. Of each date only the `_ms` form is used.
    /// See docs/spec/app-store.md#verify-receipt.
    static func legacy(_ key: JSONText) -> PayloadField? { legacyNames[key.string] }

    private static let legacyNames: [String: PayloadField] = [
        "transaction_id": .transactionID, "original_transaction_id": .originalTransactionID,
        "web_order_line_item_id": .line, "product_id": .product, "quantity": .quantity,
        "purchase_date_ms": .purchaseDate, "expires_date_ms": .expiresDate, "is_upgraded": .isUpgraded,
        "cancellation_date_ms": .revocationDate, "cancellation_reason": .revocationReason,
        "app_account_token": .token, "in_app_ownership_type": .ownership,
    ]
}
