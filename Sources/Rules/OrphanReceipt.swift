/// 13. A client reported a receipt that leads to no purchase.
///
/// "The phone says paid, Apple has not said so." Causes, the first that applies: `rejected`, `not_in_receipt` (genuine
/// data without the transaction claimed; a finished consumable may rightly be missing), `unverified`,
/// `unknown_transaction`, `no_reference` (it claims no transaction). It is not known that anybody is short. Medium;
/// `rejected` is low and closes by itself as `closed`/`receipt_rejected` after `receiptTTL` when nothing was credited,
/// because then the rejection was right. Grace `receipt` from the earliest receipt. The transactions feed could prove
/// otherwise.
///
/// Example: the check answered 21005 and was not repeated: `unverified`.
enum OrphanReceipt: Rule {
    static func finding(_ facts: Facts) -> Finding? {
        guard facts.isUnproven, let earliest = facts.receipts.map(\.receivedAt).min() else {
            return nil
        }
        return Finding(
            verdict: .orphanReceipt, cause: cause(facts), anchor: earliest, grace: facts.policy.graceReceipt,
            provenBy: .transactions)
    }

    private static func cause(_ facts: Facts) -> Cause {
        let check = facts.check
        if check == .rejected { return .rejected }
        if facts.isClaimRefuted { return .notInReceipt }
        if check == .unverified { return .unverified }
        return facts.decisiveClaims.isEmpty ? .noReference : .unknownTransaction
    }
}

extension Facts {
    /// The receipts that claim a transaction and whose check is the strongest. Receipts with a weaker outcome do not
    /// count.
    fileprivate var decisiveClaims: [Receipt] {
        let check = check
        return receipts.filter { $0.check == check && $0.transaction != nil }
    }

    /// Every one of these receipts claims what its own data does not contain. Rules 12 and 13.
    var isClaimRefuted: Bool {
        let claims = decisiveClaims
        return !claims.isEmpty && claims.allSatisfy { $0.isDenied && !mayBeMissing($0) }
    }

    /// Apple removes a consumable from the receipt once the app has finished it.
    private func mayBeMissing(_ receipt: Receipt) -> Bool {
        guard receipt.proof == .lacksClaim, let product = receipt.product ?? order?.product else { return false }
        return policy.products.type(of: product) == .consumable
    }
}
