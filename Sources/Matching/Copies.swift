public import Domain

/// All copies of all evidence, of which one a key counts: what cases are made of. RULES §1.
public struct Copies: Sendable {
    /// In the order given; the copies that count bear their marks.
    public internal(set) var orders: [Order]
    var credits: [Credit]
    var transactions: [Transaction]
    var receipts: [Receipt]
    let order: Collapsed
    let credit: Collapsed
    let transaction: Collapsed
    let receipt: Collapsed

    /// What became of each order's copy, in the same order.
    public var orderFates: [CopyFate] { order.fates }

    /// Collapses copies, on up to `threads` cores; the result does not depend on how many.
    public init(_ evidence: consuming Evidence, policy: Policy, threads: Int = 1) {
        orders = evidence.orders
        credits = evidence.credits
        transactions = evidence.transactions
        receipts = evidence.receipts
        evidence = Evidence()
        let collapsed = concurrently(threads: threads, 4) { [orders, credits, transactions, receipts] kind in
            switch kind {
            case 0: collapse(transactions, policy: policy)
            case 1: collapse(receipts, policy: policy).withoutKeys()
            case 2: collapse(orders, policy: policy)
            default: collapse(credits, policy: policy).withoutKeys()
            }
        }
        (transaction, receipt, order, credit) = (collapsed[0], collapsed[1], collapsed[2], collapsed[3])
        for mark in order.marks { orders[Int(mark.position)].marks = mark.marks }
        for mark in credit.marks { credits[Int(mark.position)].marks = mark.marks }
        for mark in transaction.marks { transactions[Int(mark.position)].marks = mark.marks }
        for mark in receipt.marks { receipts[Int(mark.position)].marks = mark.marks }
    }

    /// Whose account each token is by these orders alone: right where they are all there are.
    public var tokenOwners: (Token) -> TokenOwner {
        var owners: [Token: TokenOwner] = [:]
        for position in order.standing {
            guard let token = orders[Int(position)].token else { continue }
            let account = TokenOwner.account(orders[Int(position)].account)
            owners[token] = (owners[token] ?? account) == account ? account : .several
        }
        return { owners[$0] ?? .unknown }
    }
}

/// The case in which the ledger keeps each piece of evidence, by position.
public struct StoredCases: Sendable {
    let orders: [Int64]
    let credits: [Int64]
    let transactions: [Int64]
    let receipts: [Int64]

    public init(orders: [Int64], credits: [Int64], transactions: [Int64], receipts: [Int64]) {
        self.orders = orders
        self.credits = credits
        self.transactions = transactions
        self.receipts = receipts
    }
}
