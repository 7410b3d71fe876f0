internal import Domain

/// The verdicts 7–11 on a purchase that was not revoked. Each is nil if it does not apply.
/// See docs/spec/rules.md#verdicts.
extension PurchaseBench {
    /// The quantity expected after a partial refund was given: that counts as net credits 1.
    private var isMetPartially: Bool { purchase.partial?.expected != nil }

    /// 7. Net credits 1, and the credit left went to an account that is not the known owner.
    func wrongAccount() -> Ruling? {
        guard isMetPartially || net == 1, let owner = subject.owner else { return nil }
        let strangers =
            isMetPartially
            ? left.map(\.account).filter { account in subject.netQuantity { $0.credit.account == account } > 0 }
            : left.map(\.account)
        guard strangers.contains(where: { $0 != owner }) else { return nil }
        var result = ruling(.creditedToWrongAccount, short: .customer)
        result.effect = worth?.times(-1, over: 1)
        return result
    }

    /// 8. Net credits ≤ 0.
    func paidNotCredited() -> Ruling? {
        guard !isMetPartially, net <= 0 else { return nil }
        var result = ruling(.paidNotCredited, notCreditedCause, short: .customer)
        result.grace = night.policy.graceCredit
        result.provingFeed = .credits
        if let reversal = subject.reversals.last?.credit, !showsNoRefund(since: reversal.creditedAt) {
            result.anchor = reversal.creditedAt
            result.grace = night.policy.graceApple
        }
        return result
    }

    private var notCreditedCause: Cause {
        if purchase.partial != nil { return .creditedShort }
        if !subject.reversals.isEmpty { return .reversedWithoutRefund }
        let order = subject.decidingOrder
        if let order, [.failed, .cancelled, .refunded].contains(order.status) { return .closedOrder }
        if isCrossed { return .crossedOrder }
        if subject.isPaidTwice { return .paidTwice }
        if subject.check == .rejected { return .receiptRejected }
        let isOpen = order.map { [.created, .pending].contains($0.status) } ?? false
        if subject.check == .unverified, isOpen || !subject.hasOnlyReceiptsWithoutCode { return .receiptUnverified }
        if order == nil { return .noOrder }
        return isOpen && subject.check == nil ? .noReceipt : .creditFailed
    }

    /// No order is the purchase's, its receipts name one or more orders, and each of these belongs to another proven
    /// purchase. READINGS 41: the receipts that claim it, of its owner if there is one.
    private var isCrossed: Bool {
        let heard = subject.receipts.filter { receipt in
            receipt.transaction != nil && (subject.owner == nil || receipt.account == subject.owner)
        }
        let named = Set(heard.compactMap(\.order))
        return subject.orders.isEmpty && !subject.sharesOrders && !named.isEmpty
            && named.allSatisfy { order in
                night.holders[order, default: []].contains { $0.isDisjoint(with: purchase.names) }
            }
    }

    /// Whether a record of the purchase, signed after the reversal, shows no revocation.
    private func showsNoRefund(since reversal: Instant) -> Bool {
        purchase.lineMates.contains { record in
            guard !record.isFromReceipt, let signedAt = record.signedAt else { return false }
            return signedAt > reversal && (record.revocation == nil || record.revocation?.type == .familyRevoke)
        }
    }

    /// 9. Product or quantity differ between transaction, order and credits, or amount or currency between transaction
    /// and order.
    func valueMismatch() -> Ruling? {
        let compared = night.policy.compare
        let products = ([subject.decidingOrder?.product] + left.map(\.product)).compactMap { $0 }
        let excess = subject.excess(night.policy)
        if compared.contains(.product), products.contains(where: { $0 != record.product }) {
            return mismatch(.product, effect: excess)
        }
        let quantity = Int64(record.quantity)
        let quantities = [creditedQuantity, subject.decidingOrder.map { Int64($0.quantity) }].compactMap { $0 }
        if compared.contains(.quantity), quantities.contains(where: { $0 != quantity }) {
            return mismatch(.quantity, effect: excess)
        }
        guard let paid = subject.comparedPrice(night.policy), let asked = subject.decidingOrder?.amount else {
            return nil
        }
        if paid.currency != asked.currency {
            return compared.contains(.currency) ? mismatch(.currency, effect: nil) : nil
        }
        return compared.contains(.amount) && paid != asked ? mismatch(.amount, effect: asked - paid) : nil
    }

    /// All credits less all reversals. After a partial refund that says what is owed, that was met exactly.
    private var creditedQuantity: Int64? { isMetPartially ? nil : subject.netQuantity() }

    private func mismatch(_ cause: Cause, effect: Money?) -> Ruling {
        var result = ruling(.valueMismatch, cause)
        result.effect = effect
        if let effect { result.short = effect.minor < 0 ? .customer : effect.minor > 0 ? .company : .nobody }
        if cause == .quantity, result.short == .customer { result.provingFeed = .credits }
        return result
    }

    /// 10. No order row, and the type is not Auto-Renewable Subscription.
    func orderMissing() -> Ruling? {
        guard subject.orders.isEmpty, record.type(night.policy) != .autoRenewable else { return nil }
        var result = ruling(.orderMissing)
        result.provingFeed = .orders
        return result
    }

    /// 11. Everything agrees.
    func matched() -> Ruling? { ruling(.matched) }
}
