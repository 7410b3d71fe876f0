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

    /// "No renewal of the product has goods on record that the backend itself recorded, from the day before it to a day after."
    func isUnrecorded(_ subject: Subject) -> Bool {
        func isRenewal(_ record: Transaction) -> Bool {
            record.type(night.policy) == .autoRenewable && record.original.map { $0 != record.id } == true
        }
        guard let own = subject.purchase?.record, isRenewal(own) else { return false }
        for (_, subjects, verdicts) in cases {
            for (other, ruling) in zip(subjects, verdicts) where ruling.verdict == .matched {
                guard let record = other.purchase?.record, record.product == own.product, isRenewal(record),
                    record.purchasedAt <= own.purchasedAt
                else { continue }
                let day = night.policy.zone.date(of: record.purchasedAt).advanced(by: -1)
                if (other.orders + other.otherOrders).contains(where: {
                    $0.createdAt >= night.policy.zone.start(of: day)
                }) {
                    continue
                }
                let doubted = other.creditsLeft.contains { entry in
                    entry.credit.origin == .desk || entry.credit.creditedAt < night.policy.zone.start(of: day)
                        || entry.credit.creditedAt > record.purchasedAt + .hours(24)
                        || entry.isImplicit && entry.credit.transaction != record.id
                }
                if !doubted { return false }
            }
        }
        return true
    }
}
