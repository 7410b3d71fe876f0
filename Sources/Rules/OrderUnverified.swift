internal import Domain

/// 14. The backend calls an order paid and nothing else does: no receipt, no transaction.
///
/// "Paid, says who?" Nobody is known to be short. Medium. Grace `apple` from the order's creation. The
/// transactions feed could prove otherwise.
///
/// Example: order O5 is `paid` since last week and neither phone nor Apple knows it: `order_unverified`.
enum OrderUnverified: Rule {
    static func finding(_ facts: Facts) -> Finding? {
        guard facts.isUnproven, facts.subject.receipts.isEmpty, let order = facts.order else { return nil }
        // "Credited" for which no credit can be assumed is a word for paid, unless something was taken back.
        guard order.status == .paid || order.status == .credited && facts.reversals.isEmpty else { return nil }
        return Finding(
            verdict: .orderUnverified, anchor: order.createdAt, grace: facts.policy.graceApple, provenBy: .transactions)
    }
}
