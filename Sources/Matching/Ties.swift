public import Domain

/// Where identifiers that tie are at home: each order and each transaction is a node, by the first position of its key.
struct HomeNodes: Sendable {
    let orders: [Order]
    let orderKeys: PositionTable
    let transactions: [Transaction]
    let transactionKeys: PositionTable

    /// No identifier was named.
    static let absent: Int32 = -1
    /// The identifier names something that was never delivered.
    static let stranger: Int32 = -2

    func order(_ id: Identifier?) -> Int32 {
        guard let id else { return Self.absent }
        let position = orderKeys.find(hash: id.hashBits) { orders[$0].id == id }
        return position.map { Int32($0) } ?? Self.stranger
    }

    func transaction(_ id: Identifier?) -> Int32 {
        guard let id else { return Self.absent }
        let position = transactionKeys.find(hash: id.hashBits) { transactions[$0].id == id }
        return position.map { Int32(orders.count + $0) } ?? Self.stranger
    }
}

/// Evidence that ties by naming an order, a transaction, or both.
protocol NamesPurchase: Sendable {
    var order: Identifier? { get }
    var transaction: Identifier? { get }
}

extension Credit: NamesPurchase {}
extension Receipt: NamesPurchase {}

/// Which pieces of evidence share an identifier that ties. RULES §2, first paragraph.
///
/// Looking identifiers up waits for memory, and so is done on all cores; uniting what was found is quick, and done on one.
struct Ties {
    private let policy: Policy
    private let threads: Int
    private let homes: HomeNodes
    private(set) var unions: UnionFind
    private var strangeOrders = Strangers()
    private var strangeTransactions = Strangers()
    /// Of the standing copies, in their order.
    private(set) var orderNodes: [Int32] = []
    private(set) var transactionNodes: [Int32] = []
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
            orders: orders, orderKeys: order.keys, transactions: transactions, transactionKeys: transaction.keys)
        unions = UnionFind(count: orders.count + transactions.count)
        orderNodes = order.standing.map { order.firsts[$0] ?? $0 }
        transactionNodes = transaction.standing.map { Int32(orders.count) + (transaction.firsts[$0] ?? $0) }
        // What is not proven ties by its own id only: else a forger could pull strangers' evidence into one case.
        let proven = transaction.standing.indices.filter {
            transactions[Int(transaction.standing[$0])].proof >= .vouched
        }
        if policy.tokenUse == .order { tieTokens(order.standing, proven, transaction.standing) }
        tieOrders(order.standing)
        tieRestores(proven, transaction.standing)
        tieLines(proven, transaction.standing)
    }

    /// All that is tied, once the evidence of every kind has its nodes.
    mutating func finish() -> UnionFind {
        for (left, right) in sameTokens?.value() ?? [] { unions.unite(Int(left), Int(right)) }
        sameTokens = nil
        return unions
    }

    private mutating func tieOrders(_ standing: [Int32]) {
        let homes = homes
        let named = concurrentMap(threads: threads, standing.count) {
            homes.transaction(homes.orders[Int(standing[$0])].transaction)
        }
        for (index, node) in named.enumerated() where node != HomeNodes.absent {
            let id = homes.orders[Int(standing[index])].$transaction
            unions.unite(Int(orderNodes[index]), strangeTransactions.resolve(node, id, &unions))
        }
    }

    private mutating func tieRestores(_ proven: [Int], _ standing: [Int32]) {
        for index in proven {
            let transaction = homes.transactions[Int(standing[index])]
            // Nearly every transaction is its own original.
            guard transaction.$original != transaction.id, let original = transaction.restoredOriginal(in: policy)
            else {
                continue
            }
            let node = strangeTransactions.resolve(homes.transaction(original), original, &unions)
            unions.unite(Int(transactionNodes[index]), node)
        }
    }

    private mutating func tieLines(_ proven: [Int], _ standing: [Int32]) {
        let transactions = homes.transactions
        let nodes = transactionNodes
        let lined = proven.filter { transactions[Int(standing[$0])].line != nil }
        forEachPair(
            lined.count, nodes: { nodes[lined[$0]] }, keys: { transactions[Int(standing[lined[$0]])].$line },
            use: { unions.unite(Int($0), Int($1)) })
    }

    /// A token per order ties the orders and transactions that carry it.
    private mutating func tieTokens(_ orders: [Int32], _ proven: [Int], _ transactions: [Int32]) {
        let (homes, orderNodes, transactionNodes) = (homes, orderNodes, transactionNodes)
        let find = { @Sendable (use: (Int32, Int32) -> Void) in
            forEachPair(
                orders.count + proven.count,
                nodes: { $0 < orders.count ? orderNodes[$0] : transactionNodes[proven[$0 - orders.count]] },
                keys: {
                    $0 < orders.count
                        ? homes.orders[Int(orders[$0])].$token
                        : homes.transactions[Int(transactions[proven[$0 - orders.count]])].$token
                }, use: use)
        }
        // Of a larger night the memory for what is found beside weighs more than the time.
        guard threads > 1, orders.count + proven.count < 1 << 23 else {
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
        let named = concurrentMap(threads: threads, standing.count) {
            let element = elements[Int(standing[$0])]
            return (order: homes.order(element.order), transaction: homes.transaction(element.transaction))
        }
        var nodes: [Int32] = []
        nodes.reserveCapacity(named.count)
        for (index, names) in named.enumerated() {
            let element = elements[Int(standing[index])]
            var node: Int?
            if let id = element.order { node = strangeOrders.resolve(names.order, id, &unions) }
            if let id = element.transaction {
                let transaction = strangeTransactions.resolve(names.transaction, id, &unions)
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

    mutating func resolve(_ node: Int32, _ id: Identifier, _ unions: inout UnionFind) -> Int {
        if node >= 0 { return Int(node) }
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
    for number in 0..<count {
        let key = keys(number)
        if key == .absent { continue }
        let first = table.first(number, hash: key.hashBits) { keys($0) == key }
        if first != number { use(nodes(first), nodes(number)) }
    }
}

extension Transaction {
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
    private(set) var numbers: [[Int32]] = []

    init(_ unions: consuming UnionFind, of nodes: [[Int32]]) {
        var unions = unions
        var known = [Int32](repeating: -1, count: unions.parents.count)
        for kind in nodes {
            numbers.append(
                kind.map { node in
                    let root = unions.root(of: Int(node))
                    if known[root] < 0 {
                        known[root] = Int32(count)
                        count += 1
                    }
                    return known[root]
                })
        }
    }
}
