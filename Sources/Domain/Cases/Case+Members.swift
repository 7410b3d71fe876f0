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
