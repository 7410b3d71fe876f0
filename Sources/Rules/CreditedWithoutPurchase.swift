internal import Domain

/// 12. Goods were given, and nothing proves that Apple was paid.
///
/// "Status 0 taken for paid." No purchase, net credits ≥ 1. Causes by the receipts: `receipt_rejected`,
/// `receipt_unverified`, else `no_transaction`. The company is short. High. Grace `apple` from the earliest credit left
/// (Apple redelivers notifications for days), `receipt` where the receipt was rejected. The transactions feed could
/// prove otherwise.
///
/// Example: another app's receipt answered 0 and the backend credited 60 coins: `no_transaction`, effect +6.00.
enum CreditedWithoutPurchase: Rule {
    static func finding(_ facts: Facts) -> Finding? {
        guard facts.isUnproven, facts.net >= 1, let earliest = facts.left.first?.creditedAt
        else { return nil }
        let cause: Cause =
            switch facts.check {
            case .rejected: .receiptRejected
            case .unverified: .receiptUnverified
            default: .noTransaction
            }
        return Finding(
            verdict: .creditedNotPaid, cause: cause, anchor: earliest,
            grace: cause == .receiptRejected ? facts.policy.graceReceipt : facts.policy.graceApple,
            provenBy: .transactions, short: .company)
    }
}
