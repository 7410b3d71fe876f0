internal import Domain

/// What is to be done about a finding. RULES §5; whether a machine may do it is the retry manifest's to decide.
func action(for finding: Finding, _ facts: Facts) -> Action {
    switch finding.verdict {
    case .paidNotCredited: creditAction(finding, facts)
    case .refundedNotReversed, .creditedTwice: .reverseCredit
    case .creditedNotPaid: facts.purchase == nil ? proofAction(facts) : .escalate
    case .orphanReceipt: finding.cause == .rejected ? .none : proofAction(facts)
    case .invalidTransaction, .creditedToWrongAccount: .escalate
    case .valueMismatch, .orderMissing, .orderUnverified: .investigate
    case .waiting, .undetermined: .wait
    case .outOfScope, .closed, .matched: .none
    }
}

/// Goods may be given again only for Apple's own record, to a known owner, for at most one order.
private func creditAction(_ finding: Finding, _ facts: Facts) -> Action {
    if finding.cause == .reversedWithoutRefund || finding.cause == .creditedShort { return .investigate }
    if facts.purchase?.isFromReceipt == true { return .fetchTransaction }
    if facts.subject.owner == nil { return .attribute }
    return facts.subject.orders.count > 1 ? .investigate : .credit
}

/// How to learn whether what a receipt or credit claims was paid.
private func proofAction(_ facts: Facts) -> Action {
    switch facts.check {
    case .rejected: return .escalate
    case .unverified: return facts.receipts.contains(where: \.isOurFault) ? .fixInput : .verifyReceipt
    default: break
    }
    let claims = facts.receipts.contains { $0.transaction != nil } || facts.position.left.contains { $0.transaction != nil }
    return claims ? .fetchTransaction : .investigate
}
