package import Domain

/// Which pieces of evidence share an identifier that ties. RULES §2, first paragraph.
///
/// Each identifier is a node; a piece of evidence hangs on one node and unites it with the others it names.
struct Ties {
    private let policy: Policy
    private var orderIDs = IdentifierIndex()
    private var transactionIDs = IdentifierIndex()
    private var lineIDs = IdentifierIndex()
    private var tokens = DenseIndex<Token>()
    private var tokenNodes: [Int32] = []
    private var unions = UnionFind()
    private var orderNodes: [Int32] = []
    private var transactionNodes: [Int32] = []
    private var lineNodes: [Int32] = []

    init(policy: Policy) { self.policy = policy }

    private mutating func orderNode(_ id: Identifier) -> Int {
        Self.node(of: orderIDs.number(of: id), in: &orderNodes, &unions)
    }
    private mutating func transactionNode(_ id: Identifier) -> Int {
        Self.node(of: transactionIDs.number(of: id), in: &transactionNodes, &unions)
    }
    private mutating func lineNode(_ id: Identifier) -> Int {
        Self.node(of: lineIDs.number(of: id), in: &lineNodes, &unions)
    }
    private static func node(of number: Int, in nodes: inout [Int32], _ unions: inout UnionFind) -> Int {
        if number == nodes.count { nodes.append(Int32(unions.add())) }
        return Int(nodes[number])
    }

    private mutating func tieToken(_ token: Token?, to node: Int) {
        guard policy.tokenUse == .order, let token else { return }
        let number = tokens.number(of: token)
        if number == tokenNodes.count {
            tokenNodes.append(Int32(node))
        } else {
            unions.unite(Int(tokenNodes[number]), node)
        }
    }

    mutating func tie(_ order: Order) -> Int32 {
        let node = orderNode(order.id)
        if let id = order.transaction { unions.unite(node, transactionNode(id)) }
        tieToken(order.token, to: node)
        return Int32(node)
    }

    mutating func tie(_ transaction: Transaction) -> Int32 {
        let node = transactionNode(transaction.id)
        // What is not proven ties by its own id only: else a forger could pull strangers' evidence into one case.
        guard transaction.proof >= .vouched else { return Int32(node) }
        if let line = transaction.line { unions.unite(node, lineNode(line)) }
        if let original = transaction.restoredOriginal(in: policy) { unions.unite(node, transactionNode(original)) }
        tieToken(transaction.token, to: node)
        return Int32(node)
    }

    mutating func tie(_ credit: Credit) -> Int32 {
        hang(order: credit.order, transaction: credit.transaction)
    }

    mutating func tie(_ receipt: Receipt) -> Int32 {
        hang(order: receipt.order, transaction: receipt.transaction)
    }

    /// The node that what names these hangs on; one of its own where it names neither.
    private mutating func hang(order: Identifier?, transaction: Identifier?) -> Int32 {
        switch (order, transaction) {
        case (let order?, let transaction?):
            let node = orderNode(order)
            unions.unite(node, transactionNode(transaction))
            return Int32(node)
        case (let order?, nil): return Int32(orderNode(order))
        case (nil, let transaction?): return Int32(transactionNode(transaction))
        case (nil, nil): return Int32(unions.add())
        }
    }

    consuming func cases() -> CaseNumbers { CaseNumbers(unions) }
}

extension Transaction {
    /// The original id under which a restore of this purchase would come, else nil: it ties only where the
    /// type is Non-Consumable, or unknown with a differing original id and no expiry date.
    package func restoredOriginal(in policy: Policy) -> Identifier? {
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
    private(set) var parents: [Int32] = []

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

/// Numbers the components from 0. Identifiers that only unproven hands name are components too, maybe without evidence.
struct CaseNumbers {
    private var unions: UnionFind
    private var numbers: [Int32]
    private(set) var count = 0

    init(_ unions: UnionFind) {
        self.unions = unions
        numbers = Array(repeating: -1, count: unions.parents.count)
        for node in unions.parents.indices {
            let root = self.unions.root(of: node)
            if numbers[root] < 0 {
                numbers[root] = Int32(count)
                count += 1
            }
        }
    }

    mutating func number(ofNode node: Int) -> Int { Int(numbers[unions.root(of: node)]) }
}
