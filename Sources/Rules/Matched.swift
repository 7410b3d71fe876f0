internal import Domain

/// 11. Apple's record, the order and the credit agree.
enum Matched: Rule {
    static func finding(_ facts: Facts) -> Finding? {
        facts.purchase.map { Finding(verdict: .matched, anchor: $0.purchasedAt, effect: facts.worth(0)) }
    }
}
