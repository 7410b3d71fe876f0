internal import Matching

/// A credit that may have been meant for a purchase of another case: no payment of its account accounts for it, or it
/// names an order or a transaction that its case does not contain, or another row under the same id contradicts it. No
/// goods are given for a purchase that it may have been meant for. See docs/spec/rules.md#stray-credits.
public struct StrayCredit: Codable, Hashable, Sendable {
    /// The credit's id; of an order that another one contradicts, the order's; of a claim, the receipt's, if it has one.
    public var id: Identifier
    public var account: Identifier
    public var order: Identifier?
    public var transaction: Identifier?
    public var givenAt: Instant
    /// The account has these goods, and no payment of its own accounts for them.
    public var isUnplaced: Bool
    /// The original id of the subscription of whose period `transaction` is the id.
    public var original: Identifier?
    /// Set if this is a claim and not a credit: a receipt names a transaction that is not in its case, or named one in an
    /// earlier version, or names another account's subscription period.
    public var claim: Claim?

    public enum Claim: String, Codable, Sendable {
        case accepted, notAccepted
    }
}

extension StrayCredit {
    /// A client may have set back the time of its receipt, but not the date of the file.
    fileprivate init(claim receipt: Receipt, in zone: Zone) {
        self.init(
            id: receipt.$givenID, account: receipt.account, order: receipt.order,
            transaction: receipt.transaction, givenAt: max(receipt.receivedAt, zone.end(of: receipt.source.fileDate)),
            isUnplaced: false,
            claim: receipt.vouchesForItsClaim ? .accepted : .notAccepted)
    }

    init(_ credit: Credit, isUnplaced: Bool) {
        self.init(
            id: credit.id, account: credit.account, order: credit.order, transaction: credit.transaction,
            givenAt: credit.creditedAt, isUnplaced: isUnplaced)
    }
}

extension Case {
    /// The stray ones among the subject's credits. A credit to another account than its order's stands for both accounts:
    /// the goods are those of the order.
    ///
    /// - Parameter former: the superseded versions of the case's orders.
    func strayCredits(
        of subject: Subject, _ judgement: Judgement, former: [Order] = [], in zone: Zone
    ) -> [StrayCredit] {
        let credits = subject.position.credits
        if credits.isEmpty { return [] }
        let unplaced = Set(subject.unplacedCredits(judgement).map(\.id))
        // Which of the credits a reversal took back is not known, so what is left may be the last one.
        let last = subject.position.reversals.isEmpty ? nil : credits.map(\.creditedAt).max()
        return credits.flatMap { credit -> [StrayCredit] in
            let order = credit.order.flatMap(order)
            let lacksOrder = credit.order != nil && order == nil
            let lacksTransaction = credit.transaction.map { !hasTransaction($0) } ?? false
            guard unplaced.contains(credit.id) || lacksOrder || lacksTransaction else { return [] }
            var stray = StrayCredit(credit, isUnplaced: unplaced.contains(credit.id))
            if credit.isImplicit, let order { stray.givenAt = order.creditedAt(after: former, in: zone) }
            stray.givenAt = max(stray.givenAt, last ?? stray.givenAt)
            stray.transaction = credit.transaction ?? order?.transaction
            stray.original = transactions.first { $0.id == stray.transaction && $0.isPeriod }?.original
            guard let order, order.account != credit.account, stray.isUnplaced else { return [stray] }
            var ordered = stray
            ordered.account = order.account
            return [stray, ordered]
        }
    }

    /// Uses binary search: the arrays of a case are sorted by key.
    private func order(_ id: Identifier) -> Order? {
        let place = orders.partitioningIndex { $0.id >= id }
        return place < orders.count && orders[place].id == id ? orders[place] : nil
    }

    private func hasTransaction(_ id: Identifier) -> Bool {
        let place = transactions.partitioningIndex { $0.id >= id }
        return place < transactions.count && transactions[place].id == id
    }
}

extension Subject {
    /// The credits left that no payment of their account accounts for.
    fileprivate func unplacedCredits(_ judgement: Judgement) -> [Credit] {
        let left = creditsLeft
        guard backing == .purchase, refund != .full else { return left.isEmpty ? partlyTakenBack : left }
        switch (judgement.verdict, judgement.cause) {
        case (.creditedNotPaid, _), (.outOfScope, _): return left.isEmpty ? partlyTakenBack : left
        case (.refundedNotReversed, _), (.valueMismatch, .product), (.valueMismatch, .quantity): return left
        default: break
        }
        let first = left.min { ($0.creditedAt, $0.id) < ($1.creditedAt, $1.id) }
        return left.filter { credit in
            let isStrangers = judgement.owner.map { $0 != credit.account } ?? false
            let isSecond = judgement.verdict == .creditedTwice && credit.id != first?.id
            // Only a client says that the credit's order belongs to this purchase.
            return isStrangers || isSecond || restsOnReceipt && credit.transaction == nil
        }
    }

    /// The last credit, where fewer pieces were taken back than were given.
    private var partlyTakenBack: [Credit] {
        func pieces(_ rows: [Credit]) -> Int64 { rows.reduce(0) { $0 + Int64($1.quantity ?? 1) } }
        return pieces(position.credits) > pieces(position.reversals) ? position.credits.suffix(1) : []
    }
}

extension CaseSet {
    /// The credits and orders of a case that do not count because another row has their id. Where the two rows name
    /// different accounts, orders or transactions, two records share the id. The other kind is an earlier version of an
    /// order: it said `credited`, and the current version does not.
    ///
    /// - Parameter counted: called with the kind of feed and the file date of each pair that makes the two records of
    ///   different customers or payments, if one of the two rows is of `delivery` or a later one.
    func contradictions(
        in number: Int, since delivery: DeliveryID, zone: Zone, counted: (FeedKind, BusinessDate) -> Void
    ) -> [StrayCredit] {
        var found: [StrayCredit] = []
        let formerCredits = Dictionary(
            grouping: groups.credits.superseded(in: number).map { credits[Int($0)] }, by: \.id)
        for position in groups.credits[number] where !formerCredits.isEmpty {
            let current = credits[Int(position)]
            for copy in formerCredits[current.id] ?? [] where copy.namesMore(than: current) {
                if copy.kind == .credit { found.append(StrayCredit(copy, isUnplaced: true)) }
                if copy.names(otherThan: current), max(copy.source.delivery, current.source.delivery) >= delivery {
                    counted(.credits, max(copy.source.fileDate, current.source.fileDate))
                }
            }
        }
        let former = Dictionary(grouping: formerOrders(in: number), by: \.id)
        for position in groups.orders[number] where !former.isEmpty {
            let current = orders[Int(position)]
            let versions = former[current.id] ?? []
            for copy in versions where copy.saysMore(than: current) {
                found.append(
                    StrayCredit(
                        id: copy.id, account: copy.account, order: copy.id, transaction: copy.transaction,
                        givenAt: copy.creditedAt(after: versions, in: zone), isUnplaced: copy.status == .credited))
                // The same customer's order may well be paid for by another transaction.
                if copy.account != current.account, max(copy.source.delivery, current.source.delivery) >= delivery {
                    counted(.orders, max(copy.source.fileDate, current.source.fileDate))
                }
            }
        }
        return found
    }

    /// The superseded versions of the case's orders.
    func formerOrders(in number: Int) -> [Order] { groups.orders.superseded(in: number).map { orders[Int($0)] } }

    /// The claims on transactions that the case does not contain, and those that a later version of a receipt took back.
    /// A client may replace, misspell or refuse to repeat what it once claimed. Also receipts for a period of a subscription,
    /// because its id may stand for a later period, and those that name an order of another case.
    func strayClaims(in number: Int, zone: Zone) -> [StrayCredit] {
        let former = groups.receipts.superseded(in: number).map { receipts[Int($0)] }
        if former.isEmpty, groups.receipts[number].isEmpty { return [] }
        let known = Set(groups.transactions[number].map { transactions[Int($0)].id })
        let ordered = Set(groups.orders[number].map { orders[Int($0)].id })
        let onPeriods = claimsOnPeriods(in: number, zone: zone)
        func isOwn(_ receipt: Receipt) -> Bool {
            receipt.transaction.map(known.contains) ?? true && receipt.order.map(ordered.contains) ?? true
        }
        // Most receipts claim a transaction of their case with an order of it.
        if former.isEmpty, groups.receipts[number].allSatisfy({ isOwn(receipts[Int($0)]) }) { return onPeriods }
        let current = groups.receipts[number].map { receipts[Int($0)] }
        var seen = Set(
            current.filter { $0.transaction.map(known.contains) ?? false }
                .map { StrayCredit(claim: $0, in: zone).whose })
        // The accepted ones first, because they say more.
        let claims = (current + former).filter { $0.transaction != nil }.map { StrayCredit(claim: $0, in: zone) }
        let stray = (claims.filter { $0.claim == .accepted } + claims).filter { seen.insert($0.whose).inserted }
        // The goods may have been given by an order of another case.
        let byOrder = claims.filter { $0.order.map(ordered.contains) == false }.map { claim in
            var claim = claim
            claim.claim = .notAccepted
            return claim
        }
        return stray + byOrder + onPeriods
    }

    /// The claims on periods of a subscription.
    private func claimsOnPeriods(in number: Int, zone: Zone) -> [StrayCredit] {
        let periods = groups.transactions[number].lazy.map { transactions[Int($0)] }.filter(\.isPeriod)
        if periods.isEmpty { return [] }
        let credited = Set(groups.credits[number].map { credits[Int($0)].account })
        return groups.receipts[number].map { receipts[Int($0)] }.compactMap { receipt in
            // The one account that has goods of the period needs no claim.
            guard credited.count != 1 || !credited.contains(receipt.account),
                let period = periods.first(where: { $0.id == receipt.transaction })
            else { return nil }
            var claim = StrayCredit(claim: receipt, in: zone)
            claim.claim = .notAccepted
            claim.original = period.original
            return claim
        }
    }

    /// Whether a case that matches cleanly may hold claims: nearly none does.
    func mayHoldClaims(in number: Int, of transaction: Transaction, givenTo account: Identifier) -> Bool {
        transaction.isPeriod && groups.receipts[number].contains { receipts[Int($0)].account != account }
            || groups.receipts.hasSuperseded && !groups.receipts.superseded(in: number).isEmpty
    }
}

extension Order {
    /// When its goods were given at the latest, as far as its versions tell: the first version that says `credited`, or one
    /// that does not say when it was updated, was credited by the end of its file's date. `updated_at` may not have moved.
    /// If an earlier delivery already covered that date, the file was exported again, and the time is unknown.
    fileprivate func creditedAt(after former: [Order], in zone: Zone) -> Instant {
        let versions = former.filter { $0.id == id }
        let isKnown = versions.contains { $0.status == .credited && $0.source.fileDate < source.fileDate }
        if let updatedAt, isKnown { return updatedAt }
        let isExportedAnew = versions.contains {
            $0.status != .credited && $0.source.fileDate >= source.fileDate && $0.source.delivery < source.delivery
        }
        return isExportedAnew ? Instant(milliseconds: .max) : max(updatedAt ?? createdAt, zone.end(of: source.fileDate))
    }
}

extension Transaction {
    /// It is a period of a subscription, as far as it says.
    fileprivate var isPeriod: Bool { type == .autoRenewable || expiresAt != nil }
}

extension StrayCredit {
    /// What a claim is about, and by whom.
    fileprivate var whose: [Identifier] { [account, transaction ?? .absent] }
}

extension Credit {
    /// It names an account, an order or a transaction that the other one does not.
    fileprivate func namesMore(than other: Credit) -> Bool {
        account != other.account || order != nil && order != other.order
            || transaction != nil && transaction != other.transaction
    }

    fileprivate func names(otherThan other: Credit) -> Bool {
        func differ(_ left: Identifier?, _ right: Identifier?) -> Bool { left != nil && right != nil && left != right }
        return account != other.account || differ(order, other.order) || differ(transaction, other.transaction)
    }
}

extension Order {
    /// It names another account or transaction, or says that goods were given, which `current` no longer says.
    fileprivate func saysMore(than current: Order) -> Bool {
        let namesOther = transaction != nil && transaction != current.transaction
        return account != current.account || namesOther || status == .credited && current.status != .credited
    }
}

extension StrayCredit {
    /// The keys under which a later night or a look-up finds the credit's case.
    var keys: [SuggestionKey] {
        var keys = isUnplaced ? [SuggestionKey.goods(of: account)] : []
        if let order { keys.append(.order(spelling: order.plainSpelling)) }
        for id in [transaction, original] {
            if let id { keys.append(.transaction(spelling: looseSpelling(of: id.text))) }
        }
        return keys
    }
}

/// What a stray credit may have been meant for: a purchase that looks uncredited.
struct CreditTarget {
    var owner: Identifier?
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
    /// The plain spellings of other accounts that claim the purchase by a receipt. Goods of theirs that no payment
    /// accounts for may be those of this one.
    var claimants: Set<String>

    /// Ids and accounts may be in any spelling.
    ///
    /// - Parameter accounts: all that the purchase's records name.
    init(
        owner: Identifier?, orders: [String], transactions: [String], original: String?, accounts: [String],
        since: Instant
    ) {
        func plain(_ texts: [String]) -> Set<String> { Set(texts.map { plainSpelling(of: $0) }).subtracting([""]) }
        (self.owner, self.since) = (owner, since)
        (self.orders, self.transactions, claimants) = (plain(orders), plain(transactions), plain(accounts))
        if let named = original.map({ plainSpelling(of: $0) }), !self.transactions.contains(named) {
            self.original = named
        }
    }

    /// The keys that find the cases of stray credits which may have been meant for it.
    var keys: Set<SuggestionKey> {
        var keys = Set(orders.map { SuggestionKey.order(spelling: $0) })
        keys.formUnion(transactions.map { .transaction(spelling: $0) })
        if !original.isEmpty { keys.insert(.transaction(spelling: original)) }
        keys.formUnion(accounts.map { .goods(account: Identifier($0), product: .absent) })
        return keys
    }

    /// The ids by which a receipt may claim it.
    var claimableIDs: Set<String> { original.isEmpty ? transactions : transactions.union([original]) }

    /// The plain spellings of the accounts that may have the goods.
    private var accounts: Set<String> { owner.map { claimants.union([$0.plainSpelling]) } ?? claimants }

    /// The credit names one of the purchase's orders or transactions.
    func isNamed(by credit: StrayCredit) -> Bool {
        credit.order.map { orders.contains($0.plainSpelling) } == true
            || credit.transaction.map { transactions.contains(looseSpelling(of: $0.text)) } == true
            || isInTime(credit)
    }

    /// The credit or claim names the original, and is of the time in which goods of this purchase can have been given.
    func isInTime(_ credit: StrayCredit) -> Bool {
        !original.isEmpty && credit.givenAt >= since
            && [credit.transaction, credit.original].contains { $0.map { looseSpelling(of: $0.text) } == original }
    }

    /// The owner has these goods, and no payment accounts for them.
    func mayBeMeant(by credit: StrayCredit) -> Bool {
        credit.isUnplaced && credit.givenAt >= since && accounts.contains(credit.account.plainSpelling)
    }
}

extension Policy {
    /// The start of the day before an instant. What is dated earlier cannot be meant for a purchase made then.
    func startOfDayBefore(_ instant: Instant) -> Instant { zone.start(of: zone.date(of: instant).advanced(by: -1)) }
}

/// Stray credits, searchable by what they may have been meant for.
struct StrayCreditIndex {
    /// By time and id.
    private let byKey: [SuggestionKey: [StrayCredit]]
    private let claims: [SuggestionKey: [StrayCredit]]

    init(_ credits: [StrayCredit]) {
        func index(_ credits: [StrayCredit]) -> [SuggestionKey: [StrayCredit]] {
            credits.reduce(into: [:]) { byKey, credit in
                for key in credit.keys { byKey[key, default: []].append(credit) }
            }
        }
        let ordered = credits.ordered { ($0.givenAt, $0.id) < ($1.givenAt, $1.id) }
        byKey = index(ordered.filter { $0.claim == nil })
        claims = index(ordered.filter { $0.claim != nil })
    }

    private func claims(on target: CreditTarget) -> [StrayCredit] {
        if claims.isEmpty { return [] }
        let others = target.original.isEmpty ? [] : claims[.transaction(spelling: target.original)] ?? []
        return target.transactions.flatMap { claims[.transaction(spelling: $0)] ?? [] } + others.filter(target.isInTime)
    }

    /// The purchase with the accounts that claim it, and the orders by which they do.
    func claimed(_ target: CreditTarget) -> CreditTarget {
        var target = target
        let claims = claims(on: target)
        target.claimants.formUnion(claims.map(\.account.plainSpelling))
        target.orders.formUnion(claims.compactMap(\.order?.plainSpelling))
        return target
    }

    /// In plain spelling. Rejected rows of receipts are left out.
    func accountsClaiming(_ target: CreditTarget) -> [String] { claims(on: target).map(\.account.plainSpelling) }

    /// Of the accounts that claim one of the purchases by a receipt: the keys that find their goods, and the orders that
    /// they name.
    func keys(ofAccountsClaiming targets: [CreditTarget]) -> Set<SuggestionKey> {
        Set(
            targets.flatMap(claims(on:)).flatMap { claim in
                [.goods(of: claim.account)] + (claim.order.map { [.order(spelling: $0.plainSpelling)] } ?? [])
            })
    }

    /// Whether a receipt of another account was once accepted for the purchase, or for it in another spelling.
    func isDisputed(_ target: CreditTarget) -> Bool {
        claims(on: target).contains { $0.claim == .accepted && $0.account != target.owner }
    }

    /// The first credit, by time and id, that may have been meant for the purchase.
    func first(for target: CreditTarget) -> StrayCredit? {
        let target = claimed(target)
        let found = target.keys.compactMap { key -> StrayCredit? in
            guard let credits = byKey[key] else { return nil }
            guard case .goods = key else { return credits.first(where: target.isNamed) }
            let place = credits.partitioningIndex { $0.givenAt >= target.since }
            return place < credits.count ? credits[place] : nil
        }
        return found.min { ($0.givenAt, $0.id) < ($1.givenAt, $1.id) }
    }
}
