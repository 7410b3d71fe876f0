internal import Domain
internal import Matching

/// A credit that belongs to no purchase, or that names an order or a transaction which its case does not contain. It
/// may have been meant for a purchase that looks uncredited. The look-up finds it by account and product, and by the
/// identifiers it names in any spelling.
struct StrayCredit: Sendable {
    /// The account credited.
    var account: Identifier
    /// The product given; nil if neither the credit nor its order says.
    var product: Identifier?
    /// The order that the credit names.
    var order: Identifier?
    /// The transaction that the credit names.
    var transaction: Identifier?
    /// The index of tonight's case.
    var caseIndex: Int32
}

extension Case {
    /// The stray ones among the subject's credits.
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

    /// Uses binary search: the arrays of a case are sorted by key.
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
    /// The first index whose element satisfies `predicate`, by binary search; `count` if there is none. All elements
    /// that do not satisfy it must come before those that do.
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
    /// The keys under which a look-up finds the credit's case.
    var keys: [SuggestionKey] {
        var keys = [SuggestionKey.goods(account: account, product: product ?? .absent)]
        if let order { keys.append(.order(spelling: order.plainSpelling)) }
        if let transaction { keys.append(.transaction(spelling: transaction.plainSpelling)) }
        return keys
    }
}
