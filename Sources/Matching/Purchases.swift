internal import Domain

/// One paid event: transactions of a case that are restores or re-issues of each other. RULES §2 "Purchase".
struct Purchase {
    /// Positions in the case file: earliest purchase date first, of equal ones the smaller id. The first one's facts are
    /// the purchase's.
    var transactions: [Int]
    /// Every id it is known by: its transactions' and, of restores, the original's.
    var names: [Identifier]
    var isForged = false

    var leading: Int { transactions[0] }
}

/// The purchases of a case, earliest first. A forged transaction stands in for one where the case has none.
func purchases(of file: Case, policy: Policy) -> [Purchase] {
    let proven = file.transactions.indices.filter { file.transactions[$0].proof >= .vouched }
    if proven.count == 1 { return [Purchase(proven, of: file, policy: policy)] }
    if proven.isEmpty {
        let forged = file.transactions.indices.filter { file.transactions[$0].proof == .invalid }
        return forged.map { Purchase(forged: $0, of: file) }.sorted { $0.precedes($1, in: file) }
    }
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
    return groups.values.map { Purchase($0, of: file, policy: policy) }.sorted { $0.precedes($1, in: file) }
}

private enum IdentityKey: Hashable {
    case transaction(Identifier)
    case line(Identifier)
}

extension Purchase {
    init(_ positions: [Int], of file: Case, policy: Policy) {
        transactions =
            positions.count == 1
            ? positions : positions.sorted { file.transactions[$0].isEarlier(than: file.transactions[$1]) }
        names = positions.map { file.transactions[$0].id }
        var known = SmallMap()
        for name in names { known.insert(name, 0) }
        for position in positions {
            guard let original = file.transactions[position].restoredOriginal(in: policy), known[original] == nil
            else { continue }
            known.insert(original, 0)
            names.append(original)
        }
    }

    init(forged position: Int, of file: Case) {
        transactions = [position]
        names = [file.transactions[position].id]
        isForged = true
    }

    func precedes(_ other: Purchase, in file: Case) -> Bool {
        file.transactions[leading].isEarlier(than: file.transactions[other.leading])
    }

    /// The leading transaction, and other ids of its line.
    func lineMates(in file: Case) -> [Int] {
        guard transactions.count > 1, let line = file.transactions[leading].line else { return [leading] }
        return transactions.filter { file.transactions[$0].line == line }
    }

    /// The leading transaction's refund, else the earliest of its line's. A family's withdrawal is none.
    func revocation(in file: Case) -> Revocation? {
        let refunds = lineMates(in: file).compactMap { file.transactions[$0].revocation }.filter {
            $0.type != .familyRevoke
        }
        if let own = file.transactions[leading].revocation, own.type != .familyRevoke { return own }
        return refunds.enumerated().min { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }?.element
    }
}

extension Transaction {
    /// By purchase date, of equal ones the smaller id.
    func isEarlier(than other: Transaction) -> Bool {
        purchasedAt == other.purchasedAt ? id < other.id : purchasedAt < other.purchasedAt
    }
}
