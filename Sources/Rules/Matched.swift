/// 11. Apple's record, the order and the credit agree.
///
/// "Paid once, delivered once." No cause, and nobody is short. Reached by a purchase to which no earlier rule applies.
///
/// Example: O1 and CR1 name transaction 1001, with the same product, quantity and amount: `matched`, effect 0.00.
enum Matched: Rule {
    static func finding(_ facts: Facts) -> Finding? {
        facts.purchase.map { Finding(verdict: .matched, anchor: $0.purchasedAt, effect: facts.excess) }
    }
}
