internal import Matching

/// A credit that may have been meant for a purchase of another case: no payment of its account accounts for it, or it
/// names an order or a transaction that its case does not contain, or another row under the same id contradicts it. No
/// goods are given for a purchase that it may have been meant for. See docs/spec/rules.md#stray-credits.
public struct StrayCredit: Codable, Hashable, Sendable {
    /// The credit's id; of an order that another one contradicts, the order's.
    public var id: Identifier
    public var account: Identifier
    public var order: Identifier?
    public var transaction: Identifier?
    public var givenAt: Instant
    /// The account has these goods, and no payment of its own accounts for them.
    public var isUnplaced: Bool
}

extension StrayCredit {
    init(_ credit: Credit, isUnplaced: Bool) {
        self.init(
            id: credit.id, account: credit.account, order: credit.order, transaction: credit.transaction,
            givenAt: credit.creditedAt, isUnplaced: isUnplaced)
    }
}

extension Case {
    /// The stray ones among the subject's credits. A credit to another account than its order's stands for both accounts:
    /// the goods are those of the order.
    func strayCredits(of subject: Subject, _ judgement: Judgement, in zone: Zone) -> [StrayCredit] {
        let credits = subject.position.credits
        if credits.isEmpty { return [] }
        let unplaced = Set(subject.unplacedCredits(judgement).map(\.id))
        return credits.flatMap { credit -> [StrayCredit] in
            let order = credit.order.flatMap(order)
            let lacksOrder = credit.order != nil && order == nil
            let lacksTransaction = credit.transaction.map { !hasTransaction($0) } ?? false
            guard unplaced.contains(credit.id) || lacksOrder || lacksTransaction else { return [] }
            var stray = StrayCredit(credit, isUnplaced: unplaced.contains(credit.id))
            if credit.isImplicit, let order, order.updatedAt == nil {
                // The order does not say when it was credited: at the latest on the date of its file.
                stray.givenAt = max(order.createdAt, zone.end(of: order.source.fileDate))
            }
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
        guard backing == .purchase, refund != .full else { return left }
        switch (judgement.verdict, judgement.cause) {
        case (.creditedNotPaid, _), (.outOfScope, _), (.valueMismatch, .product), (.valueMismatch, .quantity):
            return left
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
}

extension CaseSet {
    /// The credits and orders of a case that another row under the same id contradicts, and that do not count: they
    /// name another account, order or transaction, so they are not earlier versions: two records share an id. Also earlier
    /// versions of orders that said `credited`, which the current one does not.
    ///
    /// - Parameter counted: called with the kind of feed and the file date of each pair that makes the two records of
    ///   different customers or payments, if one of the two rows is of `delivery` or a later one.
    func contradictions(
        in number: Int, since delivery: DeliveryID, zone: Zone, counted: (FeedKind, BusinessDate) -> Void
    ) -> [StrayCredit] {
        var found: [StrayCredit] = []
        for position in groups.credits[number] where !credits[Int(position)].marks.isEmpty {
            let current = credits[Int(position)]
            for copy in groups.credits.superseded(in: number).lazy.map({ credits[Int($0)] })
            where copy.id == current.id && copy.kind == .credit && copy.names(otherThan: current) {
                found.append(StrayCredit(copy, isUnplaced: true))
                if max(copy.source.delivery, current.source.delivery) >= delivery {
                    counted(.credits, max(copy.source.fileDate, current.source.fileDate))
                }
            }
        }
        let formerOrders = groups.orders.superseded(in: number).map { orders[Int($0)] }
        for position in groups.orders[number] where !formerOrders.isEmpty {
            let current = orders[Int(position)]
            for copy in formerOrders where copy.id == current.id && copy.saysMore(than: current) {
                found.append(
                    StrayCredit(
                        id: copy.id, account: copy.account, order: copy.id, transaction: copy.transaction,
                        givenAt: copy.updatedAt ?? max(copy.createdAt, zone.end(of: copy.source.fileDate)),
                        isUnplaced: copy.status == .credited))
                // The same customer's order may well be paid for by another transaction.
                if copy.account != current.account, max(copy.source.delivery, current.source.delivery) >= delivery {
                    counted(.orders, max(copy.source.fileDate, current.source.fileDate))
                }
            }
        }
        return found
    }
}

extension Credit {
    fileprivate func names(otherThan other: Credit) -> Bool {
        func differ(_ left: Identifier?, _ right: Identifier?) -> Bool { left != nil && right != nil && left != right }
        return account != other.account || differ(order, other.order) || differ(transaction, other.transaction)
    }
}

extension Order {
    /// It names another account or transaction, or says that goods were given, which `current` no longer says.
    fileprivate func saysMore(than current: Order) -> Bool {
        let namesOther = transaction != nil && current.transaction != nil && transaction != current.transaction
        return account != current.account || namesOther || status == .credited && current.status != .credited
    }
}

extension StrayCredit {
    /// The keys under which a later night or a look-up finds the credit's case.
    var keys: [SuggestionKey] {
        var keys = isUnplaced ? [SuggestionKey.goods(of: account)] : []
        if let order { keys.append(.order(spelling: order.plainSpelling)) }
        if let transaction { keys.append(.transaction(spelling: transaction.plainSpelling)) }
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

    /// The keys that find the cases of stray credits which may have been meant for it.
    var keys: Set<SuggestionKey> {
        var keys = Set(orders.map { SuggestionKey.order(spelling: $0) })
        keys.formUnion(transactions.map { .transaction(spelling: $0) })
        if let owner { keys.insert(.goods(of: owner)) }
        return keys
    }

    /// The credit names one of the purchase's orders or transactions.
    func isNamed(by credit: StrayCredit) -> Bool {
        credit.order.map { orders.contains($0.plainSpelling) } == true
            || credit.transaction.map { transactions.contains($0.plainSpelling) } == true
    }

    /// The owner has these goods, and no payment accounts for them.
    func mayBeMeant(by credit: StrayCredit) -> Bool {
        credit.isUnplaced && credit.givenAt >= since && owner?.plainSpelling == credit.account.plainSpelling
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

    init(_ credits: [StrayCredit]) {
        var byKey: [SuggestionKey: [StrayCredit]] = [:]
        for credit in credits.ordered(by: { ($0.givenAt, $0.id) < ($1.givenAt, $1.id) }) {
            for key in credit.keys { byKey[key, default: []].append(credit) }
        }
        self.byKey = byKey
    }

    /// The first credit, by time and id, that may have been meant for the purchase.
    func first(for target: CreditTarget) -> StrayCredit? {
        let found = target.keys.compactMap { key -> StrayCredit? in
            guard let credits = byKey[key] else { return nil }
            guard case .goods = key else { return credits.first(where: target.isNamed) }
            let place = credits.partitioningIndex { $0.givenAt >= target.since }
            return place < credits.count ? credits[place] : nil
        }
        return found.min { ($0.givenAt, $0.id) < ($1.givenAt, $1.id) }
    }
}
