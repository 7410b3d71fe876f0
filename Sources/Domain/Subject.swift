/// What stands behind a subject.
public enum Backing: UInt8, Sendable {
    /// Apple's record proves that it was paid.
    case purchase
    /// Nobody has proven any of its transactions, or it names none.
    case unproven
    /// Its transaction carries a proof that does not hold. Where a case has no purchase it plays one.
    case invalid
    /// Its only transaction cannot be judged here.
    case unverifiable
}

/// What a revocation means for the goods. RULES §3 "Partial refunds".
public enum Refund: Hashable, Sendable {
    case none
    case full
    /// The quantity that the customer may keep.
    case partial(expected: Int64)
    /// Partial, of a share that is no whole quantity or is unknown: judged as if not revoked.
    case uncountable
}

extension Revocation {
    /// Of a purchase of that quantity. A family's withdrawal moves no money and is no refund.
    public func refund(ofQuantity quantity: Int32) -> Refund {
        switch type {
        case .familyRevoke: return .none
        case .refundFull: return .full
        case .refundProrated: break
        case .unnamed, .other: if (percentage ?? 100_000) >= 100_000 { return .full }
        }
        guard let percentage else { return .uncountable }
        if percentage >= 100_000 { return .full }
        let kept = Int64(quantity) * Int64(100_000 - percentage)
        return kept % 100_000 == 0 ? .partial(expected: kept / 100_000) : .uncountable
    }
}

/// The credits of one subject, and which of them its reversals have cancelled. RULES §2 "net credits".
public struct CreditPosition: Sendable {
    /// All credits by time, then id; implicit ones among them.
    public var credits: [Credit] = []
    /// Those that no reversal cancelled.
    public var left: [Credit] = []
    /// All reversals, by time, then id.
    public var reversals: [Credit] = []
    /// Reversals that found no credit to cancel.
    public var surplusReversals: [Credit] = []
    /// The credits left add up exactly to the purchase's quantity, and so count as one.
    public var countsAsOne = false

    public init() {}

    public var net: Int { (countsAsOne ? 1 : left.count) - surplusReversals.count }
}

/// What gets one verdict: a purchase, or what is left of a case that nobody has proven to be one. RULES §§2–3.
///
/// Positions point into the arrays of its case file.
public struct Subject: Sendable {
    public var key: SubjectKey
    public var backing: Backing
    /// The transactions that are one purchase, or those that prove nothing.
    public var transactions: [Int] = []
    /// The transaction that names the subject and whose facts are its own.
    public var leading: Int?
    /// The leading transaction and other ids of its line: their records speak for each other.
    public var lineMates: [Int] = []
    /// The refund that counts; never a family's withdrawal.
    public var revocation: Revocation?
    public var refund = Refund.none
    /// The orders that decide: those that name it, else those of the case that name no transaction.
    public var orders: [Int] = []
    /// Further orders to be shown with it: tied to it, named by its credits, or nobody else's.
    public var otherOrders: [Int] = []
    public var receipts: [Int] = []
    public var otherReceipts: [Int] = []
    /// Rows of the credit ledger, reversals among them.
    public var credits: [Int] = []
    public var position = CreditPosition()
    /// The order that decides wherever one must: the one that a credit left names, else the latest created.
    public var decidingOrder: Int?
    /// An order is tied to the purchase by the backend or by an accepted receipt, whether or not its row was delivered.
    public var isLinkedToOrder = false
    /// An order is tied to the purchase by nothing but a receipt that was not accepted. No machine acts on that.
    public var restsOnReceipt = false
    /// Positions of such orders, ascending.
    public var receiptLinkedOrders: [Int] = []
    public var owner: Identifier?

    public init(key: SubjectKey, backing: Backing) {
        self.key = key
        self.backing = backing
    }

    /// The credits that decide. Where a partial refund says what quantity is owed, reversals take back quantities and
    /// no rows: then all of them.
    public var creditsLeft: [Credit] {
        if case .partial = refund { return position.credits }
        return position.left
    }
}
