/// One paid event: the transactions of a case that are restores or re-issues of each other.
/// See docs/spec/rules.md#purchases.
struct Purchase {
    /// Positions in the case: restores last, then the earliest purchase date first, of equal ones the smaller id. The first
    /// transaction supplies the purchase's facts.
    var transactions: [Int]
    /// All ids of the purchase: those of its transactions and, for restores, the original's.
    var names: [Identifier]
    /// A forged transaction that takes the place of a purchase.
    var isForged = false
    /// The original of these restores is not on record.
    var lacksOriginal = false

    /// The transaction that supplies the purchase's facts.
    var leading: Int { transactions[0] }
}

/// The purchases of a case, earliest first.
///
/// Proven transactions are joined by a union-find: two that are of one subscription period, and a restore with
/// its original. Each component is one purchase. In a case without a proven transaction, each forged one takes the
/// place of a purchase, so that orders and credits can be attributed to it.
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
        for period in SubscriptionPeriod.Sign.allCases.compactMap({ transaction.period(in: policy, by: $0) }) {
            unions.unite(own, node(.period(period)))
        }
        if let original = transaction.restoredOriginal(in: policy) { unions.unite(own, node(.transaction(original))) }
    }
    let groups = Dictionary(grouping: proven) { unions.root(of: nodes[.transaction(file.transactions[$0].id)]!) }
    return groups.values.map { Purchase($0, of: file, policy: policy) }.sorted { $0.precedes($1, in: file) }
}

/// An identifier that transactions of one purchase share.
private enum IdentityKey: Hashable {
    case transaction(Identifier)
    case period(SubscriptionPeriod)
}

extension [Purchase] {
    /// Whether records of two of them have one line item, although they are not of one subscription period.
    func shareLine(in file: Case, policy: Policy) -> Bool {
        if count < 2 { return false }
        var seen: [Identifier: Int] = [:]
        for (number, purchase) in enumerated() {
            for record in purchase.transactions.lazy.map({ file.transactions[$0] }) {
                guard let line = record.periodLine(in: policy) else { continue }
                if seen.updateValue(number, forKey: line) ?? number != number { return true }
            }
        }
        return false
    }
}

extension Purchase {
    /// The purchase of these transactions, which must all be proven.
    init(_ positions: [Int], of file: Case, policy: Policy) {
        func isRestore(_ position: Int) -> Bool { file.transactions[position].isRestore(in: policy) }
        // A restore has its original's date.
        transactions =
            positions.count == 1
            ? positions
            : positions.sorted { left, right in
                let (first, second) = (isRestore(left), isRestore(right))
                if first != second { return second }
                return file.transactions[left].isEarlier(than: file.transactions[right])
            }
        lacksOriginal = isRestore(transactions[0])
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

    /// A forged transaction in the place of a purchase.
    init(forged position: Int, of file: Case) {
        transactions = [position]
        names = [file.transactions[position].id]
        isForged = true
    }

    /// By purchase date, then id.
    func precedes(_ other: Purchase, in file: Case) -> Bool {
        file.transactions[leading].isEarlier(than: file.transactions[other.leading])
    }

    /// The leading transaction, and the purchase's other ids of the same subscription period. All, if the original of
    /// restores is not on record.
    func lineMates(in file: Case) -> [Int] {
        if lacksOriginal { return transactions }
        guard transactions.count > 1, let line = file.transactions[leading].line else { return [leading] }
        return transactions.filter { file.transactions[$0].line == line }
    }

    /// The refund that counts: the leading transaction's own, else the earliest one among its subscription period or its
    /// restores. That of a restore does not count if the original was signed later without it: Apple took the refund back. A
    /// withdrawal from family sharing is not a refund.
    func revocation(in file: Case) -> Revocation? {
        let record = file.transactions[leading]
        if let own = record.revocation, own.type != .familyRevoke { return own }
        let isOriginal = record.line == nil && !lacksOriginal
        let copies = isOriginal ? transactions : lineMates(in: file)
        let refunds = copies.compactMap { file.transactions[$0].revocation }.filter {
            $0.type != .familyRevoke && !(isOriginal && record.$signedAt > $0.at)
        }
        return refunds.enumerated().min { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }?.element
    }
}

extension Transaction {
    /// By purchase date; of equal ones the smaller id.
    func isEarlier(than other: Transaction) -> Bool {
        purchasedAt == other.purchasedAt ? id < other.id : purchasedAt < other.purchasedAt
    }
}
