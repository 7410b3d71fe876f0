internal import Domain

/// Nothing but a transaction that cannot be judged here: an old receipt, a chain of an old format.
///
/// It accuses nobody and proves nothing: `undetermined`/`unverifiable`, which is never "clean".
enum Unverifiable: Rule {
    static func finding(_ facts: Facts) -> Finding? {
        guard facts.subject.backing == .unverifiable, let leading = facts.leading else { return nil }
        return Finding(verdict: .undetermined, cause: .unverifiable, anchor: leading.purchasedAt)
    }
}
