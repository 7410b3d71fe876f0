/// 14. The backend calls an order paid, and no other evidence does: there is neither a receipt nor a transaction.
///
/// "Paid, says who?" It is not known that anybody is short. Medium. Grace `apple` from the order's creation. The
/// transactions feed could prove otherwise.
///
/// Example: order O5 has been `paid` since last week, and neither a receipt nor Apple's record exists:
/// `order_unverified`.
enum OrderUnverified: Rule {
    static func finding(_ facts: Facts) -> Finding? {
        guard facts.isUnproven, facts.subject.receipts.isEmpty, let order = facts.order else { return nil }
        // "Credited" without a credit that can be assumed says no more than "paid", unless something was taken back.
        guard order.status == .paid || order.status == .credited && facts.reversals.isEmpty else { return nil }
        return Finding(
            verdict: .orderUnverified, anchor: order.createdAt, grace: facts.policy.graceApple, provenBy: .transactions)
    }
}
