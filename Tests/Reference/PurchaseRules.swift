internal import Domain

/// The verdicts 1–6 on a purchase. Each is nil if it does not apply. See docs/spec/rules.md#verdicts.
struct PurchaseBench {
    let subject: Subject
    let purchase: Purchase
    let night: Night

    var record: Transaction { purchase.record }
    var net: Int { subject.netCredits(night.policy) }
    var left: [Credit] { subject.creditsLeft.map(\.credit) }
    var worth: Money? { subject.amount(at: record.purchasedAt, night.policy) }

    /// A verdict whose grace counts from the purchase. Its effect is goods less what the customer is to have.
    func ruling(_ verdict: Verdict, _ cause: Cause = .none, short: ShortParty = .nobody) -> Ruling {
        Ruling(
            verdict: verdict, cause: cause, anchor: record.purchasedAt, short: short,
            effect: subject.excess(night.policy))
    }

    /// 1. Signature, chain or bundle does not hold.
    func invalidTransaction() -> Ruling? {
        guard record.proof == .invalid else { return nil }
        let cause: Cause =
            switch record.failure {
            case .untrustedChain: .untrustedChain
            case .wrongBundle: .wrongBundle
            case .badSignature, .none: .badSignature
            }
        var result = ruling(.invalidTransaction, cause, short: net >= 1 ? .company : .nobody)
        result.effect = subject.goods(worth, night.policy)
        return result
    }

    /// 2. Family-shared (regardless of its credits); or the environment is not the configured one and net credits ≤ 0;
    /// or before `historyFrom`.
    func outOfScope() -> Ruling? {
        var cause: Cause?
        if record.ownership == .familyShared {
            cause = .familyShared
        } else if record.environment != night.policy.environment && net <= 0 {
            cause = environmentCause(xcode: .xcode)
        } else if night.isBeforeHistory(record.purchasedAt) || isOlderThanRecords {
            cause = .beforeHistory
        }
        return cause.map { Ruling(verdict: .outOfScope, cause: $0, anchor: record.purchasedAt) }
    }

    /// "Without `historyFrom`: nothing was ever given for the purchase, and it was paid before the records begin. Before any
    /// goods are on record: a restore of a Non-Consumable whose original is not on record, paid before the first business date."
    private var isOlderThanRecords: Bool {
        guard night.policy.historyFrom == nil, record.isProven, (subject.credits + subject.reversals).isEmpty else {
            return false
        }
        let date = night.policy.zone.date(of: record.purchasedAt)
        let type = record.type(night.policy)
        // "A row without type and expiry date whose original id differs has the date of its original."
        if type != .nonConsumable, record.hasOriginalsDate { return false }
        if let first = night.recordsFrom { return date < first && !subject.isInBreak(night) }
        guard type == .nonConsumable, purchase.lacksOriginal, !night.hasGoods else { return false }
        return night.horizon.coverage.firstDate.map { date < $0 } ?? false
    }

    /// 3. Net credits ≥ 1, but the environment is not the configured one.
    func otherEnvironment() -> Ruling? {
        guard record.environment != night.policy.environment else { return nil }
        var result = ruling(.creditedNotPaid, environmentCause(xcode: .sandbox), short: .company)
        result.effect = subject.goods(worth, night.policy)
        return result
    }

    private func environmentCause(xcode: Cause) -> Cause {
        switch record.environment {
        case .sandbox: .sandbox
        case .xcode, .localTesting: xcode
        case .production, .other: .otherEnvironment
        }
    }

    /// 4 and 8 for a partial refund. If the expected net quantity is whole, it alone decides, before 6.
    func partlyRefunded() -> Ruling? {
        guard let partial = purchase.partial, let expected = partial.expected else { return nil }
        let excess = subject.netQuantity() - expected
        if excess == 0 { return nil }
        var result = ruling(.paidNotCredited, .creditedShort, short: .customer)
        result.grace = night.policy.graceCredit
        result.provingFeed = .credits
        if excess > 0 {
            result.verdict = .refundedNotReversed
            result.cause = .reversedShort
            result.short = .company
            result.anchor = partial.revokedAt
            result.grace = night.policy.graceRefund
        }
        return result
    }

    /// 4. Revoked in full, goods left; 5. revoked in full, none left. READINGS 45.
    func fullyRefunded() -> Ruling? {
        guard let revocation = purchase.fullRevocation else { return nil }
        let rows = subject.credits + subject.reversals
        let compared = night.policy.compare
        let ofAnother = rows.filter { $0.credit.product != nil && $0.credit.product != record.product }
        var pieces: Int64? = subject.netQuantity()
        if !compared.contains(.quantity) { pieces = nil }
        if subject.reversals.isEmpty || subject.reversals.contains(where: { $0.credit.quantity == nil }) {
            pieces = nil
        }
        if compared.contains(.product), !ofAnother.isEmpty { pieces = nil }
        guard pieces ?? Int64(net) > 0 else { return ruling(.closed, .refunded) }
        guard net > 0 else {
            var short = ruling(.refundedNotReversed, .reversedShort, short: .company)
            short.anchor = revocation.at
            short.grace = night.policy.graceRefund
            short.provingFeed = .credits
            return short
        }
        let isAfter = left.last.map { $0.creditedAt > revocation.at } ?? false
        var result = ruling(
            .refundedNotReversed, isAfter ? .creditedAfterRefund : .notReversed, short: .company)
        result.anchor = revocation.at
        result.grace = night.policy.graceRefund
        result.provingFeed = .credits
        return result
    }

    /// 6. Net credits exceed 1.
    func creditedTwice() -> Ruling? {
        guard purchase.partial?.expected == nil, net > 1 else { return nil }
        let cause: Cause =
            if Set(left.map(\.account)).count > 1 {
                .crossAccount
            } else if Set(left.compactMap(\.transaction)).count > 1 {
                .restoredAsNew
            } else if Set(left.map(\.origin)).count > 1 {
                .deskAndAuto
            } else if Set(left.compactMap(\.order)).count > 1 {
                .twoOrders
            } else {
                .twoCredits
            }
        return ruling(.creditedTwice, cause, short: .company)
    }
}
