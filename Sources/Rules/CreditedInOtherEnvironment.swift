/// 3. Goods were given in this environment for a transaction of another one, which nobody paid for here.
///
/// "A sandbox purchase costs nothing, and we delivered." Causes: `sandbox` (Xcode and LocalTesting too),
/// `other_environment`. The company is short of what it gave. High, because this is a way to get goods without paying.
/// No grace: the environment of a transaction never changes.
///
/// Example: a TestFlight build pays in the sandbox and production credits 60 coins: `credited_not_paid`/`sandbox`.
enum CreditedInOtherEnvironment: Rule {
    static func finding(_ facts: Facts) -> Finding? {
        guard let purchase = facts.purchase, !facts.policy.reconciles(purchase), facts.net >= 1 else {
            return nil
        }
        let isTest = [.sandbox, .xcode, .localTesting].contains(purchase.environment)
        return Finding(
            verdict: .creditedNotPaid, cause: isTest ? .sandbox : .otherEnvironment, anchor: purchase.purchasedAt,
            short: .company, effect: facts.goods(facts.price))
    }
}
