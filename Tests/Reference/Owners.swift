internal import Domain

/// What a run knows beyond one case.
struct Night {
    let policy: Policy
    let horizon: Horizon
    /// The accounts of the orders that carry each token.
    let accounts: [Token: Set<Identifier>]
    /// Tokens that too many orders carry to tie anything.
    let crowdedTokens: Set<Token>
    /// Some order delivered carries a token, or there is no order at all. READINGS 38.
    let tokensInUse: Bool
    /// Ids of the receipts that tie the order they name to the transaction they claim.
    var linkingReceipts: Set<String> = []
    /// Ids of the orders for which some credit stands on record.
    var givenOrders: Set<Identifier> = []

    /// - Parameters:
    ///   - orders: those that count.
    ///   - tokensInUse: of all copies.
    init(orders: [Order], tokensInUse: Bool, policy: Policy, horizon: Horizon) {
        self.tokensInUse = tokensInUse
        let carried = Dictionary(grouping: orders.compactMap(\.token)) { $0 }
        crowdedTokens = Set(carried.filter { $0.value.count > policy.tokenFanOut }.keys)
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
        horizon.coverage.hasGap(feed, from: policy.zone.date(of: anchor), through: horizon.businessDate)
    }

    func isBeforeHistory(_ instant: Instant) -> Bool {
        policy.historyFrom.map { policy.zone.date(of: instant) < $0 } ?? false
    }
}

/// "The account whose orders carry its token (tokens per account; one that orders of several accounts carry decides
/// nothing), else the account of the earliest order that itself, through a credit or through a per-order token is tied to
/// it, else that of its earliest accepted receipt, unless accepted receipts of several accounts claim it (*contested*), or
/// it carries a token (tokens are not in use where no order of the ledger carries one); else unknown."
///
/// - Parameter orders: those tied to the purchase by themselves, through a credit or through a per-order token.
func owner(of purchase: Purchase, orders: [Order], receipts: [Receipt], night: Night) -> Identifier? {
    guard purchase.record.isProven else { return nil }
    let token = night.policy.tokenUse == .none ? nil : purchase.record.token
    if night.policy.tokenUse == .account, let token {
        let accounts = night.accounts[token] ?? []
        if accounts.count == 1 { return accounts.first }
    }
    if let order = orders.min(by: { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }) { return order.account }
    let accounts = Set(receipts.filter(\.vouchesForItsClaim).map(\.account))
    if accounts.count != 1 || token != nil && night.tokensInUse { return nil }
    return accounts.first
}
