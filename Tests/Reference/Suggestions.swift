internal import Domain

/// Which unused order a purchase that nothing ties to one may belong to. RULES §2.
struct Suggestions {
    private var candidates: [SubjectKey: [Identifier]] = [:]

    init(subjects: [Subject], file: CaseFile, night: Night) {
        let unused = file.orders.filter { isUnused($0, in: file, night) }
        for subject in subjects where subject.seeksOrder(night) {
            let record = subject.purchase!.record
            candidates[subject.key] = unused.filter { order in
                order.account == subject.owner && order.product == record.product
                    && record.purchasedAt - order.createdAt <= night.policy.suggestionWindow
                    && order.createdAt <= record.purchasedAt
            }.map(\.id)
        }
    }

    /// "Unique both ways"; else, where there is a candidate at all, ambiguous.
    func suggestion(for key: SubjectKey) -> (order: Identifier?, isAmbiguous: Bool) {
        guard let orders = candidates[key], !orders.isEmpty else { return (nil, false) }
        let rivals = candidates.values.filter { $0.contains(orders[0]) }.count
        return orders.count == 1 && rivals == 1 ? (orders[0], false) : (nil, true)
    }
}

extension Subject {
    /// A purchase in scope of a known owner that nothing ties to an order. READINGS 20.
    fileprivate func seeksOrder(_ night: Night) -> Bool {
        guard let record = purchase?.record, record.isProven, owner != nil else { return false }
        return tiedOrders.isEmpty && orders.isEmpty && record.environment == night.policy.environment
            && record.ownership != .familyShared
    }
}

/// Nothing connects it with a transaction, and nothing was given for it.
private func isUnused(_ order: Order, in file: CaseFile, _ night: Night) -> Bool {
    if order.transaction != nil || order.status == .credited { return false }
    if file.credits.contains(where: { $0.order == order.id && ($0.kind == .credit || $0.transaction != nil) }) {
        return false
    }
    if file.receipts.contains(where: { $0.order == order.id && $0.transaction != nil }) { return false }
    guard night.policy.tokenUse == .order, let token = order.token else { return true }
    return !file.transactions.contains { $0.isProven && $0.token == token }
}
