public import Domain

/// A purchase that nothing ties to an order, though its owner is known. RULES §2, last paragraph.
public struct LoosePurchase: Hashable, Sendable {
    public var subject: SubjectKey
    public var owner: Identifier
    public var product: Identifier
    public var purchasedAt: Instant

    public init(subject: SubjectKey, owner: Identifier, product: Identifier, purchasedAt: Instant) {
        self.subject = subject
        self.owner = owner
        self.product = product
        self.purchasedAt = purchasedAt
    }
}

/// An order that nothing has used: no purchase, no credit, no transaction of its own.
public struct UnusedOrder: Hashable, Sendable {
    public var id: Identifier
    public var account: Identifier
    public var product: Identifier
    public var createdAt: Instant

    public init(id: Identifier, account: Identifier, product: Identifier, createdAt: Instant) {
        self.id = id
        self.account = account
        self.product = product
        self.createdAt = createdAt
    }
}

public enum Suggestion: Hashable, Sendable {
    case order(Identifier)
    /// Several orders, or several purchases for one order, would do.
    case ambiguous
}

/// The order that each loose purchase most likely belongs to: of the same owner and product, created within the
/// window before the purchase, unique both ways. Nothing for those without a candidate. It never moves money.
public func suggestions(
    for purchases: [LoosePurchase], among orders: [UnusedOrder], window: Milliseconds
) -> [SubjectKey: Suggestion] {
    struct Group: Hashable {
        var owner: Identifier
        var product: Identifier
    }
    // By time, so that an account that buys the same thing all day costs a search a purchase.
    let ordersByGroup = Dictionary(grouping: orders.sorted { $0.createdAt < $1.createdAt }) {
        Group(owner: $0.account, product: $0.product)
    }
    let purchasesByGroup = Dictionary(grouping: purchases.sorted { $0.purchasedAt < $1.purchasedAt }) {
        Group(owner: $0.owner, product: $0.product)
    }
    var result: [SubjectKey: Suggestion] = [:]
    for (group, purchases) in purchasesByGroup {
        guard let orders = ordersByGroup[group] else { continue }
        let created = orders.map(\.createdAt)
        let purchased = purchases.map(\.purchasedAt)
        for purchase in purchases {
            let candidates = created.positions(
                from: purchase.purchasedAt + Milliseconds(-window.count), through: purchase.purchasedAt)
            guard let order = candidates.first.map({ orders[$0] }) else { continue }
            let rivals = purchased.positions(from: order.createdAt, through: order.createdAt + window)
            let isUnique = candidates.count == 1 && rivals.count == 1
            result[purchase.subject] = isUnique ? .order(order.id) : .ambiguous
        }
    }
    return result
}

extension [Instant] {
    /// Where the ascending array has instants of that span, both ends included.
    fileprivate func positions(from first: Instant, through last: Instant) -> Range<Int> {
        let start = partitioningIndex { $0 >= first }
        return start..<Swift.max(start, partitioningIndex { $0 > last })
    }
}

extension Subject {
    /// The subject as a loose purchase, or nil where it is none: it is proven, of this environment, no family's, its
    /// owner is known, and nothing ties it to an order.
    public func loosePurchase(in file: CaseFile, policy: Policy) -> LoosePurchase? {
        guard backing == .purchase, orders.isEmpty, !isTiedToOrder, let owner, let leading else { return nil }
        let transaction = file.transactions[leading]
        guard transaction.environment == policy.environment, transaction.ownership != .familyShared else { return nil }
        return LoosePurchase(
            subject: key, owner: owner, product: transaction.product, purchasedAt: transaction.purchasedAt)
    }
}

extension CaseFile {
    /// The case's orders that nothing has used: no transaction is tied to them, and no credit names them.
    public func unusedOrders(policy: Policy) -> [UnusedOrder] {
        // Nearly every order is the only one of its case, and its credit names it.
        if orders.count == 1, credits.first?.order == orders[0].id { return [] }
        let candidates = orders.filter { $0.transaction == nil && $0.status != .credited }
        if candidates.isEmpty { return [] }
        var used = Set(credits.compactMap(\.order))
        for receipt in receipts where receipt.transaction != nil { receipt.order.map { _ = used.insert($0) } }
        let tokens = policy.tokenUse == .order ? Set(transactions.compactMap(\.token)) : []
        return candidates.compactMap { order in
            if used.contains(order.id) || order.token.map(tokens.contains) == true { return nil }
            return UnusedOrder(
                id: order.id, account: order.account, product: order.product, createdAt: order.createdAt)
        }
    }
}
