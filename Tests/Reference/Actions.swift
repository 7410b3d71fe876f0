internal import Domain

/// The next step. See docs/spec/rules.md#actions; the rest is the table of READINGS 21.
struct Remedy {
    let subject: Subject
    let ruling: Ruling
    let suggestion: Suggestions.Outcome
    let night: Night

    var action: Action {
        switch ruling.verdict {
        case .waiting: .wait
        case .undetermined: ruling.cause == .feedMissing ? .wait : fetch ?? .investigate
        case .outOfScope, .closed, .matched: .none
        case .invalidTransaction: .escalate
        case .refundedNotReversed, .creditedTwice: isDisputed ? .investigate : .reverseCredit
        case .creditedToWrongAccount, .valueMismatch, .orderMissing, .orderUnverified: .investigate
        case .paidNotCredited: credit
        case .creditedNotPaid: ruling.cause == .receiptUnverified ? verify : fetch ?? .investigate
        case .orphanReceipt: orphan
        }
    }

    /// Proven records of its case disagree.
    private var isDisputed: Bool { subject.transactions.contains { night.disputed.contains($0.id) } }

    private var orphan: Action {
        switch ruling.cause {
        case .rejected: .none
        case .unverified: verify
        default: fetch ?? .investigate
        }
    }

    /// For a receipt whose check is *unverified*, unless the fault is the backend's own request.
    private var verify: Action {
        subject.receipts.filter { $0.check == .unverified }.allSatisfy(\.isBackendsFault) ? .fixInput : .verifyReceipt
    }

    /// For a transaction id that a receipt or a credit claims without proof.
    private var fetch: Action? {
        guard subject.purchase == nil else { return nil }
        let isClaimed =
            subject.receipts.contains { $0.transaction != nil }
            || (subject.credits + subject.reversals).contains { $0.credit.transaction != nil }
        return isClaimed ? .fetchTransaction : nil
    }

    /// For `paid_not_credited` proven by a transaction record, with a known owner and at most one order, not ambiguous;
    /// never for `reversed_without_refund`, `credited_short`, `crossed_order` or `paid_twice`, and never while a feed has a gap.
    private var credit: Action {
        if ruling.cause == .reversedWithoutRefund || ruling.cause == .creditedShort { return .investigate }
        if subject.purchase?.record.isFromReceipt == true { return .fetchTransaction }
        if ruling.cause == .crossedOrder || ruling.cause == .paidTwice { return .investigate }
        if subject.transactions.contains(where: { $0.marks.contains(.refunded) }) { return .investigate }
        if subject.showsSignsOfRefund(night) { return .investigate }
        if isDisputed { return .investigate }
        if subject.owner == nil { return .attribute }
        if (subject.orders + subject.otherOrders).count > 1 || ownerNamesAnotherOrder { return .investigate }
        // READINGS 39: goods were given for its order under another transaction.
        let orders = (subject.orders + subject.otherOrders).map(\.id)
        if night.givenOrders.contains(where: orders.contains) { return .investigate }
        if suggestion.isAmbiguous || suggestion.isGiven || isOwnerInDoubt || mayPredateRecords { return .investigate }
        let feeds: [FeedKind] = [.orders, .credits, .transactions]
        return feeds.contains { night.isBlind($0, since: ruling.anchor) } ? .wait : .credit
    }

    /// The payment "may be older than the records": docs/spec/rules.md#coverage.
    private var mayPredateRecords: Bool {
        if subject.isInBreak(night) { return true }
        guard let purchase = subject.purchase, purchase.lacksOriginal, night.policy.historyFrom == nil else {
            return false
        }
        let record = purchase.record
        if night.horizon.coverage.firstDate == nil { return false }
        switch record.type(night.policy) {
        case .nonConsumable: return record.proof == .vouched
        case nil: return night.recordsFrom.map { night.policy.zone.date(of: record.purchasedAt) < $0 } ?? false
        default: return false
        }
    }

    /// docs/spec/rules.md#withheld-entries, the last row.
    private var isOwnerInDoubt: Bool {
        let orders = subject.orders + subject.otherOrders
        let ids = subject.transactions.map(\.id)
        let claims = (subject.receipts + subject.otherReceipts).filter { receipt in
            receipt.transaction.map(ids.contains) ?? receipt.vouchesForItsClaim
        }
        if orders.contains(where: { $0.account != subject.owner }) { return true }
        if claims.contains(where: { $0.vouchesForItsClaim && $0.account != subject.owner }) { return true }
        if !orders.isEmpty { return false }
        if subject.purchase?.record.token != nil { return night.policy.tokenUse != .account || !night.tokensInUse }
        return claims.contains { $0.account != subject.owner }
    }

    /// READINGS 34: the owner's own receipt names an order that is not linked to the purchase.
    private var ownerNamesAnotherOrder: Bool {
        let own = (subject.orders + subject.otherOrders).map(\.id)
        return subject.receipts.contains { receipt in
            receipt.account == subject.owner && receipt.transaction != nil
                && receipt.order.map { !own.contains($0) } == true
        }
    }
}

extension Subject {
    /// It was paid in a break of the goods on record, and orders of that time are on record: "one was created before the payment,
    /// and at most a day before it, or not two weeks before the next one".
    func isInBreak(_ night: Night) -> Bool {
        guard let record = purchase?.record, record.isProven, let from = night.recordsFrom,
            let oldest = night.oldestGoods,
            night.policy.zone.date(of: record.purchasedAt) < from, record.purchasedAt >= oldest,
            let last = night.ordered.last(where: { $0 <= record.purchasedAt })
        else { return false }
        if record.purchasedAt < last + night.policy.suggestionWindow { return true }
        return night.ordered.first { $0 >= record.purchasedAt }.map { $0 <= last + .days(14) } ?? false
    }
}
