package import Domain

/// A second implementation of the rules, slow and obvious: docs/spec/rules.md, sentence by sentence.
///
/// - Parameter evidence: all versions, in any order.
/// - Returns: one verdict for each subject, sorted by subject, and the rows that only repeated what was known.
package func judge(
    _ evidence: Evidence, policy: Policy, horizon: Horizon
) -> (verdicts: [ReferenceVerdict], duplicates: [FeedKind: Int]) {
    let standing = Standing(evidence, policy: policy)
    let file = standing.file
    var night = Night(
        orders: file.orders, tokensInUse: evidence.orders.isEmpty || evidence.orders.contains { $0.token != nil },
        policy: policy,
        horizon: horizon)
    let links = Links(file, night)
    night.linkingReceipts = Set(file.receipts.filter(links.isTying).map(\.id))
    night.givenOrders = Set(file.credits.filter { $0.kind == .credit }.compactMap(\.order))
    func look(_ deskOrders: [Identifier: Identifier]) -> (subjects: [Subject], suggestions: Suggestions) {
        night.holders = links.holders(deskOrders: deskOrders)
        let cases = cases(of: file, night: night, deskOrders: deskOrders)
        let all = cases.flatMap { subjects(of: $0, night: night) }
        return (all, Suggestions(subjects: all, cases: cases, night: night))
    }
    // The one suggestion that decides something: a desk credit that names only an order.
    let (all, suggestions) = look(look([:]).suggestions.deskOrders)
    let verdicts = all.map { verdict(on: $0, suggestions, night) }.sorted { $0.subject < $1.subject }
    return (verdicts, standing.duplicates)
}

private func verdict(on subject: Subject, _ suggestions: Suggestions, _ night: Night) -> ReferenceVerdict {
    let ruling = ruling(on: subject, night).tonight(subject, night)
    let suggestion = suggestions.suggestion(for: subject.key)
    let remedy = Remedy(subject: subject, ruling: ruling, suggestion: suggestion, night: night)
    var flags = subject.flags(night)
    // The suggestion is shown on the exception's row.
    let isShown = !suggestion.isGiven && subject.orders.contains { $0.id == suggestion.order }
    let suggested = ruling.verdict.isException && !isShown ? suggestion.order : nil
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
