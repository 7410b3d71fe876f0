/// All evidence tied together by shared identifiers, one standing copy a key. RULES §2.
///
/// Each array is sorted by its key, so that nothing depends on the order of import.
public struct Case: Sendable {
    public var orders: [Order]
    /// Rows of the credit ledger only: implicit credits are the rules' to add.
    public var credits: [Credit]
    public var transactions: [Transaction]
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
