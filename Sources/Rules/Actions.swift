/// The next step for a finding. See docs/spec/rules.md#actions. Whether a machine may take it is decided when the retry
/// manifest is written.
func action(for finding: Finding, _ facts: Facts) -> Action {
    switch finding.verdict {
    case .paidNotCredited: creditAction(finding, facts)
    case .refundedNotReversed, .creditedTwice: facts.subject.isDisputed ? .investigate : .reverseCredit
    case .creditedNotPaid: finding.cause == .receiptUnverified ? checkAction(facts) : proofAction(facts)
    case .orphanReceipt:
        finding.cause == .rejected ? .none : finding.cause == .unverified ? checkAction(facts) : proofAction(facts)
    case .invalidTransaction: .escalate
    case .creditedToWrongAccount, .valueMismatch, .orderMissing, .orderUnverified: .investigate
    case .waiting: .wait
    case .undetermined: finding.cause == .feedMissing ? .wait : proofAction(facts)
    case .outOfScope, .closed, .matched: .none
    }
}

/// The step for an uncredited purchase. Goods may be given only for Apple's own record, to a known owner, for at most
/// one order, and while no feed that could show otherwise has a coverage gap.
private func creditAction(_ finding: Finding, _ facts: Facts) -> Action {
    if finding.cause == .reversedWithoutRefund || finding.cause == .creditedShort { return .investigate }
    if facts.purchase?.isFromReceipt == true { return .fetchTransaction }
    // Goods were given under the order's number, perhaps for this purchase, or Apple refunds one payment of two, or has
    // refunded this one, or its records say different things. A person must find out.
    if finding.cause == .crossedOrder || finding.cause == .paidTwice || facts.areRecordsInDoubt { return .investigate }
    if facts.subject.owner == nil { return .attribute }
    if facts.subject.orders.count + facts.subject.otherOrders.count > 1 { return .investigate }
    if facts.ownerNamesAnotherOrder || facts.isOrderCredited { return .investigate }
    if facts.subject.isDisputed(in: facts.file, facts.policy) || facts.mayPredateRecords { return .investigate }
    let hasGap = [.orders, .credits, .transactions].contains { facts.hasGap($0, since: finding.anchor) }
    return hasGap ? .wait : .credit
}

extension Facts {
    private var orderIDs: Set<Identifier> { Set((subject.orders + subject.otherOrders).map { file.orders[$0].id }) }

    /// Something tells of a refund, or proven records of the case disagree about what was bought and for whom.
    fileprivate var areRecordsInDoubt: Bool {
        subject.isDisputed || isRefundImplied
            || subject.transactions.contains { file.transactions[$0].marks.contains(.refunded) }
    }

    /// Goods were given for one of the subject's orders, though the credit names another transaction.
    fileprivate var isOrderCredited: Bool {
        let own = orderIDs
        return file.credits.contains { $0.kind == .credit && own.contains($0.$order) }
    }

    /// A receipt of the owner says that the purchase belongs to an order that is not linked to it. Goods may have been
    /// given for that order.
    fileprivate var ownerNamesAnotherOrder: Bool {
        let own = orderIDs
        return receipts.contains { receipt in
            guard receipt.transaction != nil, receipt.account == subject.owner, let order = receipt.order else {
                return false
            }
            return !own.contains(order)
        }
    }
}

/// Verify a receipt again whose check is unverified; but correct the input where every such check failed because the
/// request was wrong.
private func checkAction(_ facts: Facts) -> Action {
    facts.receipts.filter { $0.check == .unverified }.allSatisfy(\.isBackendsFault) ? .fixInput : .verifyReceipt
}

/// Ask Apple for a transaction that a receipt or credit claims and no record proves.
private func proofAction(_ facts: Facts) -> Action {
    guard facts.isUnproven else { return .investigate }
    let credits = facts.subject.position.credits + facts.reversals
    let isClaimed = facts.receipts.contains { $0.transaction != nil } || credits.contains { $0.transaction != nil }
    return isClaimed ? .fetchTransaction : .investigate
}
