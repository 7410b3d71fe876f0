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
