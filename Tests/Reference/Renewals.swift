internal import Domain

extension Examined {
    /// "Another period of the subscription, of another product, begins more than a day before this one ends."
    func isReplaced(_ subject: Subject, _ evidence: Evidence) -> Bool {
        guard let own = subject.purchase?.record, let end = own.expiresAt, own.ownership != .familyShared else {
            return false
        }
        return evidence.transactions.contains { next in
            next.original != nil && next.original == own.original && next.product != own.product && next.isProven
                && next.environment == night.policy.environment && next.ownership != .familyShared
                && own.purchasedAt < next.purchasedAt && next.purchasedAt + .days(1) < end
                && !evidence.transactions.contains { $0.id == next.id && $0.isProven && $0.revocation != nil }
        }
    }

    /// "So the goods of a later period without an order of its own are given only where, and since, the backend recorded those of
    /// renewals of the same product."
    func isUnrecorded(_ subject: Subject, _ verdict: ReferenceVerdict) -> Bool {
        guard let own = subject.purchase?.record,
            own.type(night.policy) == .autoRenewable && own.original.map({ $0 != own.id }) == true
                || own.reason == .renewal
        else { return false }
        if own.reason == .purchase, verdict.suggestedOrder != nil { return false }
        var shown: [(at: Instant, isRecorded: Bool)] = []
        for (_, subjects, verdicts) in cases {
            for (other, ruling) in zip(subjects, verdicts) {
                guard let record = other.purchase?.record, record.product == own.product,
                    let isRecorded = isRecorded(other, ruling, record)
                else { continue }
                shown.append((record.purchasedAt, isRecorded))
            }
        }
        shown.sort { ($0.at, $0.isRecorded ? 1 : 0) < ($1.at, $1.isRecorded ? 1 : 0) }
        var run: [(at: Instant, isRecorded: Bool)] = []
        for renewal in shown where renewal.isRecorded || !run.isEmpty {
            run.append(renewal)
            if run.count(where: \.isRecorded) * 2 < run.count { run = [] }
        }
        let recorded = run.count(where: \.isRecorded)
        // "At least ten are recorded, less than one in ten lacks its goods, and of the latest ten at most two do."
        let isUsual = recorded >= 10 && run.count * 9 < recorded * 10
        return !isUsual || shown.suffix(10).count { !$0.isRecorded } > 2 || own.purchasedAt < run[0].at
    }

    /// Nil if it shows nothing.
    private func isRecorded(_ subject: Subject, _ ruling: ReferenceVerdict, _ record: Transaction) -> Bool? {
        let isLater = record.type(night.policy) == .autoRenewable && record.original.map { $0 != record.id } == true
        guard record.reason == .renewal || record.reason == nil && isLater else { return nil }
        if ruling.verdict == .paidNotCredited { return false }
        guard ruling.verdict == .matched else { return nil }
        let start = night.policy.zone.start(of: night.policy.zone.date(of: record.purchasedAt).advanced(by: -1))
        if record.reason == nil, (subject.orders + subject.otherOrders).contains(where: { $0.createdAt >= start }) {
            return nil
        }
        let isDoubted = subject.creditsLeft.contains { entry in
            entry.credit.origin == .desk || entry.credit.creditedAt < start
                || entry.credit.creditedAt > record.purchasedAt + .hours(24)
                || entry.isImplicit && entry.credit.transaction != record.id
        }
        return isDoubted ? nil : true
    }
}
