/// The case's credits by time, then id, with an implicit credit for each order whose status is `credited` although no
/// credit row names it. See docs/spec/rules.md#implicit-credit. No implicit credit is assumed for a date whose credits
/// feed has a gap.
func creditsWithImplicit(
    of file: Case, purchases: [Purchase], links: OrderLinks, horizon: Horizon, zone: Zone
) -> [Credit] {
    var credits = file.credits
    let implied = file.impliedCredits { position in
        links.onlyPurchase(ofOrder: position, of: file).map { purchases[$0].names } ?? []
    }
    for credit in implied where !horizon.isCreditless(zone.date(of: credit.creditedAt)) {
        credits.append(credit)
    }
    if credits.count > 1 { credits.sort { $0.isEarlier(than: $1) } }
    return credits
}

extension Case {
    /// An implicit credit for each order whose status is `credited`, unless a credit row names the order or, to its
    /// account and naming no order, the order's transaction or, by a machine, another id of its purchase.
    ///
    /// - Parameter names: the ids of the purchase of the order at that position. Without them, there may be more credits.
    fileprivate func impliedCredits(_ names: (Int) -> [Identifier] = { _ in [] }) -> [Credit] {
        guard orders.contains(where: { $0.status == .credited }) else { return [] }
        let rows = credits.filter { $0.kind == .credit }
        let named = Set(rows.lazy.compactMap(\.order))
        func accounts(_ rows: [Credit]) -> [Identifier: Set<Identifier>] {
            rows.reduce(into: [:]) { accounts, row in
                if row.order == nil, let transaction = row.transaction {
                    accounts[transaction, default: []].insert(row.account)
                }
            }
        }
        // What a person gave beside the status may be a second delivery.
        let (all, automatic) = (accounts(rows), accounts(rows.filter { $0.origin == .auto }))
        return orders.enumerated().compactMap { position, order in
            guard order.status == .credited, !named.contains(order.id),
                order.transaction.flatMap({ all[$0] })?.contains(order.account) != true,
                automatic.isEmpty
                    || !names(position).contains(where: { automatic[$0]?.contains(order.account) == true })
            else { return nil }
            return Credit(impliedBy: order)
        }
    }

    /// Whether the case relies on an implicit credit of a day whose credits file is missing or not yet due, or that may be
    /// dated after the last one within the grace. When that file arrives, or fails to arrive, the verdict may change without
    /// new evidence in the case.
    public func awaitsCredits(horizon: Horizon, policy: Policy) -> Bool {
        func awaitsFile(_ instant: Instant) -> Bool {
            policy.zone.date(of: instant + policy.graceCredit) > horizon.businessDate
                || horizon.isCreditless(policy.zone.date(of: instant))
        }
        return orders.contains { $0.status == .credited && awaitsFile($0.impliedCreditAt) }
            && impliedCredits().contains { awaitsFile($0.creditedAt) }
    }
}

extension Order {
    /// When the goods were given, where only the order's status says that they were.
    var impliedCreditAt: Instant { updatedAt ?? createdAt }
}

extension Credit {
    /// The credit that the order's status implies.
    fileprivate init(impliedBy order: Order) {
        self.init(
            id: Credit.id(impliedBy: order.id), account: order.account,
            creditedAt: order.impliedCreditAt, source: order.source)
        isImplicit = true
        self.order = order.id
        transaction = order.transaction
        quantity = order.quantity
    }
}

extension Horizon {
    /// Whether the credits feed has a gap on that day.
    fileprivate func isCreditless(_ date: BusinessDate) -> Bool {
        coverage.hasGap(.credits, from: date, through: date)
    }
}
