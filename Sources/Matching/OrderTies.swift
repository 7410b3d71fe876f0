internal import Domain

/// Which orders an identifier ties to which purchases. RULES §2: "tied" is by the order's own transaction, by a
/// credit or receipt that names both, or by a per-order token. An order is tied by its id: its row may be missing.
struct OrderTies {
    /// Positions of orders by purchase, ascending: those tied by themselves, a credit or a token, and those tied at all.
    /// An unverified receipt ties an order for the eye, and never makes an owner.
    private(set) var firm: [[Int]]
    private(set) var all: [[Int]]
    private(set) var isTied: [Bool]
    let purchaseOfTransaction: SmallMap
    let orderPositions: SmallMap
    /// Purchases by the order's id, earliest purchase first.
    private var purchasesOfOrder: [[Int]] = []
    private var orderNumbers = SmallMap()

    init(file: CaseFile, purchases: [Purchase], policy: Policy) {
        var named = SmallMap()
        for (number, purchase) in purchases.enumerated() {
            for name in purchase.names { named.insert(name, number) }
        }
        var positions = SmallMap()
        for (position, order) in file.orders.enumerated() { positions.insert(order.id, position) }
        purchaseOfTransaction = named
        orderPositions = positions
        firm = Array(repeating: [], count: purchases.count)
        all = firm
        isTied = Array(repeating: false, count: purchases.count)
        if purchases.isEmpty { return }

        for order in file.orders { tie(order.id, order.transaction, isFirm: true) }
        for credit in file.credits { tie(credit.order, credit.transaction, isFirm: true) }
        if policy.tokenUse == .order { tieTokens(of: file, purchases: purchases) }
        for receipt in file.receipts { tie(receipt.order, receipt.transaction, isFirm: false) }
        for number in purchases.indices {
            firm[number] = firm[number].sortedUnique()
            all[number] = all[number].sortedUnique()
        }
        for number in purchasesOfOrder.indices { purchasesOfOrder[number] = purchasesOfOrder[number].sortedUnique() }
    }

    func purchases(ofOrder id: Identifier) -> [Int] { orderNumbers[id].map { purchasesOfOrder[$0] } ?? [] }

    private mutating func tie(_ order: Identifier?, _ transaction: Identifier?, isFirm: Bool) {
        guard let order, let transaction, let number = purchaseOfTransaction[transaction] else { return }
        tie(order, to: number, isFirm: isFirm)
    }

    private mutating func tie(_ order: Identifier, to number: Int, isFirm: Bool) {
        isTied[number] = true
        if let position = orderPositions[order] {
            if isFirm { firm[number].append(position) }
            all[number].append(position)
        }
        if let known = orderNumbers[order] {
            purchasesOfOrder[known].append(number)
        } else {
            orderNumbers.insert(order, purchasesOfOrder.count)
            purchasesOfOrder.append([number])
        }
    }

    private mutating func tieTokens(of file: CaseFile, purchases: [Purchase]) {
        var numbers: [Token: Set<Int>] = [:]
        for (number, purchase) in purchases.enumerated() where !purchase.isForged {
            for position in purchase.transactions {
                if let token = file.transactions[position].token { numbers[token, default: []].insert(number) }
            }
        }
        if numbers.isEmpty { return }
        for order in file.orders {
            for number in order.token.flatMap({ numbers[$0] }) ?? [] { tie(order.id, to: number, isFirm: true) }
        }
    }
}

extension [Int] {
    func sortedUnique() -> [Int] {
        if count < 2 { return self }
        var unique: [Int] = []
        for element in sorted() where unique.last != element { unique.append(element) }
        return unique
    }
}
