internal import Domain

/// Which account each token belongs to, for millions of tokens: two sorted arrays, searched by halving.
struct TokenOwnerList: Sendable {
    private var tokens: [Token] = []
    private var accounts: [Identifier] = []

    /// The owners as the last run left them.
    init(_ history: some MonthHistory) throws {
        var (tokens, accounts): ([Token], [Identifier]) = ([], [])
        try history.forEachTokenOwner { token, account in
            tokens.append(token)
            accounts.append(account)
        }
        (self.tokens, self.accounts) = (tokens, accounts)
    }

    /// Of the current orders given.
    init(_ orders: [(token: Token, account: Identifier)]) {
        for (token, account) in orders.sorted(by: { ($0.token, $0.account) < ($1.token, $1.account) })
        where tokens.last != token || accounts.last != account {
            tokens.append(token)
            accounts.append(account)
        }
    }

    func owner(_ token: Token) -> TokenOwner {
        var low = 0
        var high = tokens.count
        while low < high {
            let middle = (low + high) / 2
            if tokens[middle] < token { low = middle + 1 } else { high = middle }
        }
        guard low < tokens.count, tokens[low] == token else { return .unknown }
        return low + 1 < tokens.count && tokens[low + 1] == token ? .several : .account(accounts[low])
    }
}
