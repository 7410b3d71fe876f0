/// 8. The lost order: Apple has the money and the customer has nothing.
///
/// "Paid, and nothing came." Net credits ≤ 0, or after a partial refund less than the quantity kept (`credited_short`; also
/// where nothing came and the refund leaves no whole number of pieces).
/// Causes, the first that applies: `reversed_without_refund` (a reversal exists), `closed_order` (its order failed, was
/// cancelled or refunded), `crossed_order` (it has no order of its own, and each order that its receipts name belongs to
/// another proven purchase), `paid_twice` (the goods of each of its orders, or of those with its token, were given for
/// another purchase),
/// `receipt_rejected`, `receipt_unverified`, `no_order`, `no_receipt` (the order is open, the client never reported),
/// `credit_failed` (the order says paid or credited, or a receipt was accepted while it is open). The customer is short.
/// Critical.
///
/// Grace `credit` from the purchase. For `reversed_without_refund` grace `apple` from the latest reversal, because
/// Apple's refund record may arrive later than our reversal, unless a record signed after the reversal shows no
/// revocation. The credits feed could prove otherwise.
///
/// Example: the app was killed after paying; the order is pending and no receipt came: `no_receipt`, effect −6.00.
enum PaidNotCredited: Rule {
    static func finding(_ facts: Facts) -> Finding? {
        guard let purchase = facts.purchase else { return nil }
        var finding = Finding(
            verdict: .paidNotCredited, anchor: purchase.purchasedAt, grace: facts.policy.graceCredit,
            provenBy: .credits, short: .customer)
        if let expected = facts.expectedQuantity {
            guard facts.netQuantity() < expected else { return nil }
            finding.cause = .creditedShort
            finding.effect = facts.excess
            return finding
        }
        guard facts.net <= 0 else { return nil }
        finding.cause = facts.subject.refund == .uncountable ? .creditedShort : cause(facts)
        finding.effect = facts.excess
        if let reversal = facts.reversals.last?.creditedAt, !showsNoRefund(facts, since: reversal) {
            finding.anchor = reversal
            finding.grace = facts.policy.graceApple
        }
        return finding
    }

    /// A record of the purchase or of its subscription period, signed after the reversal, shows no revocation.
    private static func showsNoRefund(_ facts: Facts, since reversal: Instant) -> Bool {
        facts.subject.lineMates.map { facts.file.transactions[$0] }.contains { record in
            guard !record.isFromReceipt, let signedAt = record.signedAt, signedAt > reversal else { return false }
            return record.revocation == nil || record.revocation?.type == .familyRevoke
        }
    }

    private static func cause(_ facts: Facts) -> Cause {
        if !facts.reversals.isEmpty { return .reversedWithoutRefund }
        let status = facts.order?.status
        if status == .failed || status == .cancelled || status == .refunded { return .closedOrder }
        if facts.subject.isCrossed { return .crossedOrder }
        if facts.subject.isPaidTwice { return .paidTwice }
        if facts.check == .rejected { return .receiptRejected }
        let isOpen = status == .created || status == .pending
        // Of receipts whose data Apple signed, a backend that keeps no codes says nothing, unless its order is still open.
        let isSilent = !isOpen && facts.receipts.allSatisfy { $0.verifyStatus == nil && $0.proof == .listsClaim }
        if facts.check == .unverified, !isSilent { return .receiptUnverified }
        if status == nil { return .noOrder }
        return isOpen && facts.check == nil ? .noReceipt : .creditFailed
    }
}
