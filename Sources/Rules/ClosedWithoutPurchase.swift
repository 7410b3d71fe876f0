/// 15. Without a purchase and without an open question: an order that failed, was cancelled or refunded, or was never
/// paid, or goods that were given and taken back.
///
/// "Nothing happened." Causes, the first that applies: `failed`, `cancelled`, `refunded`, `never_paid` (open longer
/// than `orderTTL`; until then it waits), `reversed`. Nobody is short.
///
/// Example: the customer opened the payment sheet and closed it; three days later: `closed`/`never_paid`.
enum ClosedWithoutPurchase: Rule {
    static func finding(_ facts: Facts) -> Finding? {
        guard let order = facts.order else {
            let anchor = facts.reversals.last?.creditedAt ?? facts.beginning
            return Finding(verdict: .closed, cause: .reversed, anchor: anchor)
        }
        var finding = Finding(verdict: .closed, anchor: order.createdAt)
        switch order.status {
        case .failed: finding.cause = .failed
        case .cancelled: finding.cause = .cancelled
        case .refunded: finding.cause = .refunded
        case .created, .pending:
            finding.cause = .neverPaid
            finding.grace = facts.policy.orderTTL
        case .paid, .credited: finding.cause = .reversed
        }
        return finding
    }
}
