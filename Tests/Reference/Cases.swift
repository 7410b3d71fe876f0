internal import Domain

/// What ties evidence together. RULES §2.
enum Tie: Hashable {
    case order(Identifier), transaction(Identifier), line(Identifier), token(Token)
}

/// The connected components of `items`: two are connected that share a tie, or are connected with one that both are.
func components<Item>(_ items: [Item], ties: (Item) -> Set<Tie>) -> [[Item]] {
    var groups: [(items: [Item], ties: Set<Tie>)] = []
    for item in items {
        var merged = (items: [item], ties: ties(item))
        let touched = groups.filter { !$0.ties.isDisjoint(with: merged.ties) }
        groups.removeAll { !$0.ties.isDisjoint(with: merged.ties) }
        for group in touched {
            merged.items += group.items
            merged.ties.formUnion(group.ties)
        }
        groups.append(merged)
    }
    return groups.map(\.items)
}

private enum Piece {
    case order(Order), credit(Credit), transaction(Transaction), receipt(Receipt)
}

/// All cases of the evidence.
func cases(of file: CaseFile, policy: Policy) -> [CaseFile] {
    let pieces: [Piece] =
        file.orders.map { .order($0) } + file.credits.map { .credit($0) }
        + file.transactions.map { .transaction($0) } + file.receipts.map { .receipt($0) }
    return components(pieces) { ties(of: $0, policy: policy) }.map { pieces in
        var file = CaseFile()
        for piece in pieces {
            switch piece {
            case .order(let order): file.orders.append(order)
            case .credit(let credit): file.credits.append(credit)
            case .transaction(let transaction): file.transactions.append(transaction)
            case .receipt(let receipt): file.receipts.append(receipt)
            }
        }
        return file
    }
}

private func ties(of piece: Piece, policy: Policy) -> Set<Tie> {
    switch piece {
    case .order(let order):
        let token = policy.tokenUse == .order ? order.token.map(Tie.token) : nil
        return Set([.order(order.id), order.transaction.map(Tie.transaction), token].compactMap { $0 })
    case .credit(let credit):
        return Set([credit.order.map(Tie.order), credit.transaction.map(Tie.transaction)].compactMap { $0 })
    case .receipt(let receipt):
        return Set([receipt.order.map(Tie.order), receipt.transaction.map(Tie.transaction)].compactMap { $0 })
    case .transaction(let transaction):
        let token = policy.tokenUse == .order && transaction.isProven ? transaction.token.map(Tie.token) : nil
        return transaction.eventTies(policy).union([token].compactMap { $0 })
    }
}

extension Transaction {
    var isProven: Bool { proof >= .vouched }

    /// Absent type comes from the product list.
    func type(_ policy: Policy) -> ProductType? { type ?? policy.products.type(of: product) }

    /// What says that two transactions are one paid event: the id, the line, and of what it is a restore.
    ///
    /// "An invalid or unverifiable transaction ties by its own id only."
    func eventTies(_ policy: Policy) -> Set<Tie> {
        guard isProven else { return [.transaction(id)] }
        let restored = original(restoredUnder: policy)
        return Set([.transaction(id), line.map(Tie.line), restored.map(Tie.transaction)].compactMap { $0 })
    }

    /// "`transaction:<original id>` only where the type is Non-Consumable, or unknown with a differing original id
    /// and no expiry date."
    func original(restoredUnder policy: Policy) -> Identifier? {
        switch type(policy) {
        case .nonConsumable: original
        case nil: original != id && expiresAt == nil ? original : nil
        case .consumable, .autoRenewable, .nonRenewing: nil
        }
    }
}
