internal import Base

/// The graph of evidence that shares linking identifiers; its connected components are the cases.
/// See docs/spec/rules.md#links, first paragraphs.
///
/// How it works: every order and every transaction is a *node*, numbered by the first position of its key, orders
/// first. Ids that are named but were never delivered get further nodes (`DanglingReferences`). Credits and receipts
/// have no nodes of their own; each is assigned to the node of what it names. A union-find joins the nodes that are
/// linked.
///
/// The order of the steps matters:
///
/// - First the links that rest on the backend and Apple: tokens per order, restores with their originals and
///   subscription periods, orders with transactions, orders with desk credits, and then credits (`nodes(of:_:)` for
///   credits).
/// - Receipts come last. Which of them may link an order to a purchase depends on what the earlier steps linked, and on
///   all other receipts of the same order or purchase (`linkingReceipts`).
///
/// Looking up identifiers spends its time waiting for memory, so it runs on all cores. Joining the nodes found is quick
/// and runs on one.
struct LinkGraph {
    let policy: Policy
    let threads: Int
    /// Finds the node of an identifier.
    let targets: LinkTargets
    var unions: UnionFind
    /// Nodes of what was named and never delivered.
    var dangling = DanglingReferences()
    /// The nodes of the current orders, in their order.
    var orderNodes: [Int32] = []
    /// The nodes of the current transactions, in their order.
    var transactionNodes: [Int32] = []
    let orderCurrent: [Int32]
    /// For orders whose current version is not the first of its key: the position of the current version by that of the
    /// first.
    let currentOrderOfFirst: [Int32: Int32]
    /// The same for transactions.
    let currentTransactionOfFirst: [Int32: Int32]
    /// For transactions that are one purchase with others: one node that represents them all, by node.
    var purchases: [Int32: Int32] = [:]
    /// Linked tokens, which are searched on another thread while the ids in credits and receipts are looked up.
    private var sameTokens: BackgroundTask<(pairs: [Pair], crowded: [Token]), Never>?
    /// Tokens that more orders carry than `policy.tokenFanOut` allows.
    private(set) var crowdedTokens: [Token] = []

    private typealias Pair = (Int32, Int32)

    init(
        orders: [Order], _ order: Deduplicated, transactions: [Transaction], _ transaction: Deduplicated,
        policy: Policy,
        threads: Int
    ) {
        self.policy = policy
        self.threads = threads
        targets = LinkTargets(
            orders: orders, order.keys!, transactions: transactions, transaction.keys!, threads: threads)
        unions = UnionFind(count: orders.count + transactions.count)
        orderNodes = order.currentFirsts
        transactionNodes = transaction.currentFirsts.map { Int32(orders.count) + $0 }
        orderCurrent = order.current
        currentOrderOfFirst = Dictionary(uniqueKeysWithValues: order.firsts.map { ($0.value, $0.key) })
        currentTransactionOfFirst = Dictionary(uniqueKeysWithValues: transaction.firsts.map { ($0.value, $0.key) })
        if policy.tokenUse == .order { linkTokens(order, transaction.current) }
        linkTransactions(transaction.current)
        linkSupersededTransactions(transaction)
        linkOrders()
        linkDeskOrders()
    }

    /// The cases, once credits and receipts have their nodes. Numbers follow the order of the kinds: orders,
    /// transactions, credits, receipts.
    ///
    /// - Parameters:
    ///   - credits: the node of each current credit.
    ///   - receipts: the node of each current receipt.
    ///   - stored: the ledger's case of a piece of evidence, by kind and index; see `CaseNumbers`.
    consuming func finish(
        _ credits: consuming [Int32], _ receipts: consuming [Int32],
        stored: ((_ kind: Int, _ index: Int) -> CaseID)?
    ) -> CaseNumbers {
        var nodes = [orderNodes, transactionNodes, credits, receipts]
        (orderNodes, transactionNodes) = ([], [])
        var united = UnionFind()
        swap(&united, &unions)
        return CaseNumbers(united, of: &nodes, stored: stored)
    }

    /// Links restores with their originals, and transactions of one subscription period with each other.
    ///
    /// This must run before anything that names a transaction: an id that names the original of a restore names the
    /// restore's purchase.
    private mutating func linkTransactions(_ current: [Int32]) {
        let (targets, nodes, policy) = (targets, transactionNodes, policy)
        // Nearly every transaction is its own original and is skipped here.
        let linked = concurrentFilter(threads: threads, current.count) { index in
            let transaction = targets.transactions[Int(current[index])]
            return transaction.linksBeyondItsID && (transaction.$original != transaction.id || transaction.line != nil)
        }
        let originals = concurrentMap(threads: threads, linked.count) {
            targets.transactions[Int(current[linked[$0]])].restoredOriginal(in: policy) ?? .absent
        }
        let named = targets.transactions(linked.count, threads: threads) { originals[$0] }
        var members = linked.map { nodes[$0] }
        for (number, node) in named.enumerated() where node != LinkTargets.absent {
            let original = node >= 0 ? Int(node) : dangling.original(originals[number], in: &unions)
            members.append(Int32(original))
            unions.unite(Int(nodes[linked[number]]), original)
        }
        for sign in SubscriptionPeriod.Sign.allCases {
            let periods = linked.map { targets.transactions[Int(current[$0])].period(in: policy, by: sign) }
            var table = PositionTable(capacity: periods.count)
            table.enter(periods.indices) {
                periods[$0]?.bits
            } isSame: {
                periods[$0] == periods[$1]
            } repeated: {
                unions.unite(Int(nodes[linked[$0]]), Int(nodes[linked[$1]]))
            }
        }
        for node in members { purchases[node] = Int32(unions.root(of: Int(node))) }
        // Those with one line item are one case, whatever else they say.
        let lines = linked.map { targets.transactions[Int(current[$0])].periodLine(in: policy) }
        forEachPair(
            linked.count, nodes: { nodes[linked[$0]] }, keys: { lines[$0] ?? .absent },
            use: { unions.unite(Int($0), Int($1)) })
    }

    /// Where the records of a transaction disagree, links it with the transactions that a superseded copy joined it with.
    /// They are one case but not one purchase: goods of one of them may be those of the other.
    private mutating func linkSupersededTransactions(_ transactions: Deduplicated) {
        let (all, current) = (targets.transactions, transactions.current)
        let pairs = transactions.superseded.filter { pair in
            let (copy, counting) = (all[Int(pair.copy)], all[Int(pair.current)])
            return copy.linksBeyondItsID && counting.marks.contains(.disagrees)
        }
        if pairs.isEmpty { return }
        func node(_ position: Int32) -> Int32 { transactionNodes[current.partitioningIndex { $0 >= position }] }
        let originals = pairs.map { all[Int($0.copy)].restoredOriginal(in: policy) ?? .absent }
        let named = targets.transactions(pairs.count, threads: 1) { originals[$0] }
        // An original that no record proves and no copy that counts names: it links the copies alone, because anybody can
        // name an id.
        var others: [Identifier: Int] = [:]
        for (number, found) in named.enumerated() where found != LinkTargets.absent {
            let (own, id) = (Int(node(pairs[number].current)), originals[number])
            let known = found >= 0 ? Int(found) : dangling.originals[id] ?? others[id]
            if let known { unions.unite(own, known) } else { others[id] = own }
        }
        var lines: [Identifier: Int32] = [:]
        for pair in pairs {
            guard let line = all[Int(pair.copy)].periodLine(in: policy) else { continue }
            unions.unite(Int(node(pair.current)), Int(lines[line] ?? node(pair.current)))
            lines[line] = node(pair.current)
        }
        for (index, position) in current.enumerated() where all[Int(position)].linksBeyondItsID {
            let line = all[Int(position)].periodLine(in: policy)
            if let known = line.flatMap({ lines[$0] }) { unions.unite(Int(transactionNodes[index]), Int(known)) }
        }
    }

    /// Links each order with the transaction that it names.
    private mutating func linkOrders() {
        let targets = targets
        let (current, orderNodes) = (orderCurrent, orderNodes)
        let named = targets.transactions(current.count, threads: threads) {
            targets.orders[Int(current[$0])].$transaction
        }
        for (index, node) in named.enumerated() where node != LinkTargets.absent {
            let position = Int(current[index])
            let purchase = dangling.transaction(
                node, targets.orders[position].$transaction, by: targets.orders[position].account, in: &unions)
            unions.unite(Int(orderNodes[index]), purchase)
        }
    }

    /// Links the orders whose number the desk used to give the goods of a purchase with that purchase.
    private mutating func linkDeskOrders() {
        let pairs = policy.facts.deskOrders.sorted { $0.key < $1.key }
        let orders = targets.orders(pairs.count, threads: 1) { pairs[$0].key }
        let transactions = targets.transactions(pairs.count, threads: 1) { pairs[$0].value }
        for (order, transaction) in zip(orders, transactions) where order >= 0 && transaction >= 0 {
            unions.unite(Int(order), Int(transaction))
        }
    }

    /// Links orders and transactions that carry the same token per order, on another thread where one is available. The
    /// links are collected as pairs and applied later by `uniteTokens`. An order whose versions have several tokens is
    /// linked by each of them.
    private mutating func linkTokens(_ order: Deduplicated, _ transactions: [Int32]) {
        var (orders, orderNodes) = (order.current, orderNodes)
        var seen: [Int32: Set<Token>] = [:]
        for pair in order.superseded {
            let (copy, current) = (targets.orders[Int(pair.copy)], targets.orders[Int(pair.current)])
            guard current.marks.contains(.disagrees), let token = copy.token, token != current.token,
                seen[pair.current, default: []].insert(token).inserted
            else { continue }
            orders.append(pair.copy)
            orderNodes.append(orderNodes[order.current.partitioningIndex { $0 >= pair.current }])
        }
        let (targets, transactionNodes, policy) = (targets, transactionNodes, policy)
        let find = { @Sendable [orders, orderNodes] (use: (Int32, Int32) -> Void) in
            Matching.linkTokens(
                orders: (orderNodes, { targets.orders[Int(orders[$0])].$token }),
                transactions: (
                    transactionNodes,
                    {
                        let transaction = targets.transactions[Int(transactions[$0])]
                        return transaction.linksBeyondItsID ? transaction.$token : .absent
                    }
                ), policy: policy, use: use)
        }
        // In a larger night, the memory for the pairs weighs more than the time saved.
        guard threads > 1, orders.count + transactions.count < 1 << 23 else {
            crowdedTokens = find { unions.unite(Int($0), Int($1)) }
            return
        }
        sameTokens = BackgroundTask(isConcurrent: true) {
            var pairs: [Pair] = []
            let crowded = find { pairs.append(($0, $1)) }
            return (pairs, crowded)
        }
    }

    /// Applies the token links that were found on another thread.
    mutating func uniteTokens() {
        guard let (pairs, crowded) = sameTokens?.value() else { return }
        for (left, right) in pairs { unions.unite(Int(left), Int(right)) }
        crowdedTokens = crowded
        sameTokens = nil
    }

    /// The node of each current credit. Links the order and the transaction that a credit names; a credit always names
    /// at least one of them, but the function gives a node of its own to one that does not.
    mutating func nodes(of credits: [Credit], _ current: [Int32]) -> [Int32] {
        let named = named(by: credits, current)
        var nodes: [Int32] = []
        nodes.reserveCapacity(current.count)
        for index in current.indices {
            let position = Int(current[index])
            var node: Int?
            if named.orders[index] != LinkTargets.absent {
                node = dangling.order(
                    named.orders[index], credits[position].$order, by: credits[position].account, in: &unions)
            }
            if named.transactions[index] != LinkTargets.absent {
                let transaction = dangling.transaction(
                    named.transactions[index], credits[position].$transaction, by: credits[position].account,
                    in: &unions)
                if let node { unions.unite(node, transaction) } else { node = transaction }
            }
            nodes.append(Int32(node ?? unions.add()))
        }
        return nodes
    }

    /// The nodes of the orders and transactions that the elements name.
    func named<Element: NamesPurchase>(
        by elements: [Element], _ current: [Int32]
    ) -> (orders: [Int32], transactions: [Int32]) {
        let orders = targets.orders(current.count, threads: threads) { elements[Int(current[$0])].namedOrder }
        let transactions = targets.transactions(current.count, threads: threads) {
            elements[Int(current[$0])].namedTransaction
        }
        return (orders, transactions)
    }
}

extension Transaction {
    /// Only proven transactions are linked by more than their own id. Otherwise a forged record could pull the evidence
    /// of other customers into one case.
    var linksBeyondItsID: Bool { proof >= .vouched }
}

/// Evidence that names an order, a transaction, or both, and so links them.
protocol NamesPurchase: Sendable {
    /// The account that the evidence belongs to.
    var account: Identifier { get }
    /// `.absent` where it names none.
    var namedOrder: Identifier { get }
    /// `.absent` where it names none.
    var namedTransaction: Identifier { get }
}

extension Credit: NamesPurchase {
    var namedOrder: Identifier { $order }
    var namedTransaction: Identifier { $transaction }
}

extension Receipt: NamesPurchase {
    var namedOrder: Identifier { $order }
    var namedTransaction: Identifier { $transaction }
}
