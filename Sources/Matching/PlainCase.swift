/// A fast path for the great majority of cases: one proven transaction, no evidence that names another one, and nothing
/// taken back. Nil for any other case.
///
/// It returns exactly what the general path in `subjects` returns, without building tables. Tests compare both with an
/// independent reference on random worlds.
func plainSubject(of file: Case, policy: Policy, owner: (Token) -> TokenOwner) -> Subject? {
    guard file.transactions.count == 1, file.transactions[0].proof >= .vouched else { return nil }
    let transaction = file.transactions[0]
    let id = transaction.id
    if let original = transaction.restoredOriginal(in: policy), original != id { return nil }
    guard namesOnlyOrNever(id, in: file.orders, by: \.transaction),
        namesOnlyOrNever(id, in: file.receipts, by: \.transaction),
        !file.orders.contains(where: { $0.status == .credited }), !hasReceiptLinks(file, to: transaction, policy),
        !hasWords(file),
        file.credits.allSatisfy({ $0.kind == .credit && $0.$transaction.isAbsent(or: id) })
    else { return nil }

    var subject = Subject(key: SubjectKey(.transaction, id), backing: .purchase)
    subject.transactions = positions(1)
    subject.lineMates = subject.transactions
    subject.leading = 0
    if let revocation = transaction.revocation, revocation.type != .familyRevoke {
        subject.revocation = revocation
        subject.refund = revocation.refund(ofQuantity: transaction.quantity)
    }
    subject.orders = positions(file.orders.count)
    subject.receipts = positions(file.receipts.count)
    subject.credits = positions(file.credits.count)
    subject.position = plainPosition(of: file.credits, of: transaction, policy)
    subject.decide(in: file)
    let linked = linkedOrders(of: file, to: transaction, policy)
    subject.isLinkedToOrder = !linked.isEmpty || file.credits.contains { $0.order != nil && $0.transaction == id }
    subject.owner = subject.owner(in: file, linkedOrders: linked, policy: policy, owner: owner)
    // An order that a credit names here belongs to no other purchase; and what was credited is not crossed.
    if file.credits.isEmpty {
        subject.isCrossed = subject.namesOnlyTakenOrders(in: file, isTaken: policy.facts.takenOrders.contains)
    }
    return subject
}

/// Whether all elements name that transaction, or none names any.
private func namesOnlyOrNever<Element>(
    _ id: Identifier, in elements: [Element], by transaction: (Element) -> Identifier?
) -> Bool {
    guard let first = elements.first.map(transaction) else { return true }
    guard first == nil || first == id else { return false }
    return elements.count == 1 || elements.allSatisfy { transaction($0) == first }
}

/// Whether a receipt may be the only link of some evidence. The general path then decides.
private func hasReceiptLinks(_ file: Case, to transaction: Transaction, _ policy: Policy) -> Bool {
    file.receipts.contains { $0.order != nil && $0.transaction != nil }
        && (file.orders.contains { !policy.links($0, to: transaction) }
            || file.credits.contains { $0.order != nil && $0.transaction == nil })
}

/// Whether one of several credits names an order without a row alone: see `OrderLinks.isWord`.
private func hasWords(_ file: Case) -> Bool {
    file.credits.count > 1 && file.credits.contains { $0.transaction != nil }
        && file.credits.contains { credit in
            guard credit.transaction == nil, let order = credit.order else { return false }
            // Orders are sorted by id.
            let place = file.orders.partitioningIndex { $0.id >= order }
            return place == file.orders.count || file.orders[place].id != order
        }
}

/// The positions of the orders with an authoritative link: by themselves, by a credit or by a per-order token.
private func linkedOrders(of file: Case, to transaction: Transaction, _ policy: Policy) -> [Int] {
    var credited = SmallMap()
    for credit in file.credits where credit.transaction == transaction.id {
        if let order = credit.order { credited.insert(order, 0) }
    }
    return file.orders.indices.filter { position in
        let order = file.orders[position]
        return policy.links(order, to: transaction) || credited[order.id] != nil
    }
}

/// The position of credits without reversals.
private func plainPosition(of credits: [Credit], of transaction: Transaction, _ policy: Policy) -> CreditPosition {
    var position = CreditPosition()
    position.credits = credits
    if credits.count > 1 { position.credits.sort { $0.isEarlier(than: $1) } }
    position.left = position.credits
    position.settle(quantity: transaction.quantity, isCompared: policy.compare.contains(.quantity))
    return position
}

/// `0..<count`. The most frequent arrays are shared rather than allocated.
private func positions(_ count: Int) -> [Int] {
    switch count {
    case 0: []
    case 1: single
    default: Array(0..<count)
    }
}

private let single = [0]
