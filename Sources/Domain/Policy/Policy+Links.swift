extension Policy {
    /// The account that the purchase's token belongs to. Nil unless tokens are per account and the token has one owner.
    ///
    /// - Parameter owner: the account that a token belongs to.
    public func accountOfToken(of purchase: Transaction, _ owner: (Token) -> TokenOwner) -> Identifier? {
        guard tokenUse == .account, let token = purchase.token, case .account(let account) = owner(token) else {
            return nil
        }
        return account
    }

    /// Whether the order's own row links it to the purchase: it names the purchase, or has the purchase's token, where
    /// tokens are per order.
    public func links(_ order: Order, to purchase: Transaction) -> Bool {
        if order.$transaction == purchase.id { return true }
        guard tokenUse == .order, let token = order.token else { return false }
        return token == purchase.token && !facts.crowdedTokens.contains(token)
    }
}

extension Credit {
    /// The goods can have been given for the order. A backend may use an id again: what was given more than a day before
    /// an order was created was given for an earlier one.
    public func isInTime(for order: Order) -> Bool { creditedAt + .days(1) >= order.createdAt }
}

extension Identifier {
    /// The identifier is absent, or is `other`.
    @inlinable
    public func isAbsent(or other: Identifier) -> Bool { self == .absent || self == other }
}
