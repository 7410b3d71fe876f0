internal import Matching

/// A period of a subscription that another period of it is judged beside.
struct ChainPeriod: Hashable, Codable, Sendable {
    var original: Identifier
    var product: Identifier
    var purchasedAt: Instant
    var expiresAt: Instant?
    /// Apple's record of the period, of this environment, shows no refund, and the period is not shared with the family.
    var isPaid: Bool
}

extension [Transaction] {
    /// The periods of these subscriptions, by their ids.
    func periods(of originals: Set<Identifier>, _ policy: Policy) -> [Identifier: ChainPeriod] {
        if originals.isEmpty { return [:] }
        let chain = filter { $0.original.map(originals.contains) == true }
        let refunded = Set(chain.lazy.filter { $0.proof >= .vouched && $0.revocation != nil }.map(\.id))
        return chain.reduce(into: [:]) { periods, period in
            let isPaid =
                period.proof >= .vouched && period.environment == policy.environment
                && period.ownership != .familyShared && !refunded.contains(period.id)
            if !isPaid, periods[period.id] != nil { return }
            periods[period.id] = ChainPeriod(
                original: period.original!, product: period.product, purchasedAt: period.purchasedAt,
                expiresAt: period.expiresAt, isPaid: isPaid)
        }
    }
}

extension [Identifier: ChainPeriod] {
    /// Apple replaced the period by one of another product and refunds the rest, whether or not its flag came: that one begins
    /// more than a day before this one ends. A renewal, also to another product, begins a day before the end at most.
    func isReplaced(_ id: Identifier) -> Bool { replacement(of: id) != nil }

    /// The first period that replaced it.
    func replacement(of id: Identifier) -> ChainPeriod? {
        guard let own = self[id], own.isPaid, let expiresAt = own.expiresAt else { return nil }
        return values.filter { next in
            next.isPaid && next.original == own.original && next.product != own.product
                && next.purchasedAt > own.purchasedAt && next.purchasedAt + .days(1) < expiresAt
        }.min { ($0.purchasedAt, $0.product) < ($1.purchasedAt, $1.product) }
    }
}

extension History {
    /// The periods of these subscriptions on record, by their ids.
    func periods(of originals: Set<Identifier>, _ policy: Policy) throws -> [Identifier: ChainPeriod] {
        if originals.isEmpty { return [:] }
        var probe = Evidence()
        probe.credits = originals.map { original in
            var credit = Credit(id: original, account: original, creditedAt: .absent)
            credit.transaction = original
            return credit
        }
        return try load(cases: cases(touchedBy: probe, policy: policy)).evidence.transactions
            .periods(of: originals, policy)
    }
}
