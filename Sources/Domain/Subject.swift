/// What stands behind a subject.
package enum Backing: UInt8, Sendable {
    /// Apple's record proves that it was paid.
    case purchase
    /// Nobody has proven any of its transactions, or it names none.
    case unproven
    /// Its only transaction carries a proof that does not hold.
    case invalid
    /// Its only transaction cannot be judged here.
    case unverifiable
}

/// The credits of one subject after its reversals have cancelled theirs. RULES §2 "net credits".
package struct CreditPosition: Hashable, Sendable {
    /// The credits that no reversal cancelled, by time, then id; implicit ones among them.
    package var left: [Credit] = []
    /// All reversals, by time, then id.
    package var reversals: [Credit] = []
    /// Reversals that found no credit to cancel.
    package var surplusReversals = 0
    /// Credits before any reversal.
    package var creditsBefore = 0
    /// Quantity credited before reversals, and reversed; a row without one counts as the purchase's.
    package var quantityCredited: Int64 = 0
    package var quantityReversed: Int64 = 0
    /// The credits left add up exactly to the purchase's quantity, and so count as one.
    package var countsAsOne = false

    package init() {}

    package var net: Int { (countsAsOne ? 1 : left.count) - surplusReversals }
    package var netQuantity: Int64 { quantityCredited - quantityReversed }
}

extension Credit: Hashable {
    package func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// What gets one verdict: a purchase, or what is left of a case that nobody has proven to be one. RULES §§2–3.
///
/// Positions point into the arrays of its case file and ascend.
package struct Subject: Sendable {
    package var key: SubjectKey
    package var backing: Backing
    /// The transactions that are one purchase (or the one that is not proven); `leading` names it.
    package var transactions: [Int] = []
    package var leading: Int?
    /// The revocation that counts.
    package var revocation: Revocation?
    package var orders: [Int] = []
    package var receipts: [Int] = []
    /// Rows of the credit ledger, reversals among them.
    package var credits: [Int] = []
    package var position = CreditPosition()
    /// The order that decides wherever one must: the one that a credit left names, else the latest created.
    package var decidingOrder: Int?
    /// Some order is tied to the purchase by an identifier, be it one that no longer counts among its orders.
    package var isTiedToOrder = false
    package var owner: Identifier?

    package init(key: SubjectKey, backing: Backing) {
        self.key = key
        self.backing = backing
    }
}
