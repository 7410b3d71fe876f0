internal import Domain

/// One paid event: transactions of a case that are restores or re-issues of each other. RULES §2 "Purchase".
struct Purchase {
    /// Positions in the case file, the leading one first.
    var transactions: [Int]
    var leading: Int { transactions[0] }
    /// The revocation that counts: the leading transaction's, or that of another id of the same line.
    var revocation: Revocation?
}

/// The purchases of a case, earliest first. Unproven transactions make none.
func purchases(of file: CaseFile, policy: Policy) -> [Purchase] {
    let proven = file.transactions.indices.filter { file.transactions[$0].proof >= .vouched }
    if proven.count == 1 { return [Purchase(transactions: proven, revocation: file.transactions[proven[0]].revocation)] }
    var unions = UnionFind()
    var nodes: [IdentityKey: Int] = [:]
    func node(_ key: IdentityKey) -> Int {
        if let known = nodes[key] { return known }
        let added = unions.add()
        nodes[key] = added
        return added
    }
    for position in proven {
        let transaction = file.transactions[position]
        let own = node(.transaction(transaction.id))
        if let line = transaction.line { unions.unite(own, node(.line(line))) }
        if let original = transaction.restoredOriginal(in: policy) { unions.unite(own, node(.transaction(original))) }
    }
    let groups = Dictionary(grouping: proven) { unions.root(of: nodes[.transaction(file.transactions[$0].id)]!) }
    return groups.values.map { purchase(of: $0, file: file) }.sorted { $0.precedes($1, in: file) }
}

private enum IdentityKey: Hashable {
    case transaction(Identifier)
    case line(Identifier)
}

private func purchase(of group: [Int], file: CaseFile) -> Purchase {
    let ordered = group.sorted { file.transactions[$0].isEarlier(than: file.transactions[$1]) }
    let leading = file.transactions[ordered[0]]
    let twin = ordered.dropFirst().first {
        leading.line != nil && file.transactions[$0].line == leading.line && file.transactions[$0].revocation != nil
    }
    return Purchase(
        transactions: ordered, revocation: leading.revocation ?? twin.flatMap { file.transactions[$0].revocation })
}

extension Purchase {
    func precedes(_ other: Purchase, in file: CaseFile) -> Bool {
        file.transactions[leading].isEarlier(than: file.transactions[other.leading])
    }
}

extension Transaction {
    /// By purchase date, of equal ones the smaller id.
    func isEarlier(than other: Transaction) -> Bool {
        purchasedAt == other.purchasedAt ? id < other.id : purchasedAt < other.purchasedAt
    }
}
