internal import Domain
internal import Matching
internal import Reference
internal import Rules

/// The product as a judge: cases, subjects, verdicts and suggestions, combined as in a night.
func product(_ evidence: Evidence, policy: Policy, horizon: Horizon) -> [ReferenceVerdict] {
    var policy = policy
    _ = policy.facts.note(evidence)
    let apart = Judged(evidence, policy: policy, horizon: horizon)
    for case (let subject, .givenByDesk(let order)) in apart.suggestions {
        policy.facts.deskOrders[order] = subject.id
    }
    let judged = policy.facts.deskOrders.isEmpty ? apart : Judged(evidence, policy: policy, horizon: horizon)
    return judged.verdicts.map { $0.with(judged.suggestions[$0.subject]) }.sorted { $0.subject < $1.subject }
}

private struct Judged {
    var verdicts: [ReferenceVerdict] = []
    let suggestions: [SubjectKey: Suggestion]

    init(_ evidence: Evidence, policy: Policy, horizon: Horizon) {
        let copies = Versions(asRead(evidence), policy: policy)
        let owner = copies.tokenOwners
        let book = CaseSet(copies, policy: policy, owner: owner)
        var policy = policy
        policy.facts.crowdedTokens = Set(book.crowdedTokens)
        policy.facts.takenOrders = book.takenOrders
        var file = Case()
        var loose: [UnlinkedPurchase] = []
        var unused: [UnlinkedOrder] = []
        for number in 0..<book.count {
            book.load(number, into: &file)
            for subject in subjects(of: file, policy: policy, horizon: horizon, owner: owner) {
                let judgement = Rules.judge(Facts(subject: subject, file: file, policy: policy, horizon: horizon))
                verdicts.append(ReferenceVerdict(judgement, of: file))
                if let purchase = subject.unlinkedPurchase(in: file, policy: policy) { loose.append(purchase) }
            }
            unused += file.unlinkedOrders(policy: policy)
        }
        suggestions = Matching.suggestions(for: loose, among: unused, window: policy.suggestionWindow)
    }
}

extension ReferenceVerdict {
    fileprivate func with(_ suggestion: Suggestion?) -> ReferenceVerdict {
        guard let suggestion, verdict.isException else { return self }
        var copy = self
        switch suggestion {
        case .order(let id), .given(let id), .givenByDesk(let id):
            copy.flags.insert(.suggestedOrder)
            copy.suggestedOrder = id
        case .ambiguous: copy.flags.insert(.ambiguousOrder)
        }
        if case .order = suggestion {} else if [.credit, .wait].contains(copy.action) { copy.action = .investigate }
        return copy
    }
}

/// Without ids that name nothing: readers never pass them on (IntakeTests).
private func asRead(_ evidence: Evidence) -> Evidence {
    func real(_ id: Identifier?) -> Identifier? { ["", "0", "null"].contains(id?.text) ? nil : id }
    var copy = evidence
    for index in copy.orders.indices { copy.orders[index].transaction = real(copy.orders[index].transaction) }
    for index in copy.credits.indices {
        copy.credits[index].order = real(copy.credits[index].order)
        copy.credits[index].transaction = real(copy.credits[index].transaction)
    }
    for index in copy.receipts.indices {
        copy.receipts[index].order = real(copy.receipts[index].order)
        copy.receipts[index].transaction = real(copy.receipts[index].transaction)
    }
    for index in copy.transactions.indices {
        copy.transactions[index].original = real(copy.transactions[index].original)
        copy.transactions[index].line = real(copy.transactions[index].line)
    }
    return copy
}
