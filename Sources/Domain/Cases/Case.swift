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

extension Case {
    /// The evidence that belongs to a subject.
    public func evidence(of members: Judgement.Members) -> Evidence {
        var own = Evidence()
        own.orders = members.orders.map { orders[$0] }
        own.credits = members.credits.map { credits[$0] }
        own.transactions = members.transactions.map { transactions[$0] }
        own.receipts = members.receipts.map { receipts[$0] }
        return own
    }
}

extension Evidence {
    /// The row of each order, credit, transaction and receipt.
    public var sources: [Provenance] {
        orders.map(\.source) + credits.map(\.source) + transactions.map(\.source) + receipts.map(\.source)
    }
}
