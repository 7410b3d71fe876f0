/// 4. Apple gave the money back, and the customer still has the goods.
///
/// "Refunded and kept." Revoked in full with goods left (`Facts.isKeptAfterRefund`): all of them are in excess. Revoked in
/// part, with a share that is a whole quantity: the quantity left beyond the quantity kept is in excess. Causes:
/// `reversed_short` where only a part was taken back; of a full refund with net credits left, `credited_after_refund` where
/// the last credit came after the revocation, else `not_reversed`. The company is short. High. Grace `refund` from the revocation,
/// because reversing is a job of its own. The credits feed could prove otherwise.
///
/// Example: 6.00 CNY refunded on Monday, credit CR1 still stands on Wednesday: effect +6.00.
enum RefundedNotReversed: Rule {
    static func finding(_ facts: Facts) -> Finding? {
        guard let revocation = facts.subject.revocation, facts.purchase != nil else { return nil }
        var finding = Finding(
            verdict: .refundedNotReversed, anchor: revocation.at, grace: facts.policy.graceRefund, provenBy: .credits,
            short: .company)
        switch facts.subject.refund {
        case .full where facts.isKeptAfterRefund && facts.net <= 0:
            finding.cause = .reversedShort
            finding.effect = facts.excess
        case .full where facts.isKeptAfterRefund:
            let last = facts.left.last?.creditedAt ?? revocation.at
            finding.cause = last > revocation.at ? .creditedAfterRefund : .notReversed
            finding.effect = facts.excess
        case .partial(let expected) where facts.netQuantity() > expected:
            finding.cause = .reversedShort
            finding.effect = facts.excess
        default: return nil
        }
        return finding
    }
}
