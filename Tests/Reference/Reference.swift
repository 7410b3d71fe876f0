package import Domain

/// A second implementation of the rules, slow and obvious: docs/spec/rules.md, sentence by sentence.
///
/// - Parameter evidence: all versions, in any order.
/// - Returns: one verdict for each subject, sorted by subject, and the rows that only repeated what was known.
package func judge(
    _ evidence: Evidence, policy: Policy, horizon: Horizon
) -> (verdicts: [ReferenceVerdict], duplicates: [FeedKind: Int]) {
    let examined = Examined(evidence, policy: policy, horizon: horizon)
    return (examined.cases.flatMap(\.verdicts).sorted { $0.subject < $1.subject }, examined.standing.duplicates)
}

/// Everything that judging some evidence comes to.
struct Examined {
    let standing: Standing
    var night: Night
    /// Each case with its subjects, and one verdict for each of them.
    var cases: [(file: Case, subjects: [Subject], verdicts: [ReferenceVerdict])] = []

    init(_ evidence: Evidence, policy: Policy, horizon: Horizon) {
        standing = Standing(evidence, policy: policy)
        let file = standing.file
        night = Night(
            orders: evidence.orders,
            tokensInUse: evidence.orders.isEmpty || evidence.orders.contains { $0.token != nil },
            policy: policy,
            horizon: horizon)
        night.versions = standing.disputed
        let goods =
            evidence.credits.filter { $0.kind == .credit }.map(\.creditedAt)
            + evidence.orders.filter { $0.status == .credited }.map { $0.updatedAt ?? $0.createdAt }
        let dated = goods.filter { $0 >= .appStoreOpening }
        night.oldestGoods = dated.min()
        night.ordered = evidence.orders.map(\.createdAt).filter { $0 >= .appStoreOpening }.sorted()
        if policy.historyFrom == nil, let first = horizon.coverage.firstDate, !dated.isEmpty {
            // Back from the first file's day, from goods to older goods, until there are none for 14 days.
            var oldest = policy.zone.start(of: first)
            for instant in dated.sorted(by: >) where instant + .days(14) >= oldest { oldest = min(oldest, instant) }
            night.recordsFrom = min(first, policy.zone.date(of: oldest))
        }
        let links = Links(file, night)
        night.linkingReceipts = Set(file.receipts.filter(links.isTying).map(\.id))
        night.givenOrders = Set(file.credits.filter { $0.kind == .credit }.compactMap(\.order))
        // The one suggestion that decides something: a desk credit that names only an order.
        let suggestions = look([:], links)
        let decided = look(suggestions.deskOrders, links)
        for index in cases.indices {
            cases[index].verdicts = cases[index].subjects.map { verdict(on: $0, decided, night) }
        }
    }

    private mutating func look(_ deskOrders: [Identifier: Identifier], _ links: Links) -> Suggestions {
        night.holders = links.holders(deskOrders: deskOrders)
        let files = Reference.cases(of: standing.file, night: night, deskOrders: deskOrders)
        let doubted = files.filter { file in
            // "… or two of its purchases have one line item."
            let lines = purchases(of: file, policy: night.policy).flatMap { purchase in
                Set(purchase.transactions.compactMap { $0.periodLine(night.policy) })
            }
            return Set(lines).count < lines.count
                || (file.transactions.map(\.marks) + file.orders.map(\.marks)).contains { $0.contains(.disagrees) }
        }
        night.disputed = Set(doubted.flatMap(\.transactions).map(\.id))
        cases = files.map { ($0, subjects(of: $0, night: night), []) }
        return Suggestions(subjects: cases.flatMap(\.subjects), cases: files, night: night)
    }
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
