/// A condition that a consumer checks in its own data before it acts. docs/use/retry-manifest.md describes how.
public enum RetryPrecondition: String, Sendable, CaseIterable, Codable {
    case noCreditForTransaction = "no_credit_for_transaction"
    case noCreditForOrder = "no_credit_for_order"
    case noCreditForSuggestedOrders = "no_credit_for_suggested_orders"
    case notRevokedSince = "not_revoked_since"
    case creditForTransaction = "credit_for_transaction"
    case revokedStill = "revoked_still"
    case receiptNotVerified = "receipt_not_verified"
    case transactionNotRecorded = "transaction_not_recorded"
}
