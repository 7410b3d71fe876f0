public import Domain
public import Matching

/// How many current orders of each account carry a token.
public typealias TokenAccounts = [Identifier: Int]

/// Which account each token belongs to.
public struct TokenOwners: Sendable {
    /// By token: how many current orders of each account carry it.
    public private(set) var accounts: [Token: TokenAccounts]
    /// Tokens whose accounts are no longer those of the history.
    private var changed: Set<Token> = []

    public init(_ accounts: [Token: TokenAccounts] = [:]) { self.accounts = accounts }

    /// What tonight changes.
    public var changes: [Token: TokenAccounts] { accounts.filter { changed.contains($0.key) } }

    public func owner(_ token: Token) -> TokenOwner {
        let accounts = (accounts[token] ?? [:]).filter { $0.value > 0 }
        if accounts.count > 1 { return .several }
        return accounts.first.map { .account($0.key) } ?? .unknown
    }

    /// Takes out the orders that were current before, and puts in those that are current now.
    ///
    /// - Parameters:
    ///   - stored: stands before the new versions in `versions`.
    ///   - isRebuilt: nothing was counted before.
    mutating func count(_ versions: Versions, _ stored: StoredEvidence, isRebuilt: Bool) {
        for (position, order) in versions.orders.enumerated() {
            guard let token = order.token else { continue }
            let isStored = position < stored.orderCases.count
            let was = isStored && !isRebuilt && stored.orderWasCurrent[position]
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
    /// What the current orders say of tokens.
    public var tokenOrders: [(token: Token, account: Identifier)] {
        orders.indices.compactMap { position in
            guard orderOutcomes[position] == .current, let token = orders[position].token else { return nil }
            return (token, orders[position].account)
        }
    }
}
