package import Domain

/// What a rule may look at: one subject, its case's evidence, the policy and the horizon. Nothing else decides a verdict.
package struct Facts {
    let subject: Subject
    let file: CaseFile
    let policy: Policy
    let horizon: Horizon

    package init(subject: Subject, file: CaseFile, policy: Policy, horizon: Horizon) {
        self.subject = subject
        self.file = file
        self.policy = policy
        self.horizon = horizon
    }

    /// The transaction that names the subject, proven or not.
    var leading: Transaction? { subject.leading.map { file.transactions[$0] } }
    /// Nil where nobody has proven a purchase.
    var purchase: Transaction? { subject.backing == .purchase ? leading : nil }
    var position: CreditPosition { subject.position }
    /// "Its order": the one that decides.
    var order: Order? { subject.decidingOrder.map { file.orders[$0] } }

    var receipts: some Sequence<Receipt> { subject.receipts.lazy.map { file.receipts[$0] } }

    /// What the receipts' checks come to: accepted outweighs rejected, and rejected unverified. Nil without receipts.
    var check: CheckOutcome? { receipts.lazy.map(\.check).max() }

    var earliestReceipt: Receipt? { receipts.min { $0.receivedAt < $1.receivedAt } }
    var latestReversal: Instant? { position.reversals.last?.creditedAt }

    /// Net credits, where a partial refund that is reversed exactly counts as one.
    var net: Int {
        if case .partial(let expected) = refund, position.netQuantity == expected { return 1 }
        return position.net
    }

    /// The subject's earliest evidence: its purchase, else the earliest receipt, credit or order.
    var beginning: Instant {
        if let purchase { return purchase.purchasedAt }
        var earliest = [leading?.purchasedAt].compactMap { $0 }
        earliest += receipts.map(\.receivedAt)
        earliest += subject.orders.map { file.orders[$0].createdAt }
        earliest += position.left.map(\.creditedAt) + position.reversals.map(\.creditedAt)
        earliest += subject.credits.map { file.credits[$0].creditedAt }
        return earliest.min() ?? horizon.instant
    }

    var type: ProductType? {
        guard let leading else { return nil }
        if let type = leading.type ?? policy.products.type(of: leading.product) { return type }
        // Only Apple's auto-renewable subscriptions bear an expiry date.
        return leading.expiresAt == nil ? nil : .autoRenewable
    }
}

/// What a revocation means for the goods. RULES §3 "Partial refunds".
enum Refund: Equatable {
    case none
    case full
    /// The quantity that the customer may keep.
    case partial(expected: Int64)
    /// Partial, of a share that is no whole quantity or is unknown: judged as if not revoked.
    case uncountable
}

extension Facts {
    var refund: Refund {
        guard let revocation = subject.revocation, let purchase, revocation.type != .familyRevoke else { return .none }
        switch revocation.type {
        case .refundProrated: break
        case .refundFull, .other, .familyRevoke: return .full
        case .unnamed: if (revocation.percentage ?? 100_000) >= 100_000 { return .full }
        }
        guard let percentage = revocation.percentage else { return .uncountable }
        if percentage >= 100_000 { return .full }
        let kept = Int64(purchase.quantity) * Int64(100_000 - percentage)
        return kept % 100_000 == 0 ? .partial(expected: kept / 100_000) : .uncountable
    }
}

extension Facts {
    /// What the subject is worth: the customer price, else the product list's, else the order's amount.
    var amount: Money? {
        if let price = leading?.price { return price.money }
        return listAmount ?? order?.amount
    }

    /// The product list's price for the whole quantity on the day of the purchase, else of the subject's beginning.
    var listAmount: Money? {
        guard let product, let listed = policy.products.product(product, on: policy.zone.date(of: beginning))?.price else {
            return nil
        }
        let (minor, overflow) = listed.minor.multipliedReportingOverflow(by: Int64(quantity ?? 1))
        return overflow ? nil : Money(minor: minor, currency: listed.currency)
    }

    var product: Identifier? {
        leading?.product ?? order?.product ?? position.left.lazy.compactMap(\.product).first
            ?? receipts.lazy.compactMap(\.product).first
    }

    var quantity: Int32? {
        leading?.quantity ?? order?.quantity ?? position.left.lazy.compactMap(\.quantity).first
    }

    /// The amount times `numerator` / `denominator`, rounded half away from zero. Nil where it is unknown or overflows.
    func share(_ numerator: Int64, of denominator: Int64 = 1) -> Money? {
        guard let amount else { return nil }
        let (product, overflow) = amount.minor.multipliedReportingOverflow(by: numerator)
        if overflow { return nil }
        let (quotient, rest) = product.quotientAndRemainder(dividingBy: denominator)
        let isHalf = rest.magnitude * 2 >= denominator.magnitude
        let rounded = quotient + (isHalf ? ((product < 0) == (denominator < 0) ? 1 : -1) : 0)
        return Money(minor: rounded, currency: amount.currency)
    }
}
