/// Facts about the whole ledger that no single case shows.
public struct LedgerFacts: Hashable, Sendable {
    /// Tokens per order that more than `tokenFanOut` orders carry or once carried.
    public var crowdedTokens: Set<Token> = []
    /// The orders whose number the desk used to give the goods of a purchase that nothing else links to the order, with
    /// that purchase's transaction id.
    public var deskOrders: [Identifier: Identifier] = [:]
    /// Orders of other cases that receipts name for a purchase, although they belong to another proven purchase. See
    /// `paid_not_credited`/`crossed_order`.
    public var takenOrders: Set<Identifier> = []
    /// What the orders say about the use of tokens.
    public var tokens = TokenKnowledge.noOrders
    /// When goods were given.
    public var goods = TimeSpans()
    /// When orders were created, of any customer and status.
    public var orders = TimeSpans()
    /// What shows for which subscriptions the backend records the goods of renewals.
    public var renewals: [Identifier: Renewal] = [:]

    public init() {}

    /// Takes this evidence into account. Returns whether `tokens` changed: then owners of purchases in other cases may
    /// change as well.
    public mutating func note(_ evidence: Evidence) -> Bool {
        noteTimes(of: evidence)
        return note(hasOrders: !evidence.orders.isEmpty, hasTokens: evidence.orders.contains { $0.token != nil })
    }

    /// Takes into account when these goods were given, and these orders created.
    public mutating func noteTimes(of evidence: Evidence) {
        goods.note(evidence.goods)
        orders.note(evidence.orderTimes)
    }

    /// Takes orders into account of which this is known.
    public mutating func note(hasOrders: Bool, hasTokens: Bool) -> Bool {
        let known = tokens
        if hasOrders, tokens == .noOrders { tokens = .unused }
        if hasTokens, tokens == .unused { tokens = .inUse }
        return tokens != known
    }
}
