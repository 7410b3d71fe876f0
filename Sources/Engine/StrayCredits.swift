internal import Domain
internal import Matching

/// A credit that no purchase has, or that names an order or a transaction which its case lacks. Somebody may have meant
/// it for a purchase that is found uncredited; the look-up finds it by account and product, and by its ids in whatever
/// spelling.
struct StrayCredit: Sendable {
    var account: Identifier
    var product: Identifier?
    var order: Identifier?
    var transaction: Identifier?
    /// Tonight's number of the case.
    var caseIndex: Int32
}

extension Case {
    /// Those of the subject's credits that are stray.
    func strayCredits(of subject: Subject, caseIndex: Int32) -> [StrayCredit] {
        subject.credits.compactMap { position in
            let credit = credits[position]
            let order = credit.order.flatMap { self.order($0) }
            let lacksOrder = credit.order != nil && order == nil
            let lacksTransaction = credit.transaction.map { !hasTransaction($0) } ?? false
            guard subject.backing != .purchase || lacksOrder || lacksTransaction else { return nil }
            return StrayCredit(
                account: credit.account, product: credit.product ?? order?.product, order: credit.order,
                transaction: credit.transaction, caseIndex: caseIndex)
        }
    }

    /// Arrays of a case file are sorted by key.
    private func order(_ id: Identifier) -> Order? {
        let place = orders.firstPlace { $0.id >= id }
        return place < orders.count && orders[place].id == id ? orders[place] : nil
    }

    private func hasTransaction(_ id: Identifier) -> Bool {
        let place = transactions.firstPlace { $0.id >= id }
        return place < transactions.count && transactions[place].id == id
    }
}

extension Array {
    /// The first index at which the ascending array satisfies `predicate`, by halving.
    fileprivate func firstPlace(where predicate: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if predicate(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension StrayCredit {
    /// The keys under which a look-up finds its case.
    var keys: [SuggestionKey] {
        var keys = [SuggestionKey.goods(account: account, product: product ?? .absent)]
        if let order { keys.append(.order(spelling: order.plainSpelling)) }
        if let transaction { keys.append(.transaction(spelling: transaction.plainSpelling)) }
        return keys
    }
}
