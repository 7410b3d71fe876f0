internal import Domain

/// What a run knows beyond one case.
struct Night {
    let policy: Policy
    let horizon: Horizon
    /// The accounts of the orders that carry each token.
    let accounts: [Token: Set<Identifier>]

    init(orders: [Order], policy: Policy, horizon: Horizon) {
        self.policy = policy
        self.horizon = horizon
        var accounts: [Token: Set<Identifier>] = [:]
        for order in orders {
            if let token = order.token { accounts[token, default: []].insert(order.account) }
        }
        self.accounts = accounts
    }

    /// "A grace has passed when anchor + grace ≤ horizon."
    func hasPassed(_ grace: Milliseconds, since anchor: Instant) -> Bool { anchor + grace <= horizon.instant }

    /// Whether a day from the instant's date to the run's is missing in that feed.
    func isBlind(_ feed: FeedKind, since anchor: Instant) -> Bool {
        horizon.coverage.hasHole(feed, from: policy.zone.date(of: anchor), through: horizon.businessDate)
    }

    func isBeforeHistory(_ instant: Instant) -> Bool {
        policy.historyFrom.map { policy.zone.date(of: instant) < $0 } ?? false
    }
}

/// "The account whose orders carry its token (tokens per account; a token that no order carries, or that orders of
/// several accounts carry, decides nothing), else the account of the earliest order that is tied to it, else that of
/// its earliest accepted receipt, else unknown."
///
/// - Parameter orders: those tied to the purchase by themselves, through a credit or through a per-order token.
func owner(of purchase: Purchase, orders: [Order], receipts: [Receipt], night: Night) -> Identifier? {
    guard purchase.record.isProven else { return nil }
    if night.policy.tokenUse == .account, let token = purchase.record.token {
        let accounts = night.accounts[token] ?? []
        if accounts.count == 1 { return accounts.first }
    }
    if let order = orders.min(by: { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }) { return order.account }
    return receipts.filter(\.vouchesForItsClaim)
        .min { ($0.receivedAt, Identifier($0.id)) < ($1.receivedAt, Identifier($1.id)) }?.account
}
