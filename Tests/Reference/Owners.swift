internal import Domain

/// What a run knows beyond one case.
struct Night {
    let policy: Policy
    let horizon: Horizon
    /// The accounts of the orders that carry each token, in any version.
    let accounts: [Token: Set<Identifier>]
    /// Tokens that too many orders carry, so that they link nothing.
    let crowdedTokens: Set<Token>
    /// The orders that carry each token, in any version.
    let carriers: [Token: Set<Identifier>]
    /// The first business date, or an earlier one: that of the oldest version of a credit, or of an order that says `credited`,
    /// from which no 14 days without any follow. Nil with `historyFrom`, or before any goods or files.
    var recordsFrom: BusinessDate?
    /// Any goods are on record.
    var hasGoods: Bool { oldestGoods != nil }
    /// When the oldest goods on record were given.
    var oldestGoods: Instant?
    /// When the versions of all orders were created, in order.
    var ordered: [Instant] = []
    /// Some order carries a token, or there is no order at all. READINGS 38.
    let tokensInUse: Bool
    /// Some order carries a token, in any version.
    var orderTokens: Bool { !carriers.isEmpty }
    /// Ids of the receipts that link the order they name to the transaction they claim.
    var linkingReceipts: Set<String> = []
    /// The proven versions of each transaction about which they disagree.
    var versions: [Identifier: [Transaction]] = [:]
    /// The transactions of cases in which proven records disagree.
    var disputed: Set<Identifier> = []
    /// Ids of the orders with a credit on record.
    var givenOrders: Set<Identifier> = []
    /// The proven purchases that each order belongs to, each by all its ids.
    var holders: [Identifier: [Set<Identifier>]] = [:]

    /// - Parameters:
    ///   - orders: all versions.
    init(orders: [Order], tokensInUse: Bool, policy: Policy, horizon: Horizon) {
        self.tokensInUse = tokensInUse
        self.policy = policy
        self.horizon = horizon
        var accounts: [Token: Set<Identifier>] = [:]
        var carriers: [Token: Set<Identifier>] = [:]
        for order in orders {
            guard let token = order.token else { continue }
            accounts[token, default: []].insert(order.account)
            carriers[token, default: []].insert(order.id)
        }
        self.accounts = accounts
        self.carriers = carriers
        crowdedTokens = Set(carriers.filter { $0.value.count > policy.tokenFanOut }.keys)
    }

    /// A grace has passed if anchor + grace ≤ horizon.
    func hasPassed(_ grace: Milliseconds, since anchor: Instant) -> Bool { anchor + grace <= horizon.instant }

    /// Whether the feed has a coverage gap on a day from the instant's date to the run's.
    func isBlind(_ feed: FeedKind, since anchor: Instant) -> Bool {
        horizon.coverage.hasGap(feed, from: policy.zone.date(of: anchor), through: horizon.businessDate)
    }

    func isBeforeHistory(_ instant: Instant) -> Bool {
        policy.historyFrom.map { policy.zone.date(of: instant) < $0 } ?? false
    }
}

/// The owner of a purchase. The first that applies:
///
/// 1. The account whose orders carry its token, where tokens are per account. A token that orders of several accounts
///    carry decides nothing, and then only an order that carries it, and did not fail, does.
/// 2. The account of an order that is linked to it by itself, through a credit or through a per-order token: those with the
///    purchase's token come first, failed and cancelled ones last, then the earliest decides. Where the purchase and some
///    order carry tokens: one with another token does not count but, with tokens per order, for a renewal, one without only if it was accepted, and
///    neither where an order of another account in the case has that token. For a renewal not even one with the token counts
///    where, with tokens per order, such an order is another payment's.
/// 3. The account of its earliest accepted receipt, unless accepted receipts of several accounts claim the purchase
///    (*contested*), or the purchase carries a token while tokens are in use (some order of the ledger carries one).
/// 4. Unknown.
///
/// - Parameter orders: the orders linked to the purchase by themselves, through a credit or through a per-order token.
func owner(of purchase: Purchase, orders: [Order], in file: Case, receipts: [Receipt], night: Night) -> Identifier? {
    guard purchase.record.isProven else { return nil }
    let token = night.policy.tokenUse == .none ? nil : purchase.record.token
    let linked = orders
    var orders = orders
    if let token {
        let accounts = night.policy.tokenUse == .account ? night.accounts[token] ?? [] : []
        if accounts.count == 1 { return accounts.first }
        if night.orderTokens {
            orders.removeAll { order in
                let isOwn = order.token == token
                let carriers = file.orders.filter { $0.token == token && $0.account != order.account }
                // "Nor does any for a renewal where such an order is another payment's."
                if isOwn, night.policy.tokenUse == .order, purchase.record.isLaterPeriod(in: night.policy) {
                    return order.status == .failed || order.status == .cancelled
                        || carriers.contains { other in !linked.contains { $0.id == other.id } }
                }
                if accounts.count > 1 { return !isOwn || order.status == .failed || order.status == .cancelled }
                let isOther =
                    order.token != nil
                    && !(night.policy.tokenUse == .order && purchase.record.isLaterPeriod(in: night.policy))
                return !isOwn && (isOther || !carriers.isEmpty || order.status != .paid && order.status != .credited)
            }
        }
    }
    let carrying = orders.filter { token != nil && $0.token == token }
    let candidates = carrying.isEmpty ? orders : carrying
    let alive = candidates.filter { $0.status != .failed && $0.status != .cancelled }
    let left = alive.isEmpty ? candidates : alive
    if let order = left.min(by: { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }) { return order.account }
    let accounts = Set(receipts.filter(\.vouchesForItsClaim).map(\.account))
    if accounts.count != 1 || token != nil && night.tokensInUse { return nil }
    return accounts.first
}
