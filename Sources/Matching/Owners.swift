extension Subject {
    /// The account that the goods belong to; nil if unknown or contested. See docs/spec/rules.md#owner.
    ///
    /// - Parameter linkedOrders: positions of the orders with an authoritative link: by themselves, by a credit or by a
    ///   per-order token.
    func owner(in file: Case, linkedOrders: [Int], policy: Policy, owner: (Token) -> TokenOwner) -> Identifier? {
        guard backing == .purchase, let leading else { return nil }
        let token = policy.tokenUse == .none ? nil : file.transactions[leading].token
        if let account = policy.accountOfToken(of: file.transactions[leading], owner) { return account }
        if let earliest = earliestOrder(of: linkedOrders, in: file) { return earliest.account }
        // The token says that the purchase was made for one account, and nothing shows that this is the receipt's
        // account.
        if token != nil, policy.facts.tokens != .unused { return nil }
        let accounts = Set(receipts.lazy.map { file.receipts[$0] }.filter(\.vouchesForItsClaim).map(\.account))
        return accounts.count == 1 ? accounts.first : nil
    }

    /// Whether the purchase has no order of its own, and its receipts name orders of which each is taken. Only what the
    /// owner says counts; where the owner is unknown, what anybody says. See `isCrossed`.
    func namesOnlyTakenOrders(in file: Case, isTaken: (Identifier) -> Bool) -> Bool {
        guard backing == .purchase, orders.isEmpty else { return false }
        var isOrderNamed = false
        for receipt in receipts.lazy.map({ file.receipts[$0] }) {
            guard let order = receipt.order, receipt.transaction != nil, owner ?? receipt.account == receipt.account
            else { continue }
            if !isTaken(order) { return false }
            isOrderNamed = true
        }
        return isOrderNamed
    }
}

/// The order that was created first; of equal ones the one with the smaller id.
func earliestOrder(of positions: [Int], in file: Case) -> Order? {
    positions.map { file.orders[$0] }.min { $0.isEarlier(than: $1) }
}

extension Order {
    /// By creation, then id.
    func isEarlier(than other: Order) -> Bool {
        createdAt == other.createdAt ? id < other.id : createdAt < other.createdAt
    }
}
