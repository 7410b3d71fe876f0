internal import Domain

extension Subject {
    /// To whom the goods belong, or nil where nobody knows. RULES §2 "owner".
    /// `tiedOrders`: those tied by themselves, through a credit or through a per-order token.
    func owner(in file: CaseFile, tiedOrders: [Int], policy: Policy, owner: (Token) -> TokenOwner) -> Identifier? {
        guard backing == .purchase, let leading else { return nil }
        if policy.tokenUse == .account, let token = file.transactions[leading].token,
            case .account(let account) = owner(token)
        {
            return account
        }
        if let earliest = earliestOrder(of: tiedOrders, in: file) { return earliest.account }
        let accepted = receipts.filter { file.receipts[$0].vouchesForItsClaim }.map { file.receipts[$0] }
        return accepted.min { $0.isEarlier(than: $1) }?.account
    }
}

/// The order created first, of equal ones the smaller id.
func earliestOrder(of positions: [Int], in file: CaseFile) -> Order? {
    positions.map { file.orders[$0] }.min { $0.isEarlier(than: $1) }
}

extension Order {
    func isEarlier(than other: Order) -> Bool {
        createdAt == other.createdAt ? id < other.id : createdAt < other.createdAt
    }
}

extension Receipt {
    func isEarlier(than other: Receipt) -> Bool {
        receivedAt == other.receivedAt ? keyPrecedes(other) : receivedAt < other.receivedAt
    }
}
