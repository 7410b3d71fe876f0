/// A purchase whose owner is known, but that nothing links to an order. See docs/spec/rules.md#suggestions.
public struct UnlinkedPurchase: Hashable, Sendable {
    public var subject: SubjectKey
    /// The account that the goods belong to.
    public var owner: Identifier
    public var product: Identifier
    public var purchasedAt: Instant
    /// When Apple signed its record, which shows no refund.
    public var signedAt: Instant?
    /// Orders that are shown with it anyway, because a receipt that was not accepted links them.
    public var receiptLinkedOrders: [Identifier] = []

    public init(subject: SubjectKey, owner: Identifier, product: Identifier, purchasedAt: Instant) {
        self.subject = subject
        self.owner = owner
        self.product = product
        self.purchasedAt = purchasedAt
    }
}

/// An order that is linked to no purchase: either unused, or goods were given by its number alone.
public struct UnlinkedOrder: Hashable, Sendable {
    public var id: Identifier
    public var account: Identifier
    public var product: Identifier
    public var createdAt: Instant
    /// When goods were last given for it; nil without one.
    public var givenAt: Instant?
    /// The order says that its payment was refunded.
    public var isRefunded = false
    /// The desk gave the goods once, to the order's account, and they were not taken back.
    public var isGivenByDesk = false

    /// It tells of a refund that Apple's later record does not show.
    public func isOverruled(by purchase: UnlinkedPurchase) -> Bool {
        guard isRefunded, let signedAt = purchase.signedAt, let givenAt else { return false }
        return signedAt > givenAt
    }

    public init(id: Identifier, account: Identifier, product: Identifier, createdAt: Instant) {
        self.id = id
        self.account = account
        self.product = product
        self.createdAt = createdAt
    }
}

/// What is suggested for an unlinked purchase.
public enum Suggestion: Hashable, Sendable {
    /// The order probably belongs to the purchase.
    case order(Identifier)
    /// Goods were given for the order after the purchase, perhaps for this purchase.
    case given(Identifier)
    /// The desk gave the goods by the order's number. The credit belongs to the purchase.
    case givenByDesk(Identifier)
    /// Several orders are possible, or several purchases for one order.
    case ambiguous
}

/// The order that each unlinked purchase most likely belongs to. Purchases without a candidate are left out.
///
/// A candidate is an order of the same owner and product, created within the window before the purchase. It is
/// suggested only where it is the purchase's only candidate and no other purchase has it as a candidate; otherwise the
/// result is `ambiguous`. An order for which goods were given is a candidate only for purchases made no later than the
/// goods were given. Only a desk credit is attributed on the strength of a suggestion. Any other suggestion is a hint
/// for people and a reason for a machine not to act.
///
/// Orders and purchases are grouped by account and product and sorted by time, so that each candidate search is a
/// binary search, even for an account that buys the same thing all day.
///
/// - Parameter window: the longest time from an order to its purchase.
public func suggestions(
    for purchases: [UnlinkedPurchase], among orders: [UnlinkedOrder], window: Milliseconds
) -> [SubjectKey: Suggestion] {
    struct Group: Hashable {
        var owner: Identifier
        var product: Identifier
    }
    // Sorted by time for the binary searches.
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
        for purchase in purchases {
            let candidates = search.candidates(for: purchase, window: window)
            guard let order = candidates.first else { continue }
            // Other purchases compete for the order from its creation until the window ends or goods were given.
            let end = order.createdAt + window
            let last = order.givenAt.map { min($0, end) } ?? end
            let rivals = purchases.positions(from: order.createdAt, through: last, by: \.purchasedAt)
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

/// The unlinked orders of one account and product, searched by time.
private struct OrderSearch {
    /// Orders for which no goods were given, by creation.
    private let open: [UnlinkedOrder]
    /// Orders for which goods were given, by creation.
    private let given: [UnlinkedOrder]

    /// - Parameter orders: by creation.
    init(_ orders: [UnlinkedOrder]) {
        open = orders.filter { $0.givenAt == nil }
        given = orders.filter { $0.givenAt != nil }
    }

    /// The orders that the purchase may belong to; at most two, since two already make it ambiguous.
    func candidates(for purchase: UnlinkedPurchase, window: Milliseconds) -> [UnlinkedOrder] {
        let (first, last) = (purchase.purchasedAt + Milliseconds(-window.count), purchase.purchasedAt)
        var found = Array(open[open.positions(from: first, through: last, by: \.createdAt)].prefix(2))
        for order in given[given.positions(from: first, through: last, by: \.createdAt)].reversed() {
            if found.count > 1 { break }
            if order.givenAt! >= purchase.purchasedAt, !order.isOverruled(by: purchase) { found.append(order) }
        }
        return found
    }
}

extension Array {
    /// The indices of the elements from `first` to `last`, both included. The array is sorted by that time.
    fileprivate func positions(from first: Instant, through last: Instant, by time: (Element) -> Instant) -> Range<Int>
    {
        let start = partitioningIndex { time($0) >= first }
        return start..<Swift.max(start, partitioningIndex { time($0) > last })
    }
}

extension Subject {
    /// The subject as an unlinked purchase. Nil unless it is proven, of the configured environment, not family-shared
    /// and of a known owner, and neither the backend nor an accepted receipt links it to an order.
    public func unlinkedPurchase(in file: Case, policy: Policy) -> UnlinkedPurchase? {
        guard backing == .purchase, !isLinkedToOrder, orders.isEmpty || orders == receiptLinkedOrders, let owner,
            let leading
        else { return nil }
        let transaction = file.transactions[leading]
        guard transaction.environment == policy.environment, transaction.ownership != .familyShared else { return nil }
        var unlinked = UnlinkedPurchase(
            subject: key, owner: owner, product: transaction.product, purchasedAt: transaction.purchasedAt)
        if transaction.proof == .verified, transaction.revocation == nil { unlinked.signedAt = transaction.signedAt }
        unlinked.receiptLinkedOrders = receiptLinkedOrders.map { file.orders[$0].id }
        return unlinked
    }
}

extension Case {
    /// The case's orders that are linked to no purchase.
    public func unlinkedOrders(policy: Policy) -> [UnlinkedOrder] {
        // Nearly every order is the only one of its case, and names its transaction or has a credit that does.
        if orders.count == 1, orders[0].transaction != nil || credits.first?.uses(orders[0]) == true { return [] }
        let candidates = orders.filter { $0.transaction == nil }
        if candidates.isEmpty { return [] }
        var used = Set<Identifier>()
        let given = NamedPositions(credits, by: \.order)
        let accounts = Dictionary(orders.map { ($0.id, $0.account) }, uniquingKeysWith: { first, _ in first })
        for receipt in receipts where receipt.transaction != nil && receipt.vouchesForItsClaim {
            if let order = receipt.order, accounts[order] == receipt.account { used.insert(order) }
        }
        let tokens =
            policy.tokenUse == .order ? Set(transactions.filter { $0.proof >= .vouched }.compactMap(\.token)) : []
        return candidates.compactMap { order in
            let given = given[order.id].map { credits[$0] }
            if used.contains(order.id) || given.contains(where: { $0.uses(order) }) { return nil }
            if let token = order.token, tokens.contains(token), !policy.facts.crowdedTokens.contains(token) {
                return nil
            }
            var unused = UnlinkedOrder(
                id: order.id, account: order.account, product: order.product, createdAt: order.createdAt)
            unused.give(given.filter { $0.isInTime(for: order) }, order, in: policy.zone)
            return unused
        }
    }
}

extension Credit {
    /// It links the order, which is its own, to a payment.
    fileprivate func uses(_ order: Order) -> Bool { transaction != nil && isInTime(for: order) }
}

extension UnlinkedOrder {
    /// Records the goods that were given for the order.
    ///
    /// - Parameter credits: rows that name the order and no transaction, including reversals.
    fileprivate mutating func give(_ credits: [Credit], _ order: Order, in zone: Zone) {
        givenAt = credits.filter { $0.kind == .credit }.map(\.creditedAt).max()
        if givenAt == nil, order.status == .credited { givenAt = order.impliedCreditAt }
        // It may have been served before its refund.
        isRefunded = order.status == .refunded
        if givenAt == nil, isRefunded { givenAt = zone.end(of: order.source.fileDate) }
        isGivenByDesk =
            credits.count == 1 && credits[0].kind == .credit && credits[0].origin == .desk
            && credits[0].account == account
    }
}
