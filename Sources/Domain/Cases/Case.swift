/// All evidence that is linked by shared identifiers, with only the current version of each piece.
/// See docs/spec/rules.md#cases.
///
/// Each array is sorted by its key, so that no result depends on the order of import. Subjects and judgements refer to
/// evidence by its position in these arrays.
public struct Case: Sendable {
    /// By order id.
    public var orders: [Order]
    /// Rows of the credit ledger, by credit id. Implicit credits are not included; matching adds them.
    public var credits: [Credit]
    /// By transaction id. Unproven and forged records are included.
    public var transactions: [Transaction]
    /// By the receipt's id as people see it.
    public var receipts: [Receipt]

    public init(
        orders: [Order] = [], credits: [Credit] = [], transactions: [Transaction] = [], receipts: [Receipt] = []
    ) {
        self.orders = orders
        self.credits = credits
        self.transactions = transactions
        self.receipts = receipts
    }
}
