public import Domain

/// What a rule may look at: one subject, its case's evidence, the policy and the horizon. Nothing else decides a verdict.
public struct Facts {
    let subject: Subject
    let file: Case
    let policy: Policy
    let horizon: Horizon

    public init(subject: Subject, file: Case, policy: Policy, horizon: Horizon) {
        self.subject = subject
        self.file = file
        self.policy = policy
        self.horizon = horizon
    }

    /// The record whose facts are the subject's, proven or forged. Nil where there is no purchase.
    var record: Transaction? { subject.leading.map { file.transactions[$0] } }
    /// The record that proves a purchase.
    var purchase: Transaction? { subject.backing == .purchase ? record : nil }
    var isUnproven: Bool { subject.backing == .unproven || subject.backing == .unverifiable }
    var net: Int { subject.position.net }
    var left: [Credit] { subject.creditsLeft }
    var reversals: [Credit] { subject.position.reversals }
    /// "Its order": the one that decides.
    var order: Order? { subject.decidingOrder.map { file.orders[$0] } }
    var receipts: some Sequence<Receipt> { subject.receipts.lazy.map { file.receipts[$0] } }

    /// What the receipts' checks come to: accepted outweighs rejected, and rejected unverified. Nil without receipts.
    var check: CheckOutcome? { receipts.lazy.map(\.check).max() }

    /// The quantity that the customer may keep after a partial refund; nil where none says so in whole ones.
    var expectedQuantity: Int64? {
        if case .partial(let expected) = subject.refund { return expected }
        return nil
    }

    /// Credited less taken back, in pieces of the product.
    func netQuantity(where holds: (Credit) -> Bool = { _ in true }) -> Int64 {
        let position = subject.position
        return quantity(of: position.credits.filter(holds)) - quantity(of: position.reversals.filter(holds))
    }

    /// Of credits or reversals; one that states none is of the purchase's whole quantity.
    func quantity(of credits: [Credit]) -> Int64 {
        credits.reduce(0) { $0 + Int64($1.quantity ?? record?.quantity ?? 1) }
    }

    /// The subject's earliest evidence: its purchase, else the earliest receipt, credit or order.
    var beginning: Instant {
        if let record { return record.purchasedAt }
        var earliest = receipts.map(\.receivedAt).min() ?? .distant
        for credit in subject.position.credits + reversals { earliest = min(earliest, credit.creditedAt) }
        for order in subject.orders { earliest = min(earliest, file.orders[order].createdAt) }
        if earliest < .distant { return earliest }
        return subject.transactions.map { file.transactions[$0].purchasedAt }.min() ?? horizon.instant
    }

    var type: ProductType? {
        guard let record else { return nil }
        return record.type ?? policy.products.type(of: record.product)
    }
}

extension Instant {
    /// Later than anything that happens.
    fileprivate static let distant = Instant(milliseconds: .max)
}
