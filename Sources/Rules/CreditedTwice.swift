/// 6. One payment, more than one delivery.
///
/// "Paid once, credited twice." Net credits exceed 1; credits that together give no more pieces than were bought count as
/// one: who got two of three in two rows lacks one. Causes, the first that applies: `cross_account` (the credits left belong to two accounts),
/// `restored_as_new` (to two transactions of the purchase), `desk_and_auto`, `two_orders`, `two_credits`. The company
/// is short of what was given in excess. High. No grace: a later reversal resolves it, and the roll-forward shows that.
///
/// Example: the desk compensates at noon and the job credits at one: `desk_and_auto`, effect +6.00.
enum CreditedTwice: Rule {
    static func finding(_ facts: Facts) -> Finding? {
        guard let purchase = facts.purchase, facts.expectedQuantity == nil, facts.net > 1 else { return nil }
        return Finding(
            verdict: .creditedTwice, cause: cause(of: facts.left), anchor: purchase.purchasedAt,
            short: .company, effect: facts.excess)
    }

    private static func cause(of credits: [Credit]) -> Cause {
        if Set(credits.map(\.account)).count > 1 { return .crossAccount }
        if Set(credits.compactMap(\.transaction)).count > 1 { return .restoredAsNew }
        if Set(credits.map(\.origin)).count > 1 { return .deskAndAuto }
        if Set(credits.compactMap(\.order)).count > 1 { return .twoOrders }
        return .twoCredits
    }
}
