internal import Domain

/// How the orders of a case are linked to its purchases, by the order's id. The order's row may be missing.
/// See docs/spec/rules.md#order-links.
struct OrderTies {
    let file: Case
    let purchases: [Purchase]
    let night: Night

    /// The indices of purchases by order id. An order is linked to a purchase by its own transaction id, else by a
    /// credit that names both, else by a per-order token, else by a receipt. An earlier way excludes the later ones.
    var all: [Identifier: Set<Int>] { tied { $0 || night.linkingReceipts.contains($1.id) } }

    /// Without receipts that were not accepted. These links make an order used and a purchase linked. READINGS 20.
    var withoutLeaning: [Identifier: Set<Int>] {
        tied { $0 || night.linkingReceipts.contains($1.id) && $1.vouchesForItsClaim }
    }

    /// The links that decide about the owner.
    var withoutReceipts: [Identifier: Set<Int>] { tied { isFirm, _ in isFirm } }

    private func tied(_ counts: (_ isFirm: Bool, Receipt) -> Bool) -> [Identifier: Set<Int>] {
        var tied: [Identifier: Set<Int>] = [:]
        let ids = file.orders.map(\.id) + file.credits.compactMap(\.order) + file.receipts.compactMap(\.order)
        for id in Set(ids) {
            let rows = file.orders.filter { $0.id == id }
            if let transaction = rows.first?.transaction {
                tied[id] = positions(naming: [transaction])
                continue
            }
            let credited = positions(naming: file.credits.filter { $0.order == id }.compactMap(\.transaction))
            let byToken = credited.isEmpty ? Set(rows.flatMap(positions(byTokenOf:))) : []
            let said = file.receipts.filter { $0.order == id && counts(false, $0) }.compactMap(\.transaction)
            tied[id] = !credited.isEmpty ? credited : !byToken.isEmpty ? byToken : positions(naming: said)
        }
        return tied
    }

    private func positions(naming transactions: [Identifier]) -> Set<Int> {
        Set(purchases.indices.filter { !purchases[$0].names.isDisjoint(with: transactions) })
    }

    /// The orders that carry the purchase's per-order token.
    func orders(withTokenOf position: Int) -> [Order] {
        file.orders.filter { positions(byTokenOf: $0).contains(position) }
    }

    private func positions(byTokenOf order: Order) -> [Int] {
        guard night.policy.tokenUse == .order, let token = order.token, !night.crowdedTokens.contains(token) else {
            return []
        }
        return purchases.indices.filter { position in
            purchases[position].transactions.contains { $0.isProven && $0.token == token }
        }
    }
}
