public import Matching

/// How many current orders of each account carry a token.
public typealias TokenAccounts = [Identifier: Int]

/// The account that each token belongs to.
public struct TokenOwners: Sendable {
    /// How many current orders of each account carry each token.
    public private(set) var accounts: [Token: TokenAccounts]
    /// The tokens whose counts differ from the history's.
    private var changed: Set<Token> = []

    public init(_ accounts: [Token: TokenAccounts] = [:]) { self.accounts = accounts }

    /// The counts that tonight changes, by token.
    public var changes: [Token: TokenAccounts] { accounts.filter { changed.contains($0.key) } }

    /// The token's owner: unknown if no current order carries it, several if orders of different accounts do.
    public func owner(_ token: Token) -> TokenOwner {
        let accounts = (accounts[token] ?? [:]).filter { $0.value > 0 }
        if accounts.count > 1 { return .several }
        return accounts.first.map { .account($0.key) } ?? .unknown
    }

    /// Removes the orders that were current before tonight from the counts and adds those that are current now.
    ///
    /// - Parameters:
    ///   - versions: all versions, the stored ones first.
    ///   - stored: the stored versions.
    ///   - isRebuilt: the counts start from nothing, so stored orders are not removed.
    mutating func count(_ versions: Versions, _ stored: StoredEvidence, isRebuilt: Bool) {
        for (position, order) in versions.orders.enumerated() {
            guard let token = order.token else { continue }
            let isStored = position < stored.orders.cases.count
            let was = isStored && !isRebuilt && stored.orders.wasCurrent[position]
            let isNow = versions.orderOutcomes[position] == .current
            if was == isNow { continue }
            accounts[token, default: [:]][order.account, default: 0] += isNow ? 1 : -1
            changed.insert(token)
        }
    }
}

extension Evidence {
    /// The tokens that orders and transactions carry.
    public var tokens: Set<Token> { Set(orders.compactMap(\.token) + transactions.compactMap(\.token)) }
}

extension Versions {
    /// The token of each current order that carries one, with the order's account.
    public var tokenOrders: [(token: Token, account: Identifier)] {
        orders.indices.compactMap { position in
            guard orderOutcomes[position] == .current, let token = orders[position].token else { return nil }
            return (token, orders[position].account)
        }
    }
}
