/// `transactionReason`: who began a purchase.
public enum TransactionReason: UInt8, Sendable, CaseIterable {
    /// The customer, in the app or on Apple's page of subscriptions.
    case purchase
    /// Apple, for the next period of a subscription.
    case renewal
}
