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
        if policy.tokenUse == .order { fillOrders() }
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

    /// An order that is written again without its token keeps the token.
    private mutating func fillOrders() {
        for pair in kinds.orders.superseded.reversed() {
            let current = Int(pair.current)
            guard orders[current].token == nil, let token = orders[Int(pair.copy)].token else { continue }
            asRead.withoutToken.insert(current)
            orders[current].token = token
        }
    }

    /// The account that a token belongs to, according to these orders. Correct only where they are all orders there
    /// are.
    public var tokenOwners: (Token) -> TokenOwner {
        var owners: [Token: TokenOwner] = [:]
        forEachTokenClaim { token, account in
            let account = TokenOwner.account(account)
            owners[token] = (owners[token] ?? account) == account ? account : .several
        }
        return { owners[$0] ?? .unknown }
    }

    /// Calls `body` with each token that an order carries and the order's account, once for each order.
    ///
    /// All versions of an order count, or a row that is written again would move later payments to another account.
    ///
    /// - Parameter known: what the first `known` versions claim by themselves is left out.
    public func forEachTokenClaim(besides known: Int = 0, _ body: (Token, Identifier) -> Void) {
        var versions: [Int32: [Int32]] = [:]
        for pair in kinds.orders.superseded + kinds.orders.replaced {
            versions[pair.current, default: [pair.current]].append(pair.copy)
        }
        for position in kinds.orders.current {
            if !versions.isEmpty, let all = versions[position] {
                let old = known == 0 ? [] : tokenClaims(of: all.filter { $0 < known })
                for claim in tokenClaims(of: all).subtracting(old) { body(claim.token, claim.account) }
            } else if position >= known, let token = orders[Int(position)].token {
                body(token, orders[Int(position)].account)
            }
        }
    }

    private func tokenClaims(of versions: [Int32]) -> Set<TokenClaim> {
        var claims = Set<TokenClaim>()
        for order in versions.lazy.map({ orders[Int($0)] }) {
            if let token = order.token { claims.insert(TokenClaim(token: token, account: order.account)) }
        }
        return claims
    }
}

private struct TokenClaim: Hashable {
    var token: Token
    var account: Identifier
}

/// The ledger's case of each piece of evidence, by position.
public typealias StoredCases = ByKind<[CaseID]>
