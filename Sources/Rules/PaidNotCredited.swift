internal import Domain

/// 8. The lost order: Apple has the money and the customer has nothing.
///
/// "Paid, and nothing came." Net credits ≤ 0, or after a partial refund less than the quantity kept
/// (`credited_short`). Causes, the first that applies: `reversed_without_refund` (a reversal exists),
/// `closed_order` (its order failed, was cancelled or refunded), `receipt_rejected`, `receipt_unverified`,
/// `credit_failed` (the order says paid or credited, or a receipt was accepted while it is open), `no_receipt`
/// (the order is open, the client never reported), `no_order`. The customer is short. Critical.
///
/// Grace `credit` from the purchase. For `reversed_without_refund` grace `apple` from the latest reversal, since
/// Apple's refund record may come later than our reversal, unless a record signed after it shows no revocation.
/// The credits feed could prove otherwise.
///
/// Example: the app was killed after paying; the order is pending and no receipt came: `no_receipt`, effect −6.00.
enum PaidNotCredited: Rule {
    static func finding(_ facts: Facts) -> Finding? {
        guard let purchase = facts.purchase else { return nil }
        var finding = Finding(
            verdict: .paidNotCredited, anchor: purchase.purchasedAt, grace: facts.policy.graceCredit,
            provenBy: .credits, short: .customer)
        if case .partial(let expected) = facts.refund {
            guard facts.position.netQuantity < expected else { return nil }
            finding.cause = .creditedShort
            finding.effect = facts.share(facts.position.netQuantity - expected, of: Int64(purchase.quantity))
            return finding
        }
        guard facts.net <= 0 else { return nil }
        finding.cause = cause(facts)
        finding.effect = facts.share(-1)
        if let reversal = facts.latestReversal, (purchase.signedAt ?? .absent) <= reversal {
            finding.anchor = reversal
            finding.grace = facts.policy.graceApple
        }
        return finding
    }

    private static func cause(_ facts: Facts) -> Cause {
        if facts.latestReversal != nil { return .reversedWithoutRefund }
        let status = facts.order?.status
        if [.failed, .cancelled, .refunded].contains(status) { return .closedOrder }
        switch facts.check {
        case .rejected: return .receiptRejected
        case .unverified: return .receiptUnverified
        case .accepted where status != nil: return .creditFailed
        default: break
        }
        switch status {
        case .paid, .credited: return .creditFailed
        case nil: return .noOrder
        default: return .noReceipt
        }
    }
}
