extension Subject {
    /// The account that the goods belong to; nil if unknown or contested. See docs/spec/rules.md#owner.
    ///
    /// - Parameter linkedOrders: positions of the orders with an authoritative link: by themselves, by a credit or by a
    ///   per-order token.
    func owner(in file: Case, linkedOrders: [Int], policy: Policy, owner: (Token) -> TokenOwner) -> Identifier? {
        guard backing == .purchase, let leading else { return nil }
        let token = policy.tokenUse == .none ? nil : file.transactions[leading].token
        if let account = policy.accountOfToken(of: file.transactions[leading], owner) { return account }
        let isDoubtful = policy.tokenUse == .account && token.map(owner) == .several
        let isLaterPeriod = file.transactions[leading].isLaterPeriod(in: policy)
        func isAnothers(_ order: Order, besides linked: [Int] = []) -> Bool {
            file.orders.indices.contains { position in
                let other = file.orders[position]
                return other.token == token && other.account != order.account && !linked.contains(position)
            }
        }
        let orders =
            token == nil || policy.facts.tokens != .inUse
            ? linkedOrders
            : linkedOrders.filter { position in
                let order = file.orders[position]
                // The order may only note what its client claimed, unless the backend accepted it. A later period has the token of
                // the first order, which must not be another account's, even if this order has the token, too.
                if order.token == token {
                    return isLaterPeriod && policy.tokenUse == .order
                        ? !order.isRefused && !isAnothers(order, besides: linkedOrders)
                        : !isDoubtful || !order.isRefused
                }
                let isOfFirst = isLaterPeriod && policy.tokenUse == .order
                return !isDoubtful && order.isAccepted && (order.token == nil || isOfFirst) && !isAnothers(order)
            }
        if let order = owningOrder(among: orders, token: token, in: file) { return order.account }
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

/// Of orders linked to a purchase, the one that shows its owner: one with the purchase's token, else one that did not fail,
/// else any. Of several, it is the one that was created first; of equal ones the one with the smaller id.
private func owningOrder(among positions: [Int], token: Token?, in file: Case) -> Order? {
    func rank(_ order: Order) -> Int {
        (token != nil && order.token == token ? 0 : 2) + (order.isRefused ? 1 : 0)
    }
    if positions.count < 2 { return positions.first.map { file.orders[$0] } }
    return positions.map { file.orders[$0] }.min { left, right in
        rank(left) == rank(right) ? left.isEarlier(than: right) : rank(left) < rank(right)
    }
}

extension Order {
    fileprivate var isRefused: Bool { status == .failed || status == .cancelled }
    fileprivate var isAccepted: Bool { status == .paid || status == .credited }

    /// By creation, then id.
    func isEarlier(than other: Order) -> Bool {
        createdAt == other.createdAt ? id < other.id : createdAt < other.createdAt
    }
}
