/// What gets exactly one verdict: a purchase, or the part of a case that no record proves to be one.
/// See docs/spec/rules.md#subjects.
///
/// Evidence is referred to by its position in the arrays of the subject's case, ascending unless stated otherwise.
public struct Subject: Sendable {
    /// The kind and id of the evidence that names the subject.
    public var key: SubjectKey
    /// The kind of record behind it.
    public var backing: Backing
    /// The transactions that make up the purchase, or those that prove nothing.
    public var transactions: [Int] = []
    /// The transaction that names the subject and whose facts are the subject's. Nil without a purchase.
    public var leading: Int?
    /// The leading transaction and those of the same subscription period under other ids. A refund of one counts for
    /// all.
    public var lineMates: [Int] = []
    /// The refund that counts; never a withdrawal from family sharing.
    public var revocation: Revocation?
    /// What that refund means for the goods.
    public var refund = Refund.none
    /// The orders that count for the verdict: those that name the purchase, else those of the case that name no
    /// transaction.
    public var orders: [Int] = []
    /// Orders that are only shown with it: linked to it, named by its credits, or of the case and of no other subject.
    public var otherOrders: [Int] = []
    /// The receipts that count for the verdict.
    public var receipts: [Int] = []
    /// Receipts that are only shown with it.
    public var otherReceipts: [Int] = []
    /// Rows of the credit ledger, including reversals.
    public var credits: [Int] = []
    /// Which credits are left after reversals.
    public var position = CreditPosition()
    /// The one order that rules use where one is needed: the one that a credit left names, else the one created last.
    public var decidingOrder: Int?
    /// The backend, a token or an accepted receipt links an order to the purchase. The order's row may be missing.
    public var isLinkedToOrder = false
    /// Some link to an order rests on nothing but a receipt that was not accepted. No retry entry relies on such a
    /// link.
    public var restsOnReceipt = false
    /// The positions of the orders that are linked in that way.
    public var receiptLinkedOrders: [Int] = []
    /// The account that the goods belong to; nil if unknown or contested.
    public var owner: Identifier?
    /// A purchase, not paid twice, whose receipts name only orders that belong to other proven purchases: its own order is
    /// unknown. Receipts count that claim the purchase and are the owner's, or anybody's where the owner is unknown.
    public var isCrossed = false
    /// A purchase without goods, each of whose orders had its goods given for another proven purchase. Without an order
    /// of its own: the orders that carry its token.
    public var isPaidTwice = false
    /// A purchase in whose case proven records disagree, or two purchases have one line item: goods of one purchase may be
    /// those of another.
    public var isDisputed = false

    public init(key: SubjectKey, backing: Backing) {
        self.key = key
        self.backing = backing
    }

    /// The credits that count for the verdict. After a partial refund that names a whole quantity these are all
    /// credits, because reversals then take back quantities rather than rows.
    public var creditsLeft: [Credit] {
        if case .partial = refund { return position.credits }
        return position.left
    }
}

/// The kind of record that a subject rests on.
public enum Backing: UInt8, Sendable {
    /// Apple's record proves the payment.
    case purchase
    /// No record proves any of its transactions, or the subject names none.
    case unproven
    /// Its transaction carries a proof that does not hold. In a case without a purchase the transaction takes the
    /// purchase's place, so that credits can be attributed to it.
    case invalid
    /// Its only transaction cannot be verified here.
    case unverifiable
}
