/// Whose a purchase is, where records disagree. See docs/spec/rules.md#withheld-entries.
extension Subject {
    /// Whether the purchase may belong to another account than its owner: an order or a receipt that counts names
    /// another one, or the purchase carries a token, and neither an order nor the token shows the owner.
    public func isDisputed(in file: Case, _ policy: Policy) -> Bool {
        guard let owner else { return false }
        let carriesToken = leading.flatMap { file.transactions[$0].token } != nil
        let tokenShows = carriesToken && policy.tokenUse == .account && policy.facts.tokens == .inUse
        let isOnRecord = tokenShows || (orders + otherOrders).contains { file.orders[$0].account == owner }
        if carriesToken, !isOnRecord { return true }
        return accounts(in: file, isOwnerOnRecord: isOnRecord).contains { $0 != owner }
    }

    /// The accounts that may be entitled to the purchase: those of its orders and of accepted receipts. Where neither an
    /// order nor a token names the owner, the accounts of all clients that claim the purchase.
    public func accounts(in file: Case, isOwnerOnRecord: Bool) -> Set<Identifier> {
        var accounts = Set((orders + otherOrders).map { file.orders[$0].account })
        let own = Set(transactions.map { file.transactions[$0].id })
        for receipt in (receipts + otherReceipts).lazy.map({ file.receipts[$0] })
        where receipt.vouchesForItsClaim || !isOwnerOnRecord {
            if receipt.transaction.map(own.contains) ?? receipt.vouchesForItsClaim { accounts.insert(receipt.account) }
        }
        return accounts
    }
}
