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
    var keyList: [SuggestionKey] {
        let (payment, own) = (transactions.filter(\.isIdentifying), orders.filter(\.isIdentifying))
        let named = rounding(orders) + claimedOrders + compact(orders) + payment
        let goods = rounding(accounts) + spellings + payment + own
        return named.map { .order(spelling: $0) }
            + (rounding(claimableIDs) + own).map { .transaction(spelling: $0) }
            + goods.map { .goods(account: Identifier($0), product: .absent) } + [ownedKey].compactMap(\.self)
    }

    /// The keys of the accounts to which an order with one of its tokens changed.
    var tokenKeys: [SuggestionKey] { tokens.map { .transaction(spelling: $0) } }

    /// The key of the same goods, if the owner cannot have them twice.
    var ownedKey: SuggestionKey? { owner.flatMap { owner in product.map { .owned($0, by: owner) } } }

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
