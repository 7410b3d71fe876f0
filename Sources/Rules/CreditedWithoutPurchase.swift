/// 12. Goods were given, and nothing proves that Apple was paid.
///
/// "Status 0 taken for paid." No purchase, net credits ≥ 1. Causes by the receipts: `receipt_rejected`,
/// `receipt_unverified`, `not_in_receipt` (accepted, and genuine data without the transaction claimed, as for 13), else
/// `no_transaction`. The company is short. High. Grace `apple` from the earliest credit left (Apple redelivers
/// notifications for days), `receipt` where the receipt was rejected or refutes its own claim. The transactions feed
/// could prove otherwise.
///
/// Example: a genuine receipt for a sword was sent with the id of another purchase, answered 0, and the backend
/// credited: `not_in_receipt`, effect +1.500.
enum CreditedWithoutPurchase: Rule {
    static func finding(_ facts: Facts) -> Finding? {
        guard facts.isUnproven, facts.net >= 1, let earliest = facts.left.first?.creditedAt
        else { return nil }
        let cause: Cause =
            switch facts.check {
            case .rejected: .receiptRejected
            case .unverified: .receiptUnverified
            case .accepted: facts.isClaimRefuted ? .notInReceipt : .noTransaction
            case nil: .noTransaction
            }
        let isRefuted = cause == .receiptRejected || cause == .notInReceipt
        return Finding(
            verdict: .creditedNotPaid, cause: cause, anchor: earliest,
            grace: isRefuted ? facts.policy.graceReceipt : facts.policy.graceApple, provenBy: .transactions,
            short: .company)
    }
}
