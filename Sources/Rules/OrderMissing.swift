/// 10. Paid and delivered once, but no row of the backend's order table belongs to it.
///
/// "Delivered off the books." Renewals of auto-renewable subscriptions have no order and need none. Nobody is short.
/// Low. The orders feed could prove otherwise.
///
/// Example: CR9 credits transaction 2001 and no order names either: `order_missing`.
enum OrderMissing: Rule {
    static func finding(_ facts: Facts) -> Finding? {
        guard let purchase = facts.purchase, facts.subject.orders.isEmpty, facts.type != .autoRenewable else {
            return nil
        }
        return Finding(verdict: .orderMissing, anchor: purchase.purchasedAt, provenBy: .orders, effect: facts.excess)
    }
}
