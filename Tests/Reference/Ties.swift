internal import Domain

/// How the orders of a case are tied to its purchases, by the order's id (its row may be missing). RULES §2.
struct OrderTies {
    let file: Case
    let purchases: [Purchase]
    let night: Night

    /// "An order *is tied to* a purchase by its own transaction_id, else by a credit that names both, else by a per-order
    /// token, else by a receipt (the earlier ways exclude the later ones)." Positions of purchases by order id.
    var all: [Identifier: Set<Int>] { tied { $0 || night.linkingReceipts.contains($1.id) } }

    /// Without receipts that were not accepted: what makes an order used and a purchase no longer loose. READINGS 20.
    var withoutLeaning: [Identifier: Set<Int>] {
        tied { $0 || night.linkingReceipts.contains($1.id) && $1.vouchesForItsClaim }
    }

    /// The ties that make an owner.
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

    private func positions(byTokenOf order: Order) -> [Int] {
        guard night.policy.tokenUse == .order, let token = order.token, !night.crowdedTokens.contains(token) else {
            return []
        }
        return purchases.indices.filter { position in
            purchases[position].transactions.contains { $0.isProven && $0.token == token }
        }
    }
}
