package import Domain

/// The slow and obvious second opinion: RULES §§1–3 and the actions of §5, sentence by sentence.
///
/// - Parameter evidence: all copies, in any order.
/// - Returns: one verdict a subject, sorted by subject, and the rows that only repeated what was known.
package func judge(
    _ evidence: Evidence, policy: Policy, horizon: Horizon
) -> (verdicts: [ReferenceVerdict], duplicates: [FeedKind: Int]) {
    let standing = Standing(evidence, policy: policy)
    let night = Night(orders: standing.file.orders, policy: policy, horizon: horizon)
    let all = cases(of: standing.file, policy: policy).flatMap { subjects(of: $0, night: night) }
    let suggestions = Suggestions(subjects: all, file: standing.file, night: night)
    let verdicts = all.map { verdict(on: $0, suggestions, night) }.sorted { $0.subject < $1.subject }
    return (verdicts, standing.duplicates)
}

private func verdict(on subject: Subject, _ suggestions: Suggestions, _ night: Night) -> ReferenceVerdict {
    let ruling = ruling(on: subject, night).tonight(subject, night)
    let suggestion = suggestions.suggestion(for: subject.key)
    let remedy = Remedy(subject: subject, ruling: ruling, isAmbiguous: suggestion.isAmbiguous, night: night)
    var flags = subject.flags(night)
    // "Is suggested on the exception row."
    let suggested = ruling.verdict.isException ? suggestion.order : nil
    if suggested != nil { flags.insert(.suggestedOrder) }
    if ruling.verdict.isException && suggestion.isAmbiguous { flags.insert(.ambiguousOrder) }
    return ReferenceVerdict(
        subject: subject.key, verdict: ruling.verdict, cause: ruling.cause, flags: flags, anchor: ruling.anchor,
        short: ruling.short, action: remedy.action, effect: ruling.effect,
        amount: subject.amount(at: ruling.anchor, night.policy), owner: subject.owner, suggestedOrder: suggested,
        orders: (subject.orders + subject.otherOrders).map(\.id).sorted(),
        credits: (subject.credits + subject.reversals).filter { !$0.isImplicit }.map(\.credit.id).sorted(),
        transactions: subject.transactions.map(\.id).sorted(),
        receipts: (subject.receipts + subject.otherReceipts).map { Identifier($0.id) }.sorted())
}
