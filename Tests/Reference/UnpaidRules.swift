internal import Domain

/// 2 and 12–15: subjects without a purchase. See docs/spec/rules.md#verdicts.
func rulingWithoutPurchase(_ subject: Subject, _ night: Night) -> Ruling {
    if night.isBeforeHistory(subject.earliest) {
        return Ruling(verdict: .outOfScope, cause: .beforeHistory, anchor: subject.earliest)
    }
    var result =
        creditedNotPaid(subject, night.policy) ?? orphanReceipt(subject, night.policy)
        ?? orderUnverified(subject, night.policy) ?? closed(subject, night.policy)
    result.effect = subject.goods(subject.amount(at: result.anchor, night.policy), night.policy)
    return result
}

extension Subject {
    /// The earliest credit or order, whichever came first; without one, the earliest receipt.
    fileprivate var earliest: Instant {
        let recorded = (credits + reversals).map(\.credit.creditedAt) + orders.map(\.createdAt)
        return recorded.min() ?? receipts.map(\.receivedAt).min() ?? unprovenTransactions.map(\.purchasedAt).min()!
    }
}

/// 12. No purchase, net credits ≥ 1.
private func creditedNotPaid(_ subject: Subject, _ policy: Policy) -> Ruling? {
    guard subject.netCredits(policy) >= 1 else { return nil }
    let cause: Cause =
        switch subject.check {
        case .rejected: .receiptRejected
        case .unverified: .receiptUnverified
        case .accepted: subject.orphanCause(policy) == .notInReceipt ? .notInReceipt : .noTransaction
        case nil: .noTransaction
        }
    let isRefuted = cause == .receiptRejected || cause == .notInReceipt
    return Ruling(
        verdict: .creditedNotPaid, cause: cause, anchor: subject.creditsLeft[0].credit.creditedAt,
        grace: isRefuted ? policy.graceReceipt : policy.graceApple, provingFeed: .transactions, short: .company)
}

/// 13. No purchase, a receipt exists.
private func orphanReceipt(_ subject: Subject, _ policy: Policy) -> Ruling? {
    guard let earliest = subject.receipts.map(\.receivedAt).min() else { return nil }
    return Ruling(
        verdict: .orphanReceipt, cause: subject.orphanCause(policy), anchor: earliest, grace: policy.graceReceipt,
        provingFeed: .transactions)
}

/// 14. No purchase, no receipt, and an order says paid; or it says credited and nothing was taken back. READINGS 18.
private func orderUnverified(_ subject: Subject, _ policy: Policy) -> Ruling? {
    guard let order = subject.decidingOrder else { return nil }
    guard order.status == .paid || order.status == .credited && subject.reversals.isEmpty else { return nil }
    return Ruling(
        verdict: .orderUnverified, anchor: order.createdAt, grace: policy.graceApple, provingFeed: .transactions)
}

/// 15. No purchase, and none of the above.
private func closed(_ subject: Subject, _ policy: Policy) -> Ruling {
    let order = subject.decidingOrder
    let anchor =
        order?.createdAt ?? subject.reversals.last?.credit.creditedAt
        ?? subject.unprovenTransactions.map(\.purchasedAt).min()!
    var result = Ruling(verdict: .closed, anchor: anchor)
    switch order?.status {
    case .failed: result.cause = .failed
    case .cancelled: result.cause = .cancelled
    case .refunded: result.cause = .refunded
    case .created, .pending:
        result.cause = .neverPaid
        result.grace = policy.orderTTL
    case .paid, .credited, nil: result.cause = .reversed
    }
    return result
}
