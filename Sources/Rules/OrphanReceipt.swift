internal import Domain

/// 13. A client reported a receipt that leads to no purchase.
///
/// "The phone says paid, Apple has not said so." Causes, the first that applies: `rejected`, `not_in_receipt`
/// (genuine data without the transaction claimed; a finished consumable may rightly be missing),
/// `unverified`, `unknown_transaction`, `no_reference` (it claims no transaction). Nobody is known to be short.
/// Medium; `rejected` is low, and closes by itself as `closed`/`receipt_rejected` after `receiptTTL` when nothing
/// was credited: a refusal that was right. Grace `receipt` from the earliest receipt. The transactions feed
/// could prove otherwise.
///
/// Example: the check answered 21005 and nobody asked again: `unverified`.
enum OrphanReceipt: Rule {
    static func finding(_ facts: Facts) -> Finding? {
        guard facts.subject.backing == .unproven, let earliest = facts.earliestReceipt, let check = facts.check else {
            return nil
        }
        let cause = cause(facts, check: check)
        let hasLapsed = earliest.receivedAt + facts.policy.receiptTTL <= facts.horizon.instant
        if cause == .rejected, hasLapsed, facts.position.creditsBefore == 0 {
            return Finding(verdict: .closed, cause: .receiptRejected, anchor: earliest.receivedAt)
        }
        return Finding(
            verdict: .orphanReceipt, cause: cause, anchor: earliest.receivedAt, grace: facts.policy.graceReceipt,
            provenBy: .transactions)
    }

    private static func cause(_ facts: Facts, check: CheckOutcome) -> Cause {
        if check == .rejected { return .rejected }
        let isConsumable = facts.product.map { facts.policy.products.type(of: $0) == .consumable } ?? false
        if facts.receipts.contains(where: { $0.proof == .lacksClaim }) {
            return isConsumable ? .unknownTransaction : .notInReceipt
        }
        if check == .unverified { return .unverified }
        return facts.receipts.contains { $0.transaction != nil } ? .unknownTransaction : .noReference
    }
}
