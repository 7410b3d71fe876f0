public import Domain
internal import Matching

/// A credit that may have been meant for a purchase of another case: no payment of its account accounts for it, or it
/// names an order or a transaction that its case does not contain, or another row under the same id contradicts it. No
/// goods are given for a purchase that it may have been meant for. See docs/spec/rules.md#stray-credits.
public struct StrayCredit: Hashable, Sendable {
    /// The credit's id; of an order that another one contradicts, the order's.
    public var id: Identifier
    /// The account credited.
    public var account: Identifier
    /// The order that the credit names.
    public var order: Identifier?
    /// The transaction that the credit names.
    public var transaction: Identifier?
    /// When the goods were given.
    public var givenAt: Instant
    /// The account has these goods, and no payment of its own accounts for them.
    public var isUnplaced: Bool
    /// The index of tonight's case.
    var caseIndex: Int32 = 0

    public init(
        id: Identifier, account: Identifier, order: Identifier?, transaction: Identifier?, givenAt: Instant,
        isUnplaced: Bool
    ) {
        self.id = id
        self.account = account
        self.order = order
        self.transaction = transaction
        self.givenAt = givenAt
        self.isUnplaced = isUnplaced
    }

    init(_ credit: Credit, isUnplaced: Bool) {
        self.init(
            id: credit.id, account: credit.account, order: credit.order, transaction: credit.transaction,
            givenAt: credit.creditedAt, isUnplaced: isUnplaced)
    }
}

extension Case {
    /// The stray ones among the subject's credits.
    func strayCredits(of subject: Subject, _ judgement: Judgement) -> [StrayCredit] {
        let credits = subject.position.credits
        if credits.isEmpty { return [] }
        let unplaced = Set(subject.unplacedCredits(judgement).map(\.id))
        return credits.compactMap { credit in
            let lacksOrder = credit.order.map { !hasOrder($0) } ?? false
            let lacksTransaction = credit.transaction.map { !hasTransaction($0) } ?? false
            let isUnplaced = unplaced.contains(credit.id)
            guard isUnplaced || lacksOrder || lacksTransaction else { return nil }
            return StrayCredit(credit, isUnplaced: isUnplaced)
        }
    }

    /// Uses binary search: the arrays of a case are sorted by key.
    private func hasOrder(_ id: Identifier) -> Bool {
        let place = orders.partitioningIndex { $0.id >= id }
        return place < orders.count && orders[place].id == id
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
        guard backing == .purchase else { return left }
        let isStranger = { (credit: Credit) in judgement.owner.map { $0 != credit.account } ?? false }
        switch judgement.verdict {
        case .creditedNotPaid: return left
        case .creditedToWrongAccount: return left.filter(isStranger)
        case .creditedTwice:
            let first = left.min { ($0.creditedAt, $0.id) < ($1.creditedAt, $1.id) }
            return left.filter { $0.id != first?.id || isStranger($0) }
        case .refundedNotReversed where judgement.cause == .creditedAfterRefund:
            return left.filter { credit in revocation.map { credit.creditedAt > $0.at } ?? true }
        default: return []
        }
    }
}

extension CaseSet {
    /// The credits and orders of a case that another row under the same id contradicts, and that do not count: they
    /// name another account, order or transaction. They are not earlier versions: two records share an id.
    ///
    /// - Parameter counted: called with the kind of feed and the file date of each pair that makes the two records of
    ///   different customers or payments, if one of the two rows is of `delivery` or a later one.
    func contradictions(
        in number: Int, since delivery: DeliveryID, _ counted: (FeedKind, BusinessDate) -> Void
    ) -> [StrayCredit] {
        var found: [StrayCredit] = []
        for position in creditGroups[number] where !credits[Int(position)].marks.isEmpty {
            let current = credits[Int(position)]
            for copy in creditGroups.superseded(in: number).lazy.map({ credits[Int($0)] })
            where copy.id == current.id && copy.kind == .credit && copy.names(otherThan: current) {
                found.append(StrayCredit(copy, isUnplaced: true))
                if max(copy.source.delivery, current.source.delivery) >= delivery {
                    counted(.credits, max(copy.source.fileDate, current.source.fileDate))
                }
            }
        }
        for position in orderGroups[number] where !orders[Int(position)].marks.isEmpty {
            let current = orders[Int(position)]
            for copy in orderGroups.superseded(in: number).lazy.map({ orders[Int($0)] })
            where copy.id == current.id && (copy.account != current.account || copy.namesOther(current)) {
                found.append(
                    StrayCredit(
                        id: copy.id, account: copy.account, order: copy.id, transaction: copy.transaction,
                        givenAt: copy.updatedAt ?? copy.createdAt, isUnplaced: copy.status == .credited))
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
    fileprivate func namesOther(_ other: Order) -> Bool {
        transaction != nil && other.transaction != nil && transaction != other.transaction
    }
}

extension StrayCredit {
    /// The keys under which a later night or a look-up finds the credit's case.
    var keys: [SuggestionKey] {
        var keys = isUnplaced ? [SuggestionKey.goods(account: account, product: .absent)] : []
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
        if let owner { keys.insert(.goods(account: owner, product: .absent)) }
        return keys
    }

    /// The credit names one of the purchase's orders or transactions.
    func isNamed(by credit: StrayCredit) -> Bool {
        credit.order.map { orders.contains($0.plainSpelling) } == true
            || credit.transaction.map { transactions.contains($0.plainSpelling) } == true
    }

    /// The owner has these goods, and no payment accounts for them.
    func mayBeMeant(by credit: StrayCredit) -> Bool {
        credit.isUnplaced && credit.account == owner && credit.givenAt >= since
    }
}

extension Policy {
    /// The start of the day before an instant. What is dated earlier cannot be meant for a purchase made then.
    func startOfDayBefore(_ instant: Instant) -> Instant { zone.start(of: zone.date(of: instant).advanced(by: -1)) }
}

/// Stray credits, searchable by what they may have been meant for.
struct StrayCreditIndex {
    private var byKey: [SuggestionKey: [StrayCredit]] = [:]

    init(_ credits: [StrayCredit]) {
        for credit in credits { for key in credit.keys { byKey[key, default: []].append(credit) } }
    }

    var isEmpty: Bool { byKey.isEmpty }

    /// The credits that may have been meant for the purchase, by time and id.
    func credits(for target: CreditTarget) -> [StrayCredit] {
        let found = target.keys.flatMap { byKey[$0] ?? [] }
        return found.filter { target.isNamed(by: $0) || target.mayBeMeant(by: $0) }
            .sorted { ($0.givenAt, $0.id) < ($1.givenAt, $1.id) }
    }
}
