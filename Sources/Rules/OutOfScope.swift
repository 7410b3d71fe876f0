/// 2. A transaction that is not a sale of ours, in this environment and since the beginning of our history, is set
/// aside but stays visible.
///
/// "Family members pay nothing, test purchases are no revenue, and what is older than our history is not ours to
/// judge." Family-shared transactions are out of scope regardless of their credits; those of another environment only
/// while nothing is credited for them (else rule 3); those before `historyFrom` always. Without that setting, a purchase
/// for which nothing was ever given, and which is older than the files and the goods on record: it was served before there
/// were records. But a purchase in a break of those goods is an exception, if orders of that time are on record. So is one
/// of unknown type that names another original: it may be a renewal. Causes, the first that applies:
/// `family_shared`, `sandbox`, `xcode` (LocalTesting too), `other_environment`, `before_history`.
///
/// Example: App Review buys in the sandbox and no credit follows: `out_of_scope`/`sandbox`.
enum OutOfScope: Rule {
    static func finding(_ facts: Facts) -> Finding? {
        guard let cause = cause(facts) else { return nil }
        return Finding(verdict: .outOfScope, cause: cause, anchor: facts.beginning)
    }

    private static func cause(_ facts: Facts) -> Cause? {
        if let purchase = facts.purchase {
            if purchase.ownership == .familyShared { return .familyShared }
            if !facts.policy.reconciles(purchase), facts.net <= 0 {
                switch purchase.environment {
                case .sandbox: return .sandbox
                case .xcode, .localTesting: return .xcode
                case .production, .other: return .otherEnvironment
                }
            }
        }
        return facts.policy.isBeforeHistory(facts.beginning) || isOlderThanRecords(facts) ? .beforeHistory : nil
    }

    /// Before any goods are on record, this holds for restores whose original is not on record, which is when the subject's
    /// record is a restore.
    private static func isOlderThanRecords(_ facts: Facts) -> Bool {
        guard let purchase = facts.purchase, facts.subject.position.credits.isEmpty, facts.reversals.isEmpty,
            !facts.isDatedByOriginal, !facts.isInBreak
        else { return false }
        let policy = facts.policy
        let isUnknownRestore = policy.facts.goods.isEmpty && purchase.isRestore(in: policy)
        return facts.isPaidBefore(isUnknownRestore ? facts.firstDate : facts.recordsFrom)
    }
}

extension Policy {
    /// The purchase was made in the environment that is reconciled. Rules 2 and 3.
    func reconciles(_ purchase: Transaction) -> Bool { purchase.environment == environment }

    /// A subject that began then is older than the history. Rule 2.
    func isBeforeHistory(_ beginning: Instant) -> Bool {
        guard let historyFrom else { return false }
        return beginning < zone.start(of: historyFrom)
    }
}
