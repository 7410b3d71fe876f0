internal import Domain

/// Which orders an identifier ties to which purchases. RULES §2: "tied" is by the order's own transaction, by a
/// credit or receipt that names both, or by a per-order token.
struct OrderTies {
    /// Positions of orders by purchase, ascending: those tied by themselves, a credit or a token, and those tied at all.
    /// An unverified receipt ties an order for the eye, and never makes an owner.
    private(set) var firm: [[Int]]
    private(set) var all: [[Int]]
    /// Purchases by the order's position, earliest purchase first.
    private(set) var purchasesOfOrder: [[Int]]
    let purchaseOfTransaction: SmallMap
    let orderPositions: SmallMap

    init(file: CaseFile, purchases: [Purchase], policy: Policy) {
        var named = SmallMap()
        for (number, purchase) in purchases.enumerated() {
            for position in purchase.transactions { named.insert(file.transactions[position].id, number) }
        }
        var positions = SmallMap()
        for (position, order) in file.orders.enumerated() { positions.insert(order.id, position) }
        purchaseOfTransaction = named
        orderPositions = positions
        firm = Array(repeating: [], count: purchases.count)
        all = firm
        purchasesOfOrder = Array(repeating: [], count: file.orders.count)
        guard !file.orders.isEmpty else { return }

        for (position, order) in file.orders.enumerated() { tie(position, order.transaction, isFirm: true) }
        for credit in file.credits { tie(credit.order.flatMap { positions[$0] }, credit.transaction, isFirm: true) }
        if policy.tokenUse == .order { tieTokens(of: file, purchases: purchases) }
        for receipt in file.receipts { tie(receipt.order.flatMap { positions[$0] }, receipt.transaction, isFirm: false) }
        for number in purchases.indices {
            firm[number] = firm[number].sortedUnique()
            all[number] = all[number].sortedUnique()
            for position in all[number] { purchasesOfOrder[position].append(number) }
        }
    }

    private mutating func tie(_ position: Int?, _ transaction: Identifier?, isFirm: Bool) {
        guard let position, let transaction, let number = purchaseOfTransaction[transaction] else { return }
        if isFirm { firm[number].append(position) }
        all[number].append(position)
    }

    private mutating func tieTokens(of file: CaseFile, purchases: [Purchase]) {
        var numbers: [Token: Set<Int>] = [:]
        for (number, purchase) in purchases.enumerated() {
            for token in purchase.transactions.compactMap({ file.transactions[$0].token }) {
                numbers[token, default: []].insert(number)
            }
        }
        for (position, order) in file.orders.enumerated() {
            for number in order.token.flatMap({ numbers[$0] }) ?? [] {
                firm[number].append(position)
                all[number].append(position)
            }
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

extension Subject {
    /// To whom the goods belong, or nil where nobody knows. RULES §2 "owner".
    /// `tiedOrders`: those tied by themselves, through a credit or through a per-order token.
    func owner(in file: CaseFile, tiedOrders: [Int], policy: Policy, owner: (Token) -> TokenOwner) -> Identifier? {
        if policy.tokenUse == .account, let token = token(in: file), case .account(let account) = owner(token) {
            return account
        }
        if let earliest = earliestOrder(of: tiedOrders, in: file) { return earliest.account }
        let accepted = receipts.map { file.receipts[$0] }.filter { $0.check == .accepted }
        return accepted.min { $0.isEarlier(than: $1) }?.account
    }

    /// The leading transaction's token, else that of another of the purchase's transactions.
    private func token(in file: CaseFile) -> Token? {
        if let leading, let token = file.transactions[leading].token { return token }
        for position in transactions {
            if let token = file.transactions[position].token { return token }
        }
        return nil
    }
}

/// The order created first, of equal ones the smaller id.
func earliestOrder(of positions: [Int], in file: CaseFile) -> Order? {
    positions.map { file.orders[$0] }.min { $0.isEarlier(than: $1) }
}

extension Order {
    func isEarlier(than other: Order) -> Bool {
        createdAt == other.createdAt ? id < other.id : createdAt < other.createdAt
    }
}

extension Receipt {
    func isEarlier(than other: Receipt) -> Bool {
        receivedAt == other.receivedAt ? keyPrecedes(other) : receivedAt < other.receivedAt
    }
}
