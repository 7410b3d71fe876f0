/// What is true of the whole ledger and can be seen in no case alone.
public struct LedgerFacts: Hashable, Sendable {
    /// Tokens per order that more than `tokenFanOut` orders carry, or once did.
    public var crowdedTokens: Set<Token> = []
    /// Orders by whose number the desk gave the goods of a purchase that nothing else ties to them, with the purchase's
    /// transaction.
    public var deskOrders: [Identifier: Identifier] = [:]
    /// What orders tell of tokens.
    public var tokens = TokenKnowledge.noOrders

    public init() {}

    /// Takes in what these orders tell. Returns whether purchases of other cases may belong to others from now on.
    public mutating func note(_ orders: [Order]) -> Bool {
        let known = tokens
        if !orders.isEmpty, tokens == .noOrders { tokens = .unused }
        if tokens == .unused, orders.contains(where: { $0.token != nil }) { tokens = .inUse }
        return tokens != known
    }
}
