public import Domain

/// A fast path that recognizes the great majority of cases: one purchase, its order, its credit and at most one
/// receipt, all of which agree and are in time. What it accepts is `matched` without a flag, so nobody needs to look at
/// it again.
///
/// It accepts no case to which the rules would give another verdict or a flag; a case that it does not recognize is
/// judged by the rules. A test compares both on every random world. When a rule changes, check whether this type must
/// change with it.
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

    /// What the purchase is worth, if the case consists of exactly this evidence and is matched without a flag; else
    /// nil.
    ///
    /// - Parameter owner: the account that a token belongs to, where tokens are per account.
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

    /// A proven, priced purchase of the configured environment with nothing unusual about its record.
    private func isPlain(_ transaction: Transaction) -> Bool {
        transaction.proof >= .vouched && transaction.environment == environment && transaction.marks.isEmpty
            && transaction.$original.isAbsent(or: transaction.id) && transaction.revocation == nil
            && transaction.ownership == .purchased && !transaction.isFromReceipt && !transaction.isUpgraded
            && transaction.price != nil && transaction.$price.thousandths != 0
            && historyFrom.map { $0 <= transaction.purchasedAt } ?? true
    }

    /// The order is about the same product and quantity, and names no other transaction.
    private func agrees(_ order: Order, with transaction: Transaction) -> Bool {
        order.marks.isEmpty && order.$transaction.isAbsent(or: transaction.id) && order.status != .credited
            && order.product == transaction.product && order.quantity == transaction.quantity
    }

    /// The credit is about the same product and quantity, to the order's account, and names no other order or
    /// transaction.
    private func agrees(_ credit: Credit, with order: Order, _ transaction: Transaction) -> Bool {
        credit.marks.isEmpty && credit.kind == .credit && credit.$transaction.isAbsent(or: transaction.id)
            && credit.$order.isAbsent(or: order.id)
            && credit.account == order.account && credit.$product.isAbsent(or: transaction.product)
            && (credit.quantity.map { $0 == transaction.quantity } ?? true)
    }

    /// Order and purchase are linked by an identifier that makes an owner. So the order cannot be suggested for another
    /// purchase.
    private func isTied(_ order: Order, _ credit: Credit, _ transaction: Transaction) -> Bool {
        if order.$transaction == transaction.id { return true }
        if credit.$order == order.id, credit.$transaction == transaction.id { return true }
        return tokenUse == .order && order.token != nil && order.$token == transaction.$token
    }

    /// Credited neither late nor too early nor in another month, so that no timing flag applies.
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
