package import Domain

/// The rules in the order in which they apply: the first finding is the verdict. RULES §3.
private let catalogue: [any Rule.Type] = [
    InvalidTransaction.self, OutOfScope.self, Unverifiable.self, CreditedInOtherEnvironment.self,
    RefundedNotReversed.self, ClosedByRefund.self, CreditedTwice.self, CreditedToWrongAccount.self,
    PaidNotCredited.self, ValueMismatch.self, OrderMissing.self, Matched.self,
    CreditedWithoutPurchase.self, OrphanReceipt.self, OrderUnverified.self, ClosedWithoutPurchase.self,
]

/// The one verdict of the subject: a pure function of its case's evidence, the policy and the horizon.
package func judge(_ facts: Facts) -> Judgement {
    for rule in catalogue {
        if let finding = rule.finding(facts) { return judgement(of: finding, facts) }
    }
    preconditionFailure("the catalogue leaves \(facts.subject.key.text) without a verdict")
}

private func judgement(of finding: Finding, _ facts: Facts) -> Judgement {
    var judgement = Judgement(
        subject: facts.subject.key, verdict: finding.verdict, cause: finding.cause, anchor: finding.anchor)
    judgement.amount = facts.amount
    judgement.quantity = facts.quantity
    judgement.product = facts.product
    judgement.owner = facts.subject.owner
    judgement.flags = flags(facts)
    judgement.members = members(facts)
    if let grace = finding.grace, finding.anchor + grace > facts.horizon.instant {
        judgement.verdict = .waiting
        judgement.cause = Cause.waits(on: finding.verdict)
        judgement.action = .wait
    } else if let feed = finding.provenBy, isBlind(feed, since: finding.anchor, facts) {
        judgement.verdict = .undetermined
        judgement.cause = .feedMissing
        judgement.action = .wait
    } else {
        judgement.effect = finding.effect
        judgement.short = finding.short
        judgement.differences = finding.differences
        judgement.action = action(for: finding, facts)
    }
    return judgement
}

/// Whether a day from the anchor's on is missing in the feed that could prove otherwise. RULES §3 "Coverage".
private func isBlind(_ feed: FeedKind, since anchor: Instant, _ facts: Facts) -> Bool {
    if facts.horizon.coverage.holes.isEmpty { return false }
    return facts.horizon.coverage.hasHole(
        feed, from: facts.policy.zone.date(of: anchor), through: facts.horizon.businessDate)
}

private func members(_ facts: Facts) -> Judgement.Members {
    var members = Judgement.Members()
    members.orders = facts.subject.orders
    members.credits = facts.subject.credits
    members.transactions = facts.subject.transactions
    members.receipts = facts.subject.receipts
    return members
}

extension Cause {
    /// What a waiting subject waits on.
    static func waits(on verdict: Verdict) -> Cause {
        switch verdict {
        case .refundedNotReversed: .waitsRefundedNotReversed
        case .paidNotCredited: .waitsPaidNotCredited
        case .creditedNotPaid: .waitsCreditedNotPaid
        case .orphanReceipt: .waitsOrphanReceipt
        case .orderUnverified: .waitsOrderUnverified
        default: .waitsClosed
        }
    }
}
