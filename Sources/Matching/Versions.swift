internal import Base

/// All versions of all evidence, and which of them are current. Cases are made of these.
/// See docs/spec/rules.md#versions.
public struct Versions: Sendable {
    /// In the order given. The current versions carry their marks, and what only superseded copies of theirs say.
    public internal(set) var orders: [Order]
    var credits: [Credit]
    var transactions: [Transaction]
    var receipts: [Receipt]
    private(set) var asRead: EvidenceAsRead
    let kinds: ByKind<Deduplicated>

    /// Whether each version of an order is current, superseded or a duplicate; in the order of `orders`.
    public var orderOutcomes: [VersionOutcome] { kinds.orders.outcomes }

    /// Deduplicates all evidence on up to `threads` cores. The result does not depend on the number of cores.
    public init(_ evidence: consuming Evidence, policy: Policy, threads: Int = 1) {
        asRead = evidence.judgeFormerBundles(by: policy)
        orders = evidence.orders
        credits = evidence.credits
        transactions = evidence.transactions
        receipts = evidence.receipts
        evidence = Evidence()
        kinds = ByKind(
            concurrently(threads: threads, 4) { [orders, credits, transactions, receipts] kind in
                switch kind {
                case 0: deduplicate(orders, policy: policy)
                case 1: deduplicate(transactions, policy: policy)
                case 2: deduplicate(credits, policy: policy).withoutKeys()
                default: deduplicate(receipts, policy: policy).withoutKeys()
                }
            })
        for mark in kinds.orders.marks { orders[Int(mark.position)].marks = mark.marks }
        for mark in kinds.credits.marks { credits[Int(mark.position)].marks = mark.marks }
        for mark in kinds.transactions.marks { transactions[Int(mark.position)].marks = mark.marks }
        for mark in kinds.receipts.marks { receipts[Int(mark.position)].marks = mark.marks }
        for (position, labels) in kinds.orders.labels { orders[Int(position)].labels = labels }
        for (position, labels) in kinds.credits.labels { credits[Int(position)].labels = labels }
        for (position, labels) in kinds.transactions.labels { transactions[Int(position)].labels = labels }
        for (position, labels) in kinds.receipts.labels { receipts[Int(position)].labels = labels }
        fillTransactions(policy)
    }

    /// What one proven copy of a transaction leaves out, another one says: a feed without the column takes nothing back.
    private mutating func fillTransactions(_ policy: Policy) {
        for pair in kinds.transactions.superseded.reversed() {
            let (copy, current) = (transactions[Int(pair.copy)], Int(pair.current))
            guard copy.proof >= .vouched, transactions[current].proof >= .vouched else { continue }
            var filled = transactions[current]
            filled.fill(from: copy, policy: policy)
            if filled == transactions[current] { continue }
            if asRead.filled[current] == nil { asRead.filled[current] = transactions[current] }
            transactions[current] = filled
        }
    }

    /// The account that a token belongs to, according to these orders. Correct only where they are all orders there
    /// are.
    public var tokenOwners: (Token) -> TokenOwner {
        var owners: [Token: TokenOwner] = [:]
        for position in kinds.orders.current {
            guard let token = orders[Int(position)].token else { continue }
            let account = TokenOwner.account(orders[Int(position)].account)
            owners[token] = (owners[token] ?? account) == account ? account : .several
        }
        return { owners[$0] ?? .unknown }
    }
}

/// The ledger's case of each piece of evidence, by position.
public typealias StoredCases = ByKind<[CaseID]>
