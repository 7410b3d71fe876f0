internal import Domain

extension Subject {
    /// Remarks that do not change the verdict, apart from suggestions. See docs/spec/rules.md#flags.
    func flags(_ night: Night) -> Flags {
        var flags = marks.union(receiptFlags)
        guard let purchase else { return flags }
        let record = purchase.record
        if showsSignsOfRefund(night) { flags.insert(.refundReported) }
        if transactions.contains(where: { night.disputed.contains($0.id) }) { flags.insert(.recordsDisagree) }
        if record.isFromReceipt { flags.insert(.receiptProof) }
        if purchase.partial != nil { flags.insert(.partialRefund) }
        if record.price?.thousandths == 0 { flags.insert(.zeroPrice) }
        if record.ownership == .familyShared { flags.insert(.familyShared) }
        if creditsLeft.contains(where: \.isImplicit) { flags.insert(.statusOnly) }
        return flags.union(timing(of: record, night))
    }

    /// A purchase without goods and without a refund that the customer has upgraded, or one of whose orders was refunded, and
    /// Apple signed nothing since.
    func showsSignsOfRefund(_ night: Night) -> Bool {
        guard let purchase, purchase.record.isProven, purchase.revocation == nil, netCredits(night.policy) <= 0 else {
            return false
        }
        let signed = transactions.filter { $0.proof == .verified && $0.revocation == nil }.compactMap(\.signedAt).max()
        let refunds = (orders + otherOrders).filter { $0.status == .refunded }
        return purchase.record.isUpgraded
            || refunds.contains { signed == nil || night.policy.zone.end(of: $0.source.fileDate) >= signed! }
    }

    private var marks: Flags {
        let transactionMarks = transactions.map(\.marks)
        let all =
            transactionMarks + (orders + otherOrders).map(\.marks) + (receipts + otherReceipts).map(\.marks)
            + (credits + reversals).map(\.credit.marks)
        var flags: Flags = []
        if all.contains(where: { $0.contains(.conflict) }) { flags.insert(.conflict) }
        let isForgedBesideProof = purchase != nil && unprovenTransactions.contains { $0.proof == .invalid }
        if isForgedBesideProof || transactionMarks.contains(where: { $0.contains(.forged) }) {
            flags.insert(.forgedCopy)
        }
        if (orders + otherOrders).contains(where: { $0.marks.contains(.disagrees) }) { flags.insert(.recordsDisagree) }
        if all.contains(where: { $0.contains(.refunded) }) { flags.insert(.refundReported) }
        return flags
    }

    /// Flags for one transaction that receipts of several accounts, or several receipts of one account, claim.
    private var receiptFlags: Flags {
        var flags: Flags = []
        for claimed in Set(receipts.compactMap(\.transaction)) {
            let accounts = receipts.filter { $0.transaction == claimed }.map(\.account)
            if Set(accounts).count > 1 { flags.insert(.receiptReplayed) }
            if Set(accounts).count < accounts.count { flags.insert(.duplicateReceipt) }
        }
        return flags
    }

    private func timing(of record: Transaction, _ night: Night) -> Flags {
        let zone = night.policy.zone
        var flags: Flags = []
        for credit in creditsLeft.map(\.credit) {
            if credit.creditedAt - record.purchasedAt > night.policy.lateAfter { flags.insert(.lateCredit) }
            if record.purchasedAt - credit.creditedAt > .minutes(5) { flags.insert(.clockSkew) }
            if zone.date(of: credit.creditedAt).month != zone.date(of: record.purchasedAt).month {
                flags.insert(.cutOff)
            }
        }
        return flags
    }
}
