internal import Matching

/// What a stray credit may have been meant for: a purchase that looks uncredited.
struct CreditTarget {
    var owner: Identifier?
    var product: Identifier?
    /// The plain spellings of the ids of its orders.
    var orders: Set<String>
    /// The plain spellings of the ids of its transactions.
    var transactions: Set<String>
    /// The earliest time at which its goods can have been given: the start of the day before the purchase, because
    /// clocks differ and a backend may give the goods on credit.
    var since: Instant
    /// The plain spelling of the original id of its subscription, or of what it restores. Backends may record goods of
    /// every period under it. Empty without one.
    var original = ""
    /// The plain spellings of orders by which receipts claim the purchase. Goods given for them since then may be those of
    /// this one.
    var claimedOrders: Set<String> = []
    /// The plain spellings of other accounts that claim the purchase by a receipt. Goods of theirs that no payment
    /// accounts for may be those of this one.
    var claimants: Set<String>
    /// The purchase is of a Non-Consumable, by Apple's record or the product list.
    var isLifetime: Bool
    /// When it was paid for: of several payments for a Non-Consumable, the first one gets the goods.
    var paidAt = Instant(milliseconds: .min)
    /// The tokens of the purchase and of its orders. A person may write one in place of the account.
    var tokens: Set<String> = []

    /// Ids and accounts may be in any spelling.
    ///
    /// - Parameters:
    ///   - accounts: all that the purchase's records name.
    ///   - claimants: words of rejected receipts that claim it, by its ids and from when on.
    init(
        owner: Identifier?, product: Identifier? = nil, orders: [String], transactions: [String], original: String?,
        accounts: [String], since: Instant, isLifetime: Bool = false,
        claimants words: (Set<String>, Instant) -> Set<String> = { _, _ in [] }
    ) {
        func plain(_ texts: [String]) -> Set<String> { Set(texts.map { plainSpelling(of: $0) }).subtracting([""]) }
        (self.owner, self.product, self.since, self.isLifetime) = (owner, product, since, isLifetime)
        (self.orders, self.transactions, claimants) = (plain(orders), plain(transactions), plain(accounts))
        if let named = original.map({ plainSpelling(of: $0) }), !self.transactions.contains(named) {
            self.original = named
        }
        claimedOrders = words(claimableIDs, since)
        claimants.formUnion(claimedOrders)
    }

    /// The keys that find the cases of stray credits which may have been meant for it.
    var keys: Set<SuggestionKey> { Set(keyList + tokenKeys) }

    /// The same, some of them more than once: every lost payment asks, and a set takes longer than the search.
    fileprivate var keyList: [SuggestionKey] {
        let (payment, own) = (transactions.filter(\.isIdentifying), orders.filter(\.isIdentifying))
        let named = rounding(orders) + claimedOrders + compact(orders) + payment
        let goods = rounding(accounts) + spellings + payment + own
        return named.map { .order(spelling: $0) }
            + (rounding(claimableIDs) + own).map { .transaction(spelling: $0) }
            + goods.map { .goods(account: Identifier($0), product: .absent) } + [ownedKey].compactMap(\.self)
    }

    /// The keys of the accounts to which an order with one of its tokens changed.
    fileprivate var tokenKeys: [SuggestionKey] { tokens.map { .transaction(spelling: $0) } }

    /// The key of the same goods, if the owner cannot have them twice.
    fileprivate var ownedKey: SuggestionKey? { owner.flatMap { owner in product.map { .owned($0, by: owner) } } }

    /// The ids by which a receipt may claim it.
    var claimableIDs: Set<String> { original.isEmpty ? transactions : transactions.union([original]) }

    /// The plain spellings of the accounts that may have the goods.
    var accounts: Set<String> { owner.map { claimants.union([$0.plainSpelling]) } ?? claimants }

    /// The same, as a person may write them: without blanks and signs, or by a token.
    var spelledAccounts: Set<String> { accounts.union(spellings) }

    /// What else a person may write for the accounts: without blanks and signs, the only number in each, and their tokens.
    var spellings: [String] { compact(accounts) + tokens.map(\.compact) }

    /// What else a person may write for the orders: without blanks and signs, and the only number in each.
    var compactOrders: [String] { compact(orders) }

    private func compact(_ ids: Set<String>) -> [String] {
        ids.flatMap { id in [id.compact, id.onlyNumber].compactMap { $0 == id ? nil : $0 } }.filter(\.isIdentifying)
    }

    /// The credit names one of the purchase's orders or transactions, or its subscription in time.
    func isNamed(by credit: StrayCredit) -> Bool { namesItself(credit) || isInTime(credit) }

    /// The credit names one of the purchase's orders or transactions.
    func namesItself(_ credit: StrayCredit) -> Bool {
        credit.order.map { orders.contains($0.plainSpelling) || isClaimed($0, at: credit.givenAt) } == true
            || credit.transaction.map { transactions.contains(looseSpelling(of: $0.text)) } == true
    }

    private func isClaimed(_ order: Identifier, at instant: Instant) -> Bool {
        instant >= since && claimedOrders.contains(order.plainSpelling)
    }

    /// The credit or claim names the original, and is of the time in which goods of this purchase can have been given.
    func isInTime(_ credit: StrayCredit) -> Bool {
        !original.isEmpty && credit.givenAt >= since
            && [credit.transaction, credit.original].contains { $0.map { looseSpelling(of: $0.text) } == original }
    }

    /// The owner has the goods already, or is to have them by another payment, and cannot have them twice. Of several lost
    /// payments, that one gets them for which they may be out, else the earliest that is not waived.
    func isOwned(by goods: StrayCredit, _ lost: LostPayments) -> Bool {
        guard goods.isSingle, let ownedKey, goods.keys == [ownedKey] else { return false }
        guard let payment = goods.transaction else { return isLifetime }
        let id = looseSpelling(of: payment.text)
        if transactions.contains(id) { return false }
        if goods.kind == .owned || lost.given.contains(id) { return true }
        return !lost.waived.contains(id) && lost.given.isDisjoint(with: transactions)
            && (goods.givenAt, id) < (paidAt, transactions.min() ?? "")
    }

    /// The owner has these goods, or a number that a spreadsheet rounded stands for the owner or the purchase; and no payment
    /// accounts for them.
    func mayBeMeant(by credit: StrayCredit) -> Bool {
        guard credit.isUnplaced, credit.givenAt >= since else { return false }
        return accounts.contains(credit.account.plainSpelling)
            || credit.isAlone && (isRounded(in: credit) || isWrapped(in: credit) || isExchanged(in: credit))
    }

    /// A person wrote the payment or an order into another cell. In a row of the desk whose own account is unknown, the customer's
    /// account may stand anywhere, too. Where a machine names an account in another cell, the goods are a reward for that friend. The
    /// desk may number its rows by the order.
    private func isExchanged(in credit: StrayCredit) -> Bool {
        let (payment, own) = (transactions.filter(\.isIdentifying), orders.filter(\.isIdentifying))
        let accounts = credit.isByDesk ? spelledAccounts.filter(\.isIdentifying) : []
        return credit.order.map { !$0.meantOrders.union([$0.plainSpelling]).isDisjoint(with: payment) } == true
            || credit.transaction.map { !$0.meantAccounts.isDisjoint(with: own) } == true
            || !credit.isAccountKnown && !credit.meantIDs.isDisjoint(with: payment.union(own).union(accounts))
            || !credit.deskParts.isDisjoint(with: payment.union(own).union(compactOrders))
    }

    /// A person wrote letters or signs around the account or the order or inside it, or the token for the account.
    private func isWrapped(in credit: StrayCredit) -> Bool {
        !credit.isAccountKnown && !credit.account.meantAccounts.isDisjoint(with: spelledAccounts)
            || credit.order.map { !$0.meantOrders.isDisjoint(with: orders.union(compactOrders)) } == true
    }

    private func isRounded(in credit: StrayCredit) -> Bool {
        rounding(accounts).contains(credit.account.plainSpelling)
            || credit.order.map { rounding(orders).contains($0.plainSpelling) } == true
            || credit.transaction.map { rounding(claimableIDs).contains(looseSpelling(of: $0.text)) } == true
    }

    /// These ids, and what a spreadsheet leaves of those that are numbers: 15 digits, and zeros for the rest.
    private func rounding(_ ids: Set<String>) -> [String] {
        ids
            + ids.lazy.filter { $0.utf8.count > 15 && $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }.map {
                $0.prefix(15) + String(repeating: "0", count: $0.utf8.count - 15)
            }
    }
}

extension Policy {
    /// The start of the day before an instant. What is dated earlier cannot be meant for a purchase made then.
    func startOfDayBefore(_ instant: Instant) -> Instant { zone.start(of: zone.date(of: instant).advanced(by: -1)) }
}

/// What became of payments that lack their goods on record, by the spelling in which rows may name their transactions.
struct LostPayments {
    /// The desk recorded that it gave the goods, or a machine was asked to and did not refuse.
    private(set) var given: Set<String> = []
    private(set) var waived: Set<String> = []

    mutating func add(given transaction: String) { given.insert(looseSpelling(of: transaction)) }
    mutating func add(waived transaction: String) { waived.insert(looseSpelling(of: transaction)) }
}

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

extension StrayCredit {
    /// Goods of a Non-Consumable. Nil for others: an account may have them any number of times, or shares them with its family.
    init?(owned credit: Credit, by purchase: Transaction, _ policy: Policy) {
        guard purchase.isSingle(policy), credit.product ?? purchase.product == purchase.product else { return nil }
        self.init(credit, isUnplaced: false)
        (kind, transaction, product) = (.owned, purchase.id, purchase.product)
    }

    /// A Non-Consumable that this account paid for then and lacks.
    fileprivate init?(lackedBy owner: Identifier, since instant: Instant, _ purchase: Transaction, _ policy: Policy) {
        guard purchase.isSingle(policy) else { return nil }
        self.init(
            id: purchase.id, account: owner, transaction: purchase.id, givenAt: instant, isUnplaced: false,
            kind: .lacked, product: purchase.product)
    }

    /// Goods that the account has, or is to have, and cannot have twice.
    var isSingle: Bool { kind == .owned || kind == .lacked }
}

extension StrayCredit {
    /// A Non-Consumable that names no payment. Where the product list does not know the product, Apple's record of another
    /// purchase may call it so.
    fileprivate init?(gift credit: Credit, _ policy: Policy) {
        guard credit.transaction == nil, let product = credit.product,
            policy.products.type(of: product) ?? .nonConsumable == .nonConsumable
        else { return nil }
        self.init(credit, isUnplaced: false)
        (kind, self.product) = (.owned, product)
    }
}

extension StrayCredit {
    /// The ids that a person may have meant who wrote its account; of a row of the desk, any of its cells, the credit's id as it is.
    var meantIDs: Set<String> {
        (isByDesk ? [account, order, transaction] : [account]).compactMap(\.self)
            .reduce(into: isByDesk ? [id.plainSpelling] : []) { $0.formUnion($1.meantAccounts) }
    }

    /// The parts of its id and its order, of a row of the desk.
    var deskParts: Set<String> {
        isByDesk ? [id, order].compactMap(\.self).reduce(into: []) { $0.formUnion($1.meantAccounts) } : []
    }

    /// Its account may stand for another one that a person meant.
    var hasWrappedAccount: Bool { isUnplaced && isAlone && kind == .credit }
}

extension [StrayCredit] {
    /// The same, where these accounts are on other records.
    func noting(_ known: Set<Identifier>) -> [StrayCredit] {
        if known.isEmpty { return self }
        return map { credit in
            var credit = credit
            credit.isAccountKnown = credit.isAccountKnown || known.contains(credit.account)
            return credit
        }
    }
}

extension Transaction {
    /// A Non-Consumable of this environment, which the account does not share with its family.
    fileprivate func isSingle(_ policy: Policy) -> Bool {
        policy.products.type(of: self) == .nonConsumable && ownership != .familyShared
            && environment == policy.environment
    }

    /// Apple's record or the product list calls it a Non-Consumable.
    func isLifetime(_ policy: Policy) -> Bool {
        [policy.products.type(of: self), policy.products.type(of: product)].contains(.nonConsumable)
    }
}

extension Case {
    /// The goods of the subject that its account paid for, or was given without a payment, and cannot have twice.
    func ownedGoods(of subject: Subject, _ judgement: Judgement, by policy: Policy) -> [StrayCredit] {
        if subject.transactions.isEmpty, subject.backing != .purchase {
            return subject.creditsLeft.compactMap { StrayCredit(gift: $0, policy) }
        }
        guard subject.backing == .purchase, subject.refund == .none, subject.position.net > 0,
            let leading = subject.leading
        else { return [] }
        return subject.creditsLeft.filter { judgement.owner ?? $0.account == $0.account }
            .compactMap { StrayCredit(owned: $0, by: transactions[leading], policy) }
    }

    /// The Non-Consumable that the owner paid for and lacks. Nothing is given for a payment of which something tells a refund.
    func lackedGoods(of subject: Subject, _ judgement: Judgement, by policy: Policy) -> [StrayCredit] {
        guard judgement.verdict == .paidNotCredited, !judgement.flags.contains(.refundReported),
            let owner = judgement.owner, let leading = subject.leading,
            let goods = StrayCredit(lackedBy: owner, since: judgement.anchor, transactions[leading], policy)
        else { return [] }
        return [goods]
    }
}
