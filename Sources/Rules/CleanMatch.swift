public import Domain

/// The case that nearly all are, recognised at once: one purchase, its order, its credit and at most one receipt, all of
/// which say the same in time. What it lets through is `matched` without a flag, and nobody's to look at again.
///
/// It only ever says less than the rules do: whatever it does not recognise is judged by them. That it never says
/// anything else is tested on every random world.
public struct CleanMatch: Sendable {
    private let environment: AppEnvironment
    private let tokenUse: TokenUse
    private let lateAfter: Milliseconds
    private let zone: Zone
    private let historyFrom: Instant?

    public init(policy: Policy) {
        environment = policy.environment
        tokenUse = policy.tokenUse
        lateAfter = policy.lateAfter
        zone = policy.zone
        historyFrom = policy.historyFrom.map { policy.zone.start(of: $0) }
    }

    /// What the purchase is worth, where all of the case's evidence is these and they settle it; else nil.
    ///
    /// - Parameter owner: whose account a token is, where tokens are per account.
    public func amount(
        _ transaction: Transaction, _ order: Order, _ credit: Credit, _ receipt: Receipt?,
        owner: (Token) -> TokenOwner
    ) -> Money? {
        guard isPlain(transaction), agrees(order, with: transaction), agrees(credit, with: order, transaction),
            isTied(order, credit, transaction), isInTime(credit, transaction),
            receipt.map({ $0.marks.isEmpty && $0.$transaction.isAbsent(or: transaction.id) }) ?? true
        else { return nil }
        if tokenUse == .account, let token = transaction.token, case .account(let account) = owner(token),
            account != credit.account
        {
            return nil
        }
        let price = transaction.$price.money
        return order.amount.map { $0 == price } ?? true ? price : nil
    }

    private func isPlain(_ transaction: Transaction) -> Bool {
        transaction.proof >= .vouched && transaction.environment == environment && transaction.marks.isEmpty
            && transaction.$original.isAbsent(or: transaction.id) && transaction.revocation == nil
            && transaction.ownership == .purchased && !transaction.isFromReceipt && !transaction.isUpgraded
            && transaction.price != nil && transaction.$price.thousandths != 0
            && historyFrom.map { $0 <= transaction.purchasedAt } ?? true
    }

    private func agrees(_ order: Order, with transaction: Transaction) -> Bool {
        order.marks.isEmpty && order.$transaction.isAbsent(or: transaction.id) && order.status != .credited
            && order.product == transaction.product && order.quantity == transaction.quantity
    }

    private func agrees(_ credit: Credit, with order: Order, _ transaction: Transaction) -> Bool {
        credit.marks.isEmpty && credit.kind == .credit && credit.$transaction.isAbsent(or: transaction.id)
            && credit.$order.isAbsent(or: order.id)
            && credit.account == order.account && credit.$product.isAbsent(or: transaction.product)
            && (credit.quantity.map { $0 == transaction.quantity } ?? true)
    }

    /// By an identifier that makes an owner, and so that no other purchase may be suggested for the order.
    private func isTied(_ order: Order, _ credit: Credit, _ transaction: Transaction) -> Bool {
        if order.$transaction == transaction.id { return true }
        if credit.$order == order.id, credit.$transaction == transaction.id { return true }
        return tokenUse == .order && order.token != nil && order.$token == transaction.$token
    }

    private func isInTime(_ credit: Credit, _ transaction: Transaction) -> Bool {
        let delay = credit.creditedAt - transaction.purchasedAt
        guard delay <= lateAfter, Milliseconds(-delay.count) <= clockSkewTolerance else { return false }
        let (bought, given) = (zone.date(of: transaction.purchasedAt), zone.date(of: credit.creditedAt))
        return bought == given || bought.month == given.month
    }
}

extension Identifier {
    fileprivate func isAbsent(or other: Identifier) -> Bool { self == .absent || self == other }
}
