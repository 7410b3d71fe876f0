internal import Domain
internal import Matching
internal import Reference
internal import Rules

/// The product as a judge: cases, subjects, verdicts and suggestions, as a night puts them together.
func product(_ evidence: Evidence, policy: Policy, horizon: Horizon) -> [ReferenceVerdict] {
    let book = CaseBook(asRead(evidence), policy: policy)
    let owners = owners(of: book)
    var file = CaseFile()
    var verdicts: [ReferenceVerdict] = []
    var loose: [LoosePurchase] = []
    var unused: [UnusedOrder] = []
    for number in 0..<book.count {
        book.load(number, into: &file)
        for subject in subjects(of: file, policy: policy, horizon: horizon, owner: { owners[$0] ?? .unknown }) {
            let judgement = Rules.judge(Facts(subject: subject, file: file, policy: policy, horizon: horizon))
            verdicts.append(ReferenceVerdict(judgement, of: file))
            if let purchase = subject.loosePurchase(in: file, policy: policy) { loose.append(purchase) }
        }
        unused += file.unusedOrders(policy: policy)
    }
    let suggestions = suggestions(for: loose, among: unused, window: policy.suggestionWindow)
    return verdicts.map { $0.with(suggestions[$0.subject]) }.sorted { $0.subject < $1.subject }
}

private func owners(of book: CaseBook) -> [Token: TokenOwner] {
    var owners: [Token: TokenOwner] = [:]
    for (position, order) in book.orders.enumerated() where book.orderFates[position] == .standing {
        guard let token = order.token else { continue }
        let known = owners[token] ?? .account(order.account)
        owners[token] = known == .account(order.account) ? known : .several
    }
    return owners
}

extension ReferenceVerdict {
    fileprivate func with(_ suggestion: Suggestion?) -> ReferenceVerdict {
        guard let suggestion, verdict.isException else { return self }
        var copy = self
        switch suggestion {
        case .order(let id):
            copy.flags.insert(.suggestedOrder)
            copy.suggestedOrder = id
        case .ambiguous:
            copy.flags.insert(.ambiguousOrder)
            if [.credit, .wait].contains(copy.action) { copy.action = .investigate }
        }
        return copy
    }
}

/// Without the ids that are none: readers never hand them on (IntakeTests).
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
