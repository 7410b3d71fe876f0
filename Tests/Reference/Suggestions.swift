internal import Domain

/// Which order an unlinked purchase may belong to. See docs/spec/rules.md#suggestions.
struct Suggestions {
    struct Outcome {
        var order: Identifier?
        var isAmbiguous = false
        /// Goods were given for the order at or after the purchase, or it was refunded then.
        var isGiven = false
    }
    private struct Candidate {
        var order: Order
        /// When goods were last given for it under its id alone.
        var givenAt: Instant?
        var isByDesk: Bool
        var isRefunded = false
    }
    private var candidates: [SubjectKey: [Candidate]] = [:]

    init(subjects: [Subject], cases: [Case], night: Night) {
        let loose = cases.flatMap { file in file.orders.compactMap { Self.candidate($0, in: file, night) } }
        for subject in subjects where subject.seeksOrder(night) {
            let record = subject.purchase!.record
            candidates[subject.key] = loose.filter { candidate in
                let order = candidate.order
                return order.account == subject.owner && order.product == record.product
                    && record.purchasedAt - order.createdAt <= night.policy.suggestionWindow
                    && order.createdAt <= record.purchasedAt
                    && candidate.givenAt.map { $0 >= record.purchasedAt } != false
                    && !(candidate.isRefunded && record.signedWithoutRefund.map { $0 > candidate.givenAt! } == true)
            }
        }
    }

    /// An order that neither the backend nor an accepted receipt of its account links to a transaction. READINGS 20.
    private static func candidate(_ order: Order, in file: Case, _ night: Night) -> Candidate? {
        let credits = file.credits.filter { $0.order == order.id && $0.creditedAt >= order.createdAt + .days(-1) }
        if order.transaction != nil || credits.contains(where: { $0.transaction != nil }) { return nil }
        let isClaimed = file.receipts.contains {
            $0.order == order.id && $0.account == order.account && $0.transaction != nil && $0.vouchesForItsClaim
        }
        let isCarried = file.transactions.contains {
            $0.isProven && $0.token != nil && $0.token == order.token && !night.crowdedTokens.contains($0.token!)
        }
        if isClaimed || isCarried && night.policy.tokenUse == .order { return nil }
        var candidate = Candidate(order: order, isByDesk: false)
        candidate.givenAt = credits.filter { $0.kind == .credit }.map(\.creditedAt).max()
        if candidate.givenAt == nil, order.status == .credited {
            candidate.givenAt = order.updatedAt ?? order.createdAt
        }
        if candidate.givenAt == nil, order.status == .refunded {
            candidate.givenAt = night.policy.zone.end(of: order.source.fileDate)
            candidate.isRefunded = true
        }
        if credits.count == 1, credits[0].kind == .credit, credits[0].origin == .desk {
            candidate.isByDesk = credits[0].account == order.account
        }
        return candidate
    }

    /// "Unique both ways"; else, where there is a candidate at all, ambiguous.
    func suggestion(for key: SubjectKey) -> Outcome {
        guard let found = candidates[key], let first = found.first else { return Outcome() }
        let rivals = candidates.values.filter { $0.contains { $0.order.id == first.order.id } }.count
        if found.count > 1 || rivals > 1 { return Outcome(isAmbiguous: true) }
        return Outcome(order: first.order.id, isGiven: first.givenAt != nil)
    }

    /// The unambiguously suggested orders under whose id the desk gave the goods, with the purchase's transaction.
    var deskOrders: [Identifier: Identifier] {
        var found: [Identifier: Identifier] = [:]
        for (key, orders) in candidates where orders.count == 1 && orders[0].isByDesk {
            if let order = suggestion(for: key).order { found[order] = key.id }
        }
        return found
    }
}

extension Transaction {
    /// When Apple signed it, if it shows no refund.
    fileprivate var signedWithoutRefund: Instant? { proof == .verified && revocation == nil ? signedAt : nil }
}

extension Subject {
    /// A purchase in scope, with a known owner, that nothing links to an order. READINGS 20.
    fileprivate func seeksOrder(_ night: Night) -> Bool {
        guard let record = purchase?.record, record.isProven, owner != nil else { return false }
        return tiedOrders.isEmpty && orders.allSatisfy { receiptLinkedOrders.contains($0.id) }
            && record.environment == night.policy.environment
            && record.ownership != .familyShared
    }
}
