/// What the feeds put before ids of the backend, which itself knows the ids without. Each set has an element for every
/// feed with such ids, and it is empty for a feed without a prefix.
public struct FeedPrefixes: Sendable {
    public var orders: Set<String>
    public var accounts: Set<String>
    public var receipts: Set<String>

    public init(orders: Set<String> = [], accounts: Set<String> = [], receipts: Set<String> = []) {
        (self.orders, self.accounts, self.receipts) = (orders, accounts, receipts)
    }

    /// The same in plain spelling.
    var plain: FeedPrefixes {
        func plain(_ prefixes: Set<String>) -> Set<String> { Set(prefixes.map { plainSpelling(of: $0) }) }
        return FeedPrefixes(orders: plain(orders), accounts: plain(accounts), receipts: plain(receipts))
    }

    fileprivate var isUsed: Bool { !orders.union(accounts).union(receipts).isSubset(of: [""]) }
}

extension Set<String> {
    /// The ids that the backend may mean by `id`, the shortest first. The id itself where it has no prefix.
    func removed(from id: String) -> [String] {
        let own = filter { id.utf8.starts(with: $0.utf8) }.ordered(by: >)
        return own.isEmpty ? [id] : own.map { String(decoding: id.utf8.dropFirst($0.utf8.count), as: UTF8.self) }
    }

    /// The id that the backend means, where that is certain; the id itself otherwise.
    fileprivate func unambiguous(_ id: String?) -> String? { count == 1 ? id.map { removed(from: $0)[0] } : id }
}

extension RetryFacts {
    /// Names orders, account and receipt as the backend does. Where feeds have several prefixes, an order goes by each id
    /// that it may have there: one more order to check does no harm.
    mutating func removePrefixes(_ prefixes: FeedPrefixes) {
        guard prefixes.isUsed else { return }
        let orders = self.order.map(prefixes.orders.removed)
        let suggested = self.suggestedOrders.flatMap(prefixes.orders.removed) + (orders?.dropFirst() ?? [])
        self.order = orders?.first
        var seen = Set([self.order])
        let named = suggested.filter { seen.insert($0).inserted }
        if self.suggestedOrders.isEmpty, !named.isEmpty { name(named) } else { self.suggestedOrders = named }
        self.account = prefixes.accounts.unambiguous(self.account)
        self.receipt = prefixes.receipts.unambiguous(self.receipt)
    }
}
