public import Matching

/// How many orders of each account carry a token or carried it.
public typealias TokenAccounts = [Identifier: Int]

/// The account that each token belongs to.
public struct TokenOwners: Sendable {
    public private(set) var accounts: [Token: TokenAccounts]
    /// The tokens whose counts differ from the history's.
    private var changed: Set<Token> = []

    public init(_ accounts: [Token: TokenAccounts] = [:]) { self.accounts = accounts }

    /// The counts that tonight changes, by token.
    public var changes: [Token: TokenAccounts] { accounts.filter { changed.contains($0.key) } }

    /// The token's owner: unknown if no order carries it, several if orders of different accounts do.
    public func owner(_ token: Token) -> TokenOwner {
        let accounts = (accounts[token] ?? [:]).filter { $0.value > 0 }
        if accounts.count > 1 { return .several }
        return accounts.first.map { .account($0.key) } ?? .unknown
    }

    /// Adds what tonight's versions of orders claim and the stored ones alone do not.
    ///
    /// - Parameters:
    ///   - versions: all versions, the stored ones first.
    ///   - stored: the stored versions.
    ///   - isRebuilt: the counts start from nothing, so what the stored ones claim is added as well.
    mutating func count(_ versions: Versions, _ stored: StoredEvidence, isRebuilt: Bool) {
        versions.forEachTokenClaim(besides: isRebuilt ? 0 : stored.orders.cases.count) { token, account in
            accounts[token, default: [:]][account, default: 0] += 1
            changed.insert(token)
        }
    }
}

extension Evidence {
    /// The tokens that orders and transactions carry.
    public var tokens: Set<Token> { Set(orders.compactMap(\.token) + transactions.compactMap(\.token)) }
}
