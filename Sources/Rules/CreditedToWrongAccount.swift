internal import Domain

/// 7. The goods went to an account that is not the known owner's.
///
/// "He paid, she got it." Net credits are 1 and a credit left went elsewhere. The customer is short of what was
/// paid for. Critical: somebody paid and has nothing. No grace. An owner whom nobody knows accuses nobody.
///
/// Example: account A's token bought, CR1 went to account B: effect −6.00.
enum CreditedToWrongAccount: Rule {
    static func finding(_ facts: Facts) -> Finding? {
        guard let purchase = facts.purchase, facts.net == 1, let owner = facts.subject.owner,
            facts.position.left.contains(where: { $0.account != owner })
        else { return nil }
        return Finding(
            verdict: .creditedToWrongAccount, anchor: purchase.purchasedAt, short: .customer, effect: facts.share(-1))
    }
}
