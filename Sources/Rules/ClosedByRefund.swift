/// 5. Refunded in full, and the customer has no goods left: done.
///
/// "Money back, goods back." Cause `refunded`. Nobody is short.
///
/// Example: bought, credited, refunded, reversed: `closed`/`refunded`.
enum ClosedByRefund: Rule {
    static func finding(_ facts: Facts) -> Finding? {
        guard let purchase = facts.purchase, facts.subject.refund == .full, !facts.isKeptAfterRefund else { return nil }
        return Finding(
            verdict: .closed, cause: .refunded, anchor: purchase.purchasedAt, effect: facts.excess)
    }
}
