internal import Matching

/// Stray credits, searchable by what they may have been meant for.
struct StrayCreditIndex {
    /// By time and id.
    private let byKey: [SuggestionKey: [StrayCredit]]
    let claims: [SuggestionKey: [StrayCredit]]
    /// There are claims on payments with a token. Few shops have any, and every lost payment would ask.
    private let claimsTokens: Bool
    /// Reversals that do not count, because other rows have their ids, and unplaced ones.
    private let reversals: [SuggestionKey: [StrayCredit]]
    private let owned: [SuggestionKey: [StrayCredit]]

    init(_ credits: [StrayCredit]) {
        func index(_ credits: some Sequence<StrayCredit>) -> [SuggestionKey: [StrayCredit]] {
            credits.reduce(into: [:]) { byKey, credit in
                for key in credit.keys { byKey[key, default: []].append(credit) }
            }
        }
        let ordered = credits.ordered { ($0.givenAt, $0.id) < ($1.givenAt, $1.id) }
        byKey = index(ordered.filter { $0.kind == .credit })
        // An account can send any number of receipts. Of those that say the same, the last one counts.
        reversals = index(ordered.filter { $0.kind == .takenBack })
        owned = index(ordered.filter(\.isSingle))
        claimsTokens = ordered.contains { !$0.tokenKeys.isEmpty }
        claims = index(ordered.reversed().filter { $0.kind == .accepted || $0.kind == .notAccepted }).mapValues {
            claims in
            var seen = Set<[String]>()
            return claims.filter { seen.insert([$0.account.text, $0.order?.text ?? "", $0.kind.rawValue]).inserted }
        }
    }

    /// The number of claims on a subscription that are compared with each of its periods. A client can send any number.
    private static let claimsMax = 100

    private func claims(on target: CreditTarget) -> [StrayCredit] {
        if claims.isEmpty { return [] }
        // An order names the accounts that had it before: those of a guest who signed up.
        let former = target.orders.flatMap { claims[.order(spelling: $0)] ?? [] }.filter { $0.id == $0.order }
        let tokens = claimsTokens ? target.tokenKeys : []
        return (tokens + target.transactions.map { .transaction(spelling: $0) }).flatMap { claims[$0] ?? [] } + former
            + claimsOnSubscription(of: target).prefix(Self.claimsMax)
    }

    /// The claims since the purchase, newest first; at most one more than are compared.
    private func claimsOnSubscription(of target: CreditTarget) -> ArraySlice<StrayCredit> {
        if target.original.isEmpty { return [] }
        let newest = claims[.transaction(spelling: target.original)]?.prefix(Self.claimsMax + 1) ?? []
        return newest.prefix { $0.givenAt >= target.since }
    }

    /// The purchase with the accounts that claim it, and the orders by which they do.
    func claimed(_ target: CreditTarget) -> CreditTarget {
        var target = target
        let claims = claims(on: target)
        target.claimants.formUnion(claims.map(\.account.plainSpelling))
        target.claimedOrders.formUnion(claims.compactMap(\.order?.plainSpelling))
        return target
    }

    /// Of the accounts that claim one of the purchases by a receipt: the keys that find their goods, and the orders that
    /// they name.
    func keys(ofAccountsClaiming targets: [CreditTarget]) -> Set<SuggestionKey> {
        Set(
            targets.flatMap(claims(on:)).flatMap { claim in
                [.goods(of: claim.account)] + (claim.order.map { [.order(spelling: $0.plainSpelling)] } ?? [])
            })
    }

    /// Whether a receipt of another account was once accepted for the purchase, or for it in another spelling; or there are
    /// more claims than are looked at.
    func isDisputed(_ target: CreditTarget) -> Bool {
        claims(on: target).contains { $0.kind == .accepted && $0.account != target.owner }
            || claimsOnSubscription(of: target).dropFirst(Self.claimsMax).first != nil
    }

    /// Whether a reversal that does not count is found under one of these keys, or an unplaced one since then.
    func isTakenBack(_ keys: [SuggestionKey], since: Instant) -> Bool {
        keys.contains { reversals[$0]?.contains { !$0.isUnplaced || $0.givenAt >= since } == true }
    }

    /// Whether the owner has the goods already, or is to have them by another payment, and cannot have them twice.
    func isOwned(_ target: CreditTarget, _ lost: LostPayments = LostPayments()) -> Bool {
        target.ownedKey.flatMap { owned[$0] }?.contains { target.isOwned(by: $0, lost) } == true
    }

    /// The first credit, by time and id, that may have been meant for the purchase.
    func first(for target: CreditTarget) -> StrayCredit? {
        if byKey.isEmpty { return nil }
        let target = claimed(target)
        let found = target.keyList.compactMap { key -> StrayCredit? in
            guard let credits = byKey[key] else { return nil }
            guard case .goods = key else {
                return credits.first { target.isNamed(by: $0) || target.mayBeMeant(by: $0) }
            }
            let place = credits.partitioningIndex { $0.givenAt >= target.since }
            return credits[place...].first(where: target.mayBeMeant)
        }
        return found.min { ($0.givenAt, $0.id) < ($1.givenAt, $1.id) }
    }
}
