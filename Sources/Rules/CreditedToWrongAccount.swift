internal import Domain

/// 7. The goods went to an account that is not the known owner's.
///
/// "He paid, she got it." Net credits are 1 and a credit left went elsewhere. The customer is short of what was
/// paid for. Critical: somebody paid and has nothing. No grace. An owner whom nobody knows accuses nobody. After a
/// partial refund that was met exactly, an account with a quantity left counts.
///
/// Example: account A's token bought, CR1 went to account B: effect −6.00.
enum CreditedToWrongAccount: Rule {
    static func finding(_ facts: Facts) -> Finding? {
        guard let purchase = facts.purchase, let owner = facts.subject.owner else { return nil }
        let strangers = facts.left.map(\.account).filter { $0 != owner }
        if let expected = facts.expectedQuantity {
            guard facts.netQuantity() == expected,
                strangers.contains(where: { who in facts.netQuantity { $0.account == who } > 0 })
            else { return nil }
        } else if facts.net != 1 || strangers.isEmpty {
            return nil
        }
        return Finding(
            verdict: .creditedToWrongAccount, anchor: purchase.purchasedAt, short: .customer, effect: facts.worth(-1))
    }
}
