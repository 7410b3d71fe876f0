/// 7. The goods went to an account other than the known owner's.
///
/// "One customer paid, another one got the goods." Net credits are 1, and a credit left went to another account. The
/// customer is short of what was paid for. Critical: a customer paid and has nothing. No grace. Where the owner is
/// unknown, the rule does not apply. After a partial refund for which exactly the right quantity was taken back, it is
/// enough that another account has any quantity left.
///
/// Example: account A's token bought, CR1 went to account B: effect −6.00.
enum CreditedToWrongAccount: Rule {
    static func finding(_ facts: Facts) -> Finding? {
        guard let purchase = facts.purchase, let owner = facts.subject.owner else { return nil }
        let otherAccounts = facts.left.lazy.filter { isStray($0, owner: owner) }.map(\.account)
        if let expected = facts.expectedQuantity {
            guard facts.netQuantity() == expected,
                otherAccounts.contains(where: { account in facts.netQuantity { $0.account == account } > 0 })
            else { return nil }
        } else if facts.net != 1 || otherAccounts.isEmpty {
            return nil
        }
        return Finding(
            verdict: .creditedToWrongAccount, anchor: purchase.purchasedAt, short: .customer,
            effect: facts.price?.times(-1, over: 1))
    }

    /// The goods went to an account other than the owner's.
    static func isStray(_ credit: Credit, owner: Identifier) -> Bool { credit.account != owner }
}
