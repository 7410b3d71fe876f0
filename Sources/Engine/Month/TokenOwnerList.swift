/// The account that each token belongs to, for millions of tokens: two parallel arrays, sorted by token, for binary
/// search. A token of several accounts has several neighbouring entries.
struct TokenOwnerList: Sendable {
    private var tokens: [Token] = []
    private var accounts: [Identifier] = []

    /// The owners after the last run.
    init(_ history: some MonthHistory) throws {
        var (tokens, accounts): ([Token], [Identifier]) = ([], [])
        try history.forEachTokenOwner { token, account in
            tokens.append(token)
            accounts.append(account)
        }
        (self.tokens, self.accounts) = (tokens, accounts)
    }

    /// The owners according to these current orders.
    init(_ orders: [(token: Token, account: Identifier)]) {
        for (token, account) in orders.ordered(by: { ($0.token, $0.account) < ($1.token, $1.account) })
        where tokens.last != token || accounts.last != account {
            tokens.append(token)
            accounts.append(account)
        }
    }

    /// The token's owner: unknown if no order carries it, several if orders of different accounts do.
    func owner(_ token: Token) -> TokenOwner {
        let place = tokens.partitioningIndex { $0 >= token }
        guard place < tokens.count, tokens[place] == token else { return .unknown }
        return place + 1 < tokens.count && tokens[place + 1] == token ? .several : .account(accounts[place])
    }
}
