/// 1. A transaction whose signature, chain or bundle does not hold proves nothing, whoever delivered it.
///
/// "A bill that Apple never wrote, or wrote for another app." Causes: `bad_signature`, `untrusted_chain`,
/// `wrong_bundle`. The company is short where goods were given for it. High, because it is a forgery or a broken feed.
/// No grace: no later evidence makes a forged proof genuine, and a genuine version of the same transaction would have
/// outranked it.
///
/// Example: a self-made chain signs transaction 9001 and CR7 credits it: `invalid_transaction`/`untrusted_chain`.
enum InvalidTransaction: Rule {
    static func finding(_ facts: Facts) -> Finding? {
        guard facts.subject.backing == .invalid, let record = facts.record else { return nil }
        let cause: Cause =
            switch record.failure {
            case .badSignature, .none: .badSignature
            case .untrustedChain: .untrustedChain
            case .wrongBundle: .wrongBundle
            }
        return Finding(
            verdict: .invalidTransaction, cause: cause, anchor: record.purchasedAt,
            short: facts.net >= 1 ? .company : .nobody, effect: facts.goods(facts.amount(at: record.purchasedAt)))
    }
}
