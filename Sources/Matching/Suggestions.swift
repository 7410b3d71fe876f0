public import Domain

/// A purchase that nothing ties to an order, though its owner is known. RULES §2, last paragraph.
public struct UnlinkedPurchase: Hashable, Sendable {
    public var subject: SubjectKey
    public var owner: Identifier
    public var product: Identifier
    public var purchasedAt: Instant
    /// Orders that are shown with it anyway, because a receipt that was not accepted ties them.
    public var receiptLinkedOrders: [Identifier] = []

    public init(subject: SubjectKey, owner: Identifier, product: Identifier, purchasedAt: Instant) {
        self.subject = subject
        self.owner = owner
        self.product = product
        self.purchasedAt = purchasedAt
    }
}

/// An order that is tied to no purchase: one that nothing has used, or one for which goods were given by its number alone.
public struct UnlinkedOrder: Hashable, Sendable {
    public var id: Identifier
    public var account: Identifier
    public var product: Identifier
    public var createdAt: Instant
    /// When goods were last given for it; nil where none were.
    public var givenAt: Instant?
    /// The goods were given once, by the desk, to the order's account, and not taken back.
    public var isGivenByDesk = false

    public init(id: Identifier, account: Identifier, product: Identifier, createdAt: Instant) {
        self.id = id
        self.account = account
        self.product = product
        self.createdAt = createdAt
    }
}

public enum Suggestion: Hashable, Sendable {
    case order(Identifier)
    /// Goods were given for the order since the purchase: perhaps for this purchase.
    case given(Identifier)
    /// The desk gave the goods by the order's number: the credit belongs to the purchase.
    case givenByDesk(Identifier)
    /// Several orders, or several purchases for one order, would do.
    case ambiguous
}

/// The order that each loose purchase most likely belongs to: of the same owner and product, created within the
/// window before the purchase, unique both ways. Nothing for those without a candidate.
///
/// An order for which goods were given is a candidate for purchases no later than that. Only a credit of the desk's moves
/// with its order; every other suggestion is a hint to people, and a reason for a machine not to act.
public func suggestions(
    for purchases: [UnlinkedPurchase], among orders: [UnlinkedOrder], window: Milliseconds
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
        let search = OrderSearch(orders)
        let purchased = purchases.map(\.purchasedAt)
        for purchase in purchases {
            let candidates = search.candidates(for: purchase, window: window)
            guard let order = candidates.first else { continue }
            let end = order.createdAt + window
            let last = order.givenAt.map { min($0, end) } ?? end
            let rivals = purchased.positions(from: order.createdAt, through: last)
            if candidates.count > 1 || rivals.count != 1 {
                result[purchase.subject] = .ambiguous
            } else if order.givenAt == nil {
                if !purchase.receiptLinkedOrders.contains(order.id) { result[purchase.subject] = .order(order.id) }
            } else {
                result[purchase.subject] = order.isGivenByDesk ? .givenByDesk(order.id) : .given(order.id)
            }
        }
    }
    return result
}

/// Orders of one account and product, searched by time.
private struct OrderSearch {
    private let open: [UnlinkedOrder]
    private let given: [UnlinkedOrder]
    private let openCreated: [Instant]
    private let givenCreated: [Instant]

    /// `orders`: by creation.
    init(_ orders: [UnlinkedOrder]) {
        open = orders.filter { $0.givenAt == nil }
        given = orders.filter { $0.givenAt != nil }
        openCreated = open.map(\.createdAt)
        givenCreated = given.map(\.createdAt)
    }

    /// The orders that the purchase may belong to; of several, two.
    func candidates(for purchase: UnlinkedPurchase, window: Milliseconds) -> ArraySlice<UnlinkedOrder> {
        let first = purchase.purchasedAt + Milliseconds(-window.count)
        let unused = openCreated.positions(from: first, through: purchase.purchasedAt)
        var found = unused.prefix(2).map { open[$0] }
        for position in givenCreated.positions(from: first, through: purchase.purchasedAt).reversed() {
            if found.count > 1 { break }
            if given[position].givenAt! >= purchase.purchasedAt { found.append(given[position]) }
        }
        return found[...]
    }
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
    /// owner is known, and neither the backend nor an accepted receipt ties it to an order.
    public func unlinkedPurchase(in file: Case, policy: Policy) -> UnlinkedPurchase? {
        guard backing == .purchase, !isLinkedToOrder, orders.isEmpty || orders == receiptLinkedOrders, let owner,
            let leading
        else { return nil }
        let transaction = file.transactions[leading]
        guard transaction.environment == policy.environment, transaction.ownership != .familyShared else { return nil }
        var loose = UnlinkedPurchase(
            subject: key, owner: owner, product: transaction.product, purchasedAt: transaction.purchasedAt)
        loose.receiptLinkedOrders = receiptLinkedOrders.map { file.orders[$0].id }
        return loose
    }
}

extension Case {
    /// The case's orders that neither the backend nor an accepted receipt ties to a transaction.
    public func unlinkedOrders(policy: Policy) -> [UnlinkedOrder] {
        // Nearly every order is the only one of its case, and names its transaction or has a credit that does.
        if orders.count == 1, orders[0].transaction != nil || credits.first?.transaction != nil { return [] }
        let candidates = orders.filter { $0.transaction == nil }
        if candidates.isEmpty { return [] }
        var used = Set<Identifier>()
        var given = SmallMap()
        var credited: [[Credit]] = []
        for credit in credits {
            guard let order = credit.order else { continue }
            if credit.transaction != nil { used.insert(order) }
            if given[order] == nil {
                given.insert(order, credited.count)
                credited.append([])
            }
            credited[given[order]!].append(credit)
        }
        let accounts = Dictionary(orders.map { ($0.id, $0.account) }, uniquingKeysWith: { first, _ in first })
        for receipt in receipts where receipt.transaction != nil && receipt.vouchesForItsClaim {
            if let order = receipt.order, accounts[order] == receipt.account { used.insert(order) }
        }
        let tokens =
            policy.tokenUse == .order ? Set(transactions.filter { $0.proof >= .vouched }.compactMap(\.token)) : []
        return candidates.compactMap { order in
            if used.contains(order.id) { return nil }
            if let token = order.token, tokens.contains(token), !policy.facts.crowdedTokens.contains(token) {
                return nil
            }
            var unused = UnlinkedOrder(
                id: order.id, account: order.account, product: order.product, createdAt: order.createdAt)
            unused.give(given[order.id].map { credited[$0] } ?? [], order)
            return unused
        }
    }
}

extension UnlinkedOrder {
    /// `credits`: rows that name the order and no transaction, reversals among them.
    fileprivate mutating func give(_ credits: [Credit], _ order: Order) {
        givenAt = credits.filter { $0.kind == .credit }.map(\.creditedAt).max()
        if givenAt == nil, order.status == .credited { givenAt = order.impliedCreditAt }
        isGivenByDesk =
            credits.count == 1 && credits[0].kind == .credit && credits[0].origin == .desk
            && credits[0].account == account
    }
}
