public import Domain

/// Where identifiers that tie are at home: each order and each transaction is a node, by the first position of its key.
struct HomeNodes: Sendable {
    let orders: [Order]
    let transactions: [Transaction]
    private let orderKeys: PositionTable
    private let transactionKeys: PositionTable
    /// Side by side: looked at where they stand, each would be fetched from memory with all that stands around it.
    private let orderIDs: [Identifier]
    private let transactionIDs: [Identifier]

    init(
        orders: [Order], _ orderKeys: PositionTable, transactions: [Transaction], _ transactionKeys: PositionTable,
        threads: Int
    ) {
        self.orders = orders
        self.orderKeys = orderKeys
        self.transactions = transactions
        self.transactionKeys = transactionKeys
        orderIDs = concurrentMap(threads: threads, orders.count) { orders[$0].id }
        transactionIDs = concurrentMap(threads: threads, transactions.count) { transactions[$0].id }
    }

    /// No identifier was named.
    static let absent: Int32 = -1
    /// The identifier names something that was never delivered.
    static let stranger: Int32 = -2

    /// The node of the order that each of `count` names; `.absent` for an id: it names none.
    func orders(_ count: Int, threads: Int, named id: @Sendable (Int) -> Identifier) -> [Int32] {
        nodes(count, threads, id, orderKeys, orderIDs, from: 0)
    }

    func transactions(_ count: Int, threads: Int, named id: @Sendable (Int) -> Identifier) -> [Int32] {
        nodes(count, threads, id, transactionKeys, transactionIDs, from: orders.count)
    }

    @inline(__always)
    private func nodes(
        _ count: Int, _ threads: Int, _ named: @Sendable (Int) -> Identifier, _ keys: PositionTable,
        _ ids: [Identifier], from first: Int
    ) -> [Int32] {
        concurrentMap(threads: threads, count) { numbers, add in
            keys.find(numbers) {
                named($0) == .absent ? nil : named($0).hashBits
            } isSame: {
                ids[$0] == named($1)
            } use: { number, position in
                let stranger = named(number) == .absent ? Self.absent : Self.stranger
                add(position.map { Int32(first + $0) } ?? stranger)
            }
        }
    }
}

/// Evidence that ties by naming an order, a transaction, or both.
protocol NamesPurchase: Sendable {
    var namedOrder: Identifier { get }
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

/// Which pieces of evidence share an identifier that ties. RULES §2, first paragraph.
///
/// Looking identifiers up waits for memory, and so is done on all cores; uniting what was found is quick, and done on one.
struct Ties {
    private let policy: Policy
    private let threads: Int
    private let homes: HomeNodes
    private var unions: UnionFind
    private var strangeOrders = Strangers()
    private var strangeTransactions = Strangers()
    /// Of the standing copies, in their order.
    private var orderNodes: [Int32] = []
    private var transactionNodes: [Int32] = []
    /// Found beside the looking up of what credits and receipts name.
    private var sameTokens: Background<[Pair], Never>?

    private typealias Pair = (Int32, Int32)

    init(
        orders: [Order], _ order: Collapsed, transactions: [Transaction], _ transaction: Collapsed, policy: Policy,
        threads: Int
    ) {
        self.policy = policy
        self.threads = threads
        homes = HomeNodes(
            orders: orders, order.keys!, transactions: transactions, transaction.keys!, threads: threads)
        unions = UnionFind(count: orders.count + transactions.count)
        orderNodes = order.standingFirsts
        transactionNodes = transaction.standingFirsts.map { Int32(orders.count) + $0 }
        if policy.tokenUse == .order { tieTokens(order.standing, transaction.standing) }
        tieOrders(order.standing)
        tieTransactions(transaction.standing)
    }

    /// The cases that all this comes to, once credits and receipts have their nodes.
    consuming func finish(_ credits: consuming [Int32], _ receipts: consuming [Int32]) -> CaseNumbers {
        for (left, right) in sameTokens?.value() ?? [] { unions.unite(Int(left), Int(right)) }
        // Held in one place only: what is changed while it is shared would be copied.
        sameTokens = nil
        var nodes = [orderNodes, transactionNodes, credits, receipts]
        (orderNodes, transactionNodes) = ([], [])
        var united = UnionFind()
        swap(&united, &unions)
        return CaseNumbers(united, of: &nodes)
    }

    private mutating func tieOrders(_ standing: [Int32]) {
        let homes = homes
        let named = homes.transactions(standing.count, threads: threads) {
            homes.orders[Int(standing[$0])].$transaction
        }
        for (index, node) in named.enumerated() where node != HomeNodes.absent {
            let id = homes.orders[Int(standing[index])].$transaction
            unions.unite(Int(orderNodes[index]), strangeTransactions.resolve(node, id, &unions))
        }
    }

    /// Restores with their originals, and copies of one subscription period with each other.
    private mutating func tieTransactions(_ standing: [Int32]) {
        let (homes, nodes, policy) = (homes, transactionNodes, policy)
        // Nearly every transaction is its own original.
        let tied = concurrentFilter(threads: threads, standing.count) { index in
            let transaction = homes.transactions[Int(standing[index])]
            return transaction.tiesBeyondItsID && (transaction.$original != transaction.id || transaction.line != nil)
        }
        let originals = concurrentMap(threads: threads, tied.count) {
            homes.transactions[Int(standing[tied[$0]])].restoredOriginal(in: policy) ?? .absent
        }
        let named = homes.transactions(tied.count, threads: threads) { originals[$0] }
        for (number, node) in named.enumerated() where node != HomeNodes.absent {
            let original = strangeTransactions.resolve(node, originals[number], &unions)
            unions.unite(Int(nodes[tied[number]]), original)
        }
        forEachPair(
            tied.count, nodes: { nodes[tied[$0]] }, keys: { homes.transactions[Int(standing[tied[$0]])].$line },
            use: { unions.unite(Int($0), Int($1)) })
    }

    /// A token per order ties the orders and transactions that carry it.
    private mutating func tieTokens(_ orders: [Int32], _ transactions: [Int32]) {
        let (homes, orderNodes, transactionNodes) = (homes, orderNodes, transactionNodes)
        let count = orders.count + transactions.count
        let find = { @Sendable (use: (Int32, Int32) -> Void) in
            forEachPair(
                count, nodes: { $0 < orders.count ? orderNodes[$0] : transactionNodes[$0 - orders.count] },
                keys: {
                    if $0 < orders.count { return homes.orders[Int(orders[$0])].$token }
                    let transaction = homes.transactions[Int(transactions[$0 - orders.count])]
                    return transaction.tiesBeyondItsID ? transaction.$token : .absent
                }, use: use)
        }
        // Of a larger night the memory for what is found beside weighs more than the time.
        guard threads > 1, count < 1 << 23 else {
            find { unions.unite(Int($0), Int($1)) }
            return
        }
        sameTokens = Background(isBeside: true) {
            var pairs: [Pair] = []
            find { pairs.append(($0, $1)) }
            return pairs
        }
    }

    /// The node that each standing copy hangs on, uniting what it names; one of its own where it names nothing.
    mutating func nodes<Element: NamesPurchase>(of elements: [Element], _ standing: [Int32]) -> [Int32] {
        let homes = homes
        let orders = homes.orders(standing.count, threads: threads) { elements[Int(standing[$0])].namedOrder }
        let transactions = homes.transactions(standing.count, threads: threads) {
            elements[Int(standing[$0])].namedTransaction
        }
        var nodes: [Int32] = []
        nodes.reserveCapacity(standing.count)
        for index in standing.indices {
            var node: Int?
            if orders[index] != HomeNodes.absent {
                node = strangeOrders.resolve(orders[index], elements[Int(standing[index])].namedOrder, &unions)
            }
            if transactions[index] != HomeNodes.absent {
                let transaction = strangeTransactions.resolve(
                    transactions[index], elements[Int(standing[index])].namedTransaction, &unions)
                if let node { unions.unite(node, transaction) } else { node = transaction }
            }
            nodes.append(Int32(node ?? unions.add()))
        }
        return nodes
    }
}

/// Identifiers of one kind that are named and were never delivered; their nodes come behind those that were.
private struct Strangers {
    private var nodes: [Identifier: Int] = [:]

    /// - Parameter id: asked for only of a stranger.
    mutating func resolve(
        _ node: Int32, _ id: @autoclosure () -> Identifier, _ unions: inout UnionFind
    ) -> Int {
        if node >= 0 { return Int(node) }
        let id = id()
        if let known = nodes[id] { return known }
        let added = unions.add()
        nodes[id] = added
        return added
    }
}

/// Each node with the first whose key is the same; what has no key is nobody's.
@inline(__always)
private func forEachPair<Key: Indexed & Absentable>(
    _ count: Int, nodes: (Int) -> Int32, keys: (Int) -> Key, use: (Int32, Int32) -> Void
) {
    var table = PositionTable(capacity: count)
    table.enter(0..<count) {
        keys($0) == .absent ? nil : keys($0).hashBits
    } isSame: {
        keys($0) == keys($1)
    } again: {
        use(nodes($0), nodes($1))
    }
}

extension Transaction {
    /// What is not proven ties by its own id only: else a forger could pull strangers' evidence into one case.
    fileprivate var tiesBeyondItsID: Bool { proof >= .vouched }

    /// The original id under which a restore of this purchase would come, else nil: it ties only where the
    /// type is Non-Consumable, or unknown with a differing original id and no expiry date.
    public func restoredOriginal(in policy: Policy) -> Identifier? {
        guard let original else { return nil }
        switch type ?? policy.products.type(of: product) {
        case .nonConsumable: return original
        case nil: return original != id && expiresAt == nil ? original : nil
        default: return nil
        }
    }
}

/// Disjoint sets to which members are added as they turn up.
struct UnionFind {
    private(set) var parents: [Int32]

    init(count: Int = 0) { parents = (0..<count).map { Int32($0) } }

    mutating func add() -> Int {
        parents.append(Int32(parents.count))
        return parents.count - 1
    }

    mutating func root(of number: Int) -> Int {
        var current = number
        while Int(parents[current]) != current {
            parents[current] = parents[Int(parents[current])]
            current = Int(parents[current])
        }
        return current
    }

    mutating func unite(_ left: Int, _ right: Int) {
        let leftRoot = root(of: left)
        let rightRoot = root(of: right)
        // The smaller number stands for both; path halving alone keeps the trees flat.
        if leftRoot != rightRoot { parents[max(leftRoot, rightRoot)] = Int32(min(leftRoot, rightRoot)) }
    }
}

/// Numbers the components from 0, in the order of their first evidence.
struct CaseNumbers {
    private(set) var count = 0
    /// The case of each standing copy, kind by kind as its nodes were given.
    let numbers: [[Int32]]

    /// Takes the memory of the nodes over for the numbers.
    init(_ unions: consuming UnionFind, of nodes: inout [[Int32]]) {
        var unions = unions
        var known = [Int32](repeating: -1, count: unions.parents.count)
        for kind in nodes.indices {
            for index in nodes[kind].indices {
                let root = unions.root(of: Int(nodes[kind][index]))
                if known[root] < 0 {
                    known[root] = Int32(count)
                    count += 1
                }
                nodes[kind][index] = known[root]
            }
        }
        numbers = nodes
    }
}
