/// Everything that a rule may look at: one subject, the evidence of its case, the policy and the horizon. Nothing else
/// decides a verdict.
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

    /// The record whose facts are the subject's, proven or forged. Nil without a purchase.
    var record: Transaction? { subject.leading.map { file.transactions[$0] } }
    /// The record, if it proves a purchase; else nil.
    var purchase: Transaction? { subject.backing == .purchase ? record : nil }
    /// No record proves or forges a purchase.
    var isUnproven: Bool { subject.backing == .unproven || subject.backing == .unverifiable }
    /// Net credits: credits left less surplus reversals; 1 where pieces show that rows would deny what the customer has.
    var net: Int { subject.position.net <= 0 && hasAllPieces ? 1 : subject.position.net }
    /// The credits that count for the verdict.
    var left: [Credit] { subject.creditsLeft }
    var reversals: [Credit] { subject.position.reversals }
    /// The order that decides; nil without orders.
    var order: Order? { subject.decidingOrder.map { file.orders[$0] } }
    /// The receipts that count for the verdict.
    var receipts: some Sequence<Receipt> { subject.receipts.lazy.map { file.receipts[$0] } }

    /// The outcome of the receipts' checks: accepted outweighs rejected, and rejected unverified. Nil without receipts.
    var check: CheckOutcome? { receipts.lazy.map(\.check).max() }

    /// The quantity that the customer may keep after a partial refund. Nil unless the refund leaves a whole number of
    /// pieces.
    var expectedQuantity: Int64? {
        if case .partial(let expected) = subject.refund { return expected }
        return nil
    }

    /// Pieces given less pieces taken back.
    ///
    /// - Parameter holds: which credits and reversals to count.
    func netQuantity(where holds: (Credit) -> Bool = { _ in true }) -> Int64 {
        let position = subject.position
        return quantity(of: position.credits.filter(holds)) - quantity(of: position.reversals.filter(holds))
    }

    /// All rows are of one account, the owner's if known, each says how many pieces of the product bought, and together they
    /// leave what was bought: two taken back one by one were given back at once. Of a refund, `isKeptAfterRefund` decides.
    private var hasAllPieces: Bool {
        let rows = subject.position.credits + reversals
        guard let purchase, let account = rows.first?.account, isCounted, subject.refund != .full else { return false }
        return account == subject.owner ?? account && rows.allSatisfy { $0.account == account && $0.quantity != nil }
            && netQuantity() >= Int64(purchase.quantity)
    }

    /// Nothing was given, and something beside Apple's records of the payment tells of a refund: an order says so, unless Apple
    /// signed a record without the refund afterwards, or the customer has upgraded the subscription, and Apple refunds the rest.
    var isRefundImplied: Bool {
        guard let purchase, subject.refund == .none, net <= 0 else { return false }
        if purchase.isUpgraded { return true }
        let refunded = (subject.orders + subject.otherOrders).map { file.orders[$0] }.filter { $0.status == .refunded }
        if refunded.isEmpty { return false }
        let signed = subject.transactions.map { file.transactions[$0] }
            .filter { $0.proof == .verified && $0.revocation == nil }.compactMap(\.signedAt).max()
        guard let signed else { return true }
        // Backends forget to change `updated_at`.
        return refunded.contains { policy.zone.end(of: $0.source.fileDate) >= signed }
    }

    /// After a full refund, the customer still has goods: by pieces where they are counted, else by rows.
    var isKeptAfterRefund: Bool { isCounted ? netQuantity() > 0 : net >= 1 }

    /// Every reversal says how many pieces it took back, of the product bought: a row that took back one of two leaves one.
    private var isCounted: Bool {
        let compared = policy.compare
        return compared.contains(.quantity) && !reversals.isEmpty && reversals.allSatisfy { $0.quantity != nil }
            && (subject.position.credits + reversals).allSatisfy {
                !compared.contains(.product) || $0.product == nil || $0.product == record?.product
            }
    }

    /// The pieces of these credits or reversals. One that states no quantity counts as the purchase's whole quantity.
    func quantity(of credits: [Credit]) -> Int64 {
        credits.reduce(0) { $0 + Int64($1.quantity ?? record?.quantity ?? 1) }
    }

    /// The instant of the subject's earliest evidence: of its purchase, else of its earliest credit or order, else of its
    /// earliest receipt. A client chooses when its receipt comes, so the backend's own records come first.
    var beginning: Instant {
        if let record { return record.purchasedAt }
        var earliest = Instant.distant
        for credit in subject.position.credits + reversals { earliest = min(earliest, credit.creditedAt) }
        for order in subject.orders { earliest = min(earliest, file.orders[order].createdAt) }
        if earliest == .distant { earliest = receipts.map(\.receivedAt).min() ?? .distant }
        if earliest < .distant { return earliest }
        return subject.transactions.map { file.transactions[$0].purchasedAt }.min() ?? horizon.instant
    }

    /// The date of the first file, where it says when the records begin: without `historyFrom`.
    var firstDate: BusinessDate? { policy.historyFrom == nil ? horizon.coverage.firstDate : nil }
    /// See `Policy.recordsFrom`.
    var recordsFrom: BusinessDate? { policy.recordsFrom(horizon.coverage.firstDate) }

    /// Without `historyFrom`: goods before and after the payment are on record, with a long break in which it was made, and
    /// orders of that time are on record. See `Policy.breaks`.
    var isInBreak: Bool {
        guard let record, isPaidBefore(recordsFrom) else { return false }
        return policy.breaks(horizon.coverage.firstDate).contains { $0.contains(record.purchasedAt) }
    }

    /// Also false without a date.
    func isPaidBefore(_ date: BusinessDate?) -> Bool {
        guard let date, let record else { return false }
        return record.purchasedAt < policy.zone.start(of: date)
    }

    /// The record's date may be that of its original: nothing told its reader whether it is of a restore or of a renewal.
    var isDatedByOriginal: Bool {
        guard let record, record.type == nil, record.expiresAt == nil else { return false }
        return type != .nonConsumable && record.original != nil && record.original != record.id
    }

    /// The payment may be older than the records:
    /// - one in a break;
    /// - a restore or a renewal of unknown type, whose original is older;
    /// - a restore that Apple did not sign, whose original is not on record: it may be dated by itself.
    var mayPredateRecords: Bool {
        if isInBreak { return true }
        guard let record, firstDate != nil, record.isRestore(in: policy) else { return false }
        return type == nil ? isPaidBefore(recordsFrom) : record.proof == .vouched
    }

    /// Nil without a purchase, or where nothing tells the type.
    var type: ProductType? { record.flatMap { policy.products.type(of: $0) } }
}

extension Instant {
    /// Later than any event.
    fileprivate static let distant = Instant(milliseconds: .max)
}
