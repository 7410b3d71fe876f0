/// The rules in the order in which they are tried. The first finding is the verdict. See docs/spec/rules.md#verdicts.
private let catalogue: [any Rule.Type] = [
    InvalidTransaction.self, OutOfScope.self, CreditedInOtherEnvironment.self, RefundedNotReversed.self,
    ClosedByRefund.self, CreditedTwice.self, CreditedToWrongAccount.self, PaidNotCredited.self, ValueMismatch.self,
    OrderMissing.self, Matched.self, CreditedWithoutPurchase.self, OrphanReceipt.self, OrderUnverified.self,
    ClosedWithoutPurchase.self,
]

/// The one verdict of the subject. It depends on the case's evidence, the policy and the horizon only.
public func judge(_ facts: Facts) -> Judgement {
    for rule in catalogue {
        if let finding = rule.finding(facts) { return judgement(of: finding, facts) }
    }
    preconditionFailure("the catalogue leaves \(facts.subject.key.text) without a verdict")
}

/// Adjusts the finding to the night (`Finding.tonight`) and adds what every judgement states: amount, effect, flags,
/// action and evidence.
///
/// Amount and effect are those of the finding before it is adjusted, so that a waiting subject shows what is at
/// stake. A subject without a proven purchase owes nothing, so its effect is the worth of its goods.
private func judgement(of finding: Finding, _ facts: Facts) -> Judgement {
    let adjusted = finding.tonight(facts)
    var judgement = Judgement(
        subject: facts.subject.key, verdict: adjusted.verdict, cause: adjusted.cause, anchor: adjusted.anchor)
    judgement.verdictBehind = finding.verdict
    judgement.causeBehind = finding.cause
    judgement.amount = facts.amount(at: finding.anchor)
    judgement.effect =
        facts.isUnproven && finding.verdict != .outOfScope
        ? facts.goods(judgement.amount) : finding.effect
    judgement.quantity = facts.quantity
    judgement.product = facts.product
    judgement.owner = facts.subject.owner
    judgement.flags = flags(facts)
    judgement.members = members(facts.subject)
    judgement.action = action(for: adjusted, facts)
    judgement.mayPredateRecords = adjusted.verdict == .paidNotCredited && facts.mayPredateRecords
    judgement.short = adjusted.short
    judgement.differences = adjusted.differences
    return judgement
}

/// The subject's evidence, including orders and receipts that are only shown with it.
private func members(_ subject: Subject) -> Judgement.Members {
    var members = Judgement.Members()
    members.orders = subject.otherOrders.isEmpty ? subject.orders : (subject.orders + subject.otherOrders).sorted()
    members.credits = subject.credits
    members.transactions = subject.transactions.count > 1 ? subject.transactions.sorted() : subject.transactions
    members.receipts =
        subject.otherReceipts.isEmpty ? subject.receipts : (subject.receipts + subject.otherReceipts).sorted()
    return members
}
