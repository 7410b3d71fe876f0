public import Domain

/// The case's credits by time, then id, with the implicit credit of each order whose status is `credited` and
/// that no credit row names. RULES §1; none for a date whose credits feed is missing.
func creditsWithImplicit(of file: Case, horizon: Horizon, zone: Zone) -> [Credit] {
    var credits = file.credits
    for credit in file.impliedCredits where !horizon.isCreditless(zone.date(of: credit.creditedAt)) {
        credits.append(credit)
    }
    if credits.count > 1 { credits.sort { $0.isEarlier(than: $1) } }
    return credits
}

extension Case {
    /// What orders whose status is `credited` stand for where no credit row names them.
    fileprivate var impliedCredits: [Credit] {
        guard orders.contains(where: { $0.status == .credited }) else { return [] }
        var named = SmallMap()
        var namedTransactions = SmallMap()
        for credit in credits where credit.kind == .credit {
            if let order = credit.order {
                named.insert(order, 0)
            } else if let transaction = credit.transaction {
                namedTransactions.insert(transaction, 0)
            }
        }
        return orders.compactMap { order in
            guard order.status == .credited, named[order.id] == nil,
                order.transaction.flatMap({ namedTransactions[$0] }) == nil
            else { return nil }
            return Credit(impliedBy: order)
        }
    }

    /// Whether an order's word for a credit is of a day whose credits file is missing or still to come. When that file
    /// comes, or does not, the word counts for something else, though no new evidence names the case.
    public func awaitsCredits(horizon: Horizon, zone: Zone) -> Bool {
        func isUnsettled(_ instant: Instant) -> Bool {
            let date = zone.date(of: instant)
            return date > horizon.businessDate || horizon.isCreditless(date)
        }
        return orders.contains { $0.status == .credited && isUnsettled($0.impliedCreditAt) }
            && impliedCredits.contains { isUnsettled($0.creditedAt) }
    }
}

extension Order {
    /// When goods were given, where the order's status is all that says so.
    var impliedCreditAt: Instant { updatedAt ?? createdAt }
}

extension Credit {
    fileprivate init(impliedBy order: Order) {
        self.init(
            id: Identifier("order:" + order.id.text), account: order.account,
            creditedAt: order.impliedCreditAt, source: order.source)
        isImplicit = true
        self.order = order.id
        transaction = order.transaction
        quantity = order.quantity
    }
}

extension Horizon {
    /// The day's credits feed is missing.
    fileprivate func isCreditless(_ date: BusinessDate) -> Bool {
        coverage.hasGap(.credits, from: date, through: date)
    }
}
