internal import Domain

/// How the orders of a case are tied to its purchases, by the order's id (its row may be missing). RULES §2.
struct OrderTies {
    let file: CaseFile
    let purchases: [Purchase]
    let policy: Policy

    /// "An order is tied to a purchase by its own transaction_id, by a credit or receipt that names both, or by a
    /// per-order token." Positions of purchases by order id.
    var all: [Identifier: Set<Int>] {
        var tied = withoutReceipts
        for receipt in file.receipts { add(receipt.order, receipt.transaction, to: &tied) }
        return tied
    }

    /// The ties that make an owner: "an unverified receipt ties an order for the eye, and never makes an owner".
    var withoutReceipts: [Identifier: Set<Int>] {
        var tied: [Identifier: Set<Int>] = [:]
        for order in file.orders {
            add(order.id, order.transaction, to: &tied)
            for position in positions(byTokenOf: order) { tied[order.id, default: []].insert(position) }
        }
        for credit in file.credits { add(credit.order, credit.transaction, to: &tied) }
        return tied
    }

    private func add(_ order: Identifier?, _ transaction: Identifier?, to tied: inout [Identifier: Set<Int>]) {
        guard let order, let transaction else { return }
        for (position, purchase) in purchases.enumerated() where purchase.names.contains(transaction) {
            tied[order, default: []].insert(position)
        }
    }

    private func positions(byTokenOf order: Order) -> [Int] {
        guard policy.tokenUse == .order, let token = order.token else { return [] }
        return purchases.indices.filter { position in
            purchases[position].transactions.contains { $0.isProven && $0.token == token }
        }
    }
}
