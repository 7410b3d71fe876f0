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
    /// It names no order and no transaction on record: what it names, and its account, may be a number that a
    /// spreadsheet rounded.
    public var isAlone = false
    /// Other records name the account as it is.
    public var isAccountKnown = false
    /// A person gave the goods.
    public var isByDesk = false
    /// The original id of the subscription of whose period `transaction` is the id.
    public var original: Identifier?
    public var kind = Kind.credit
    /// The product, of goods that are `owned`.
    public var product: Identifier?

    public enum Kind: String, Codable, Sendable {
        case credit
        /// A claim of a receipt: it, or an earlier version of it, names a transaction outside its case, or another account's
        /// subscription period.
        case accepted, notAccepted
        /// A Non-Consumable that the account paid for, or was given without a payment, and has. It cannot have it twice.
        case owned
        /// A Non-Consumable that the account paid for and lacks.
        case lacked
        /// A reversal that does not count because another row has its id, or an unplaced one: nothing tells of a refund that
        /// it belongs to. The goods have already been taken back.
        case takenBack
    }
}

extension StrayCredit {
    /// A client may have set back the time of its receipt, but not the date of the file. A further transaction was not what
    /// the backend accepted.
    fileprivate init(claim receipt: Receipt, on transaction: Identifier?, in zone: Zone) {
        self.init(
            id: receipt.$givenID, account: receipt.account, order: receipt.order,
            transaction: transaction, givenAt: max(receipt.receivedAt, zone.end(of: receipt.source.fileDate)),
            isUnplaced: false,
            kind: receipt.vouchesForItsClaim && transaction == receipt.transaction ? .accepted : .notAccepted)
    }

    init(_ credit: Credit, isUnplaced: Bool) {
        self.init(
            id: credit.id, account: credit.account, order: credit.order, transaction: credit.transaction,
            givenAt: credit.creditedAt, isUnplaced: isUnplaced, isByDesk: credit.origin == .desk)
    }
}

extension Case {
    /// The stray ones among the subject's credits, and those of goods that are `owned`. A credit to another account than its
    /// order's stands for both accounts: the goods are those of the order.
    ///
    /// - Parameters:
    ///   - former: the superseded versions of the case's orders, by id.
    ///   - arrived: see `creditsArrived`.
    func strayCredits(
        of subject: Subject, _ judgement: Judgement, former: [Identifier: [Order]],
        arrived: [Identifier: BusinessDate], horizon: Horizon, by policy: Policy
    ) -> [StrayCredit] {
        let (credits, zone) = (subject.position.credits, policy.zone)
        let others =
            (subject.orders.isEmpty ? [] : ordersGivenAgain(subject, former: former, in: zone))
            + (policy.reverseRefunds ? subject.unplacedReversals : []) + lackedGoods(of: subject, judgement, by: policy)
        if credits.isEmpty { return others }
        let unplaced = Set(subject.unplacedCredits(judgement).map(\.id))
        // Which of the credits a reversal took back is not known, so what is left may be the last one.
        let last = subject.position.reversals.isEmpty ? nil : credits.map(\.creditedAt).max()
        let found = credits.flatMap { credit -> [StrayCredit] in
            let order = credit.order.flatMap(order)
            let lacksOrder = credit.order != nil && order == nil
            let lacksTransaction = credit.transaction.map { transaction($0) == nil } ?? false
            guard unplaced.contains(credit.id) || lacksOrder || lacksTransaction else { return [] }
            var stray = StrayCredit(credit, isUnplaced: unplaced.contains(credit.id))
            stray.isAlone = order == nil && (credit.transaction == nil || lacksTransaction)
            let fileDate = arrived[credit.id] ?? credit.source.fileDate
            if credit.isLate(in: fileDate, horizon, zone) {
                stray.givenAt = zone.end(of: fileDate)
            } else if credit.isImplicit, let order {
                stray.givenAt = order.creditedAt(after: OrderHistory(former[order.id] ?? []), in: zone)
            }
            stray.givenAt = max(stray.givenAt, last ?? stray.givenAt)
            stray.transaction = credit.transaction ?? order?.transaction
            stray.original = stray.transaction.flatMap(transaction).flatMap {
                policy.products.type(of: $0) == .autoRenewable ? $0.original : nil
            }
            guard let order, order.account != credit.account, stray.isUnplaced else { return [stray] }
            var ordered = stray
            ordered.account = order.account
            return [stray, ordered]
        }
        return others + found + ownedGoods(of: subject, judgement, by: policy)
    }

    /// The subject's orders that say `credited`, where no credit is left and no payment accounts for the goods: they were
    /// given again after a reversal, or on a date whose credits file is missing.
    private func ordersGivenAgain(
        _ subject: Subject, former: [Identifier: [Order]], in zone: Zone
    ) -> [StrayCredit] {
        guard subject.creditsLeft.isEmpty, subject.backing != .purchase || subject.refund == .full else { return [] }
        return subject.orders.map { orders[$0] }.filter { $0.status == .credited }.map { order in
            StrayCredit(
                id: order.id, account: order.account, order: order.id, transaction: order.transaction,
                givenAt: order.creditedAt(after: OrderHistory(former[order.id] ?? []), in: zone), isUnplaced: true)
        }
    }

    /// Uses binary search: the arrays of a case are sorted by key.
    private func order(_ id: Identifier) -> Order? {
        let place = orders.partitioningIndex { $0.id >= id }
        return place < orders.count && orders[place].id == id ? orders[place] : nil
    }

    private func transaction(_ id: Identifier) -> Transaction? {
        let place = transactions.partitioningIndex { $0.id >= id }
        return place < transactions.count && transactions[place].id == id ? transactions[place] : nil
    }
}

extension Subject {
    /// The credits left that no payment of their account accounts for.
    fileprivate func unplacedCredits(_ judgement: Judgement) -> [Credit] {
        let left = creditsLeft
        // What is left beside a reversal of such a refund may have been served again for another payment.
        let isUnclear = refund == .uncountable && !position.reversals.isEmpty
        guard backing == .purchase, refund != .full, !isUnclear else { return left.isEmpty ? partlyTakenBack : left }
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

    /// The reversals that no refund accounts for.
    fileprivate var unplacedReversals: [StrayCredit] {
        if backing == .purchase, refund != .none { return [] }
        return position.reversals.map { reversal in
            var stray = StrayCredit(reversal, isUnplaced: true)
            stray.kind = .takenBack
            return stray
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
    /// order: it said `credited`, the current version does not, and the case's only credit does not account for that.
    ///
    /// - Parameter counted: called with the kind of feed and the file date of each pair that makes the two records of
    ///   different customers or payments, if one of the two rows is of `delivery` or a later one.
    func contradictions(
        in number: Int, since delivery: DeliveryID, zone: Zone, counted: (FeedKind, BusinessDate) -> Void
    ) -> [StrayCredit] {
        var found: [StrayCredit] = []
        let formerCredits = Dictionary(
            grouping: groups.credits.superseded(in: number).map { credits[Int($0)] }, by: \.id)
        let known = Set(formerCredits.isEmpty ? [] : groups.transactions[number].map { transactions[Int($0)].id })
        let ordered = Set(formerCredits.isEmpty ? [] : groups.orders[number].map { orders[Int($0)].id })
        for position in groups.credits[number] where !formerCredits.isEmpty {
            let current = credits[Int(position)]
            let isOfCase = current.transaction.map(known.contains) ?? current.order.map(ordered.contains) ?? false
            for copy in formerCredits[current.id] ?? [] where copy.namesMore(than: current) {
                // The goods of a guest who signed up stay those of their payment.
                if isOfCase, copy.isSameRow(as: current, in: zone) { continue }
                var stray = StrayCredit(copy, isUnplaced: copy.kind == .credit)
                if copy.kind == .reversal { stray.kind = .takenBack }
                found.append(stray)
                if copy.names(otherThan: current), !copy.isSameRow(as: current, in: zone),
                    max(copy.source.delivery, current.source.delivery) >= delivery
                {
                    counted(.credits, max(copy.source.fileDate, current.source.fileDate))
                }
            }
        }
        let former = formerOrders(in: number)
        let sole = former.isEmpty ? nil : soleCredit(in: number)
        for position in groups.orders[number] where !former.isEmpty {
            let current = orders[Int(position)]
            let versions = former[current.id] ?? []
            let history = OrderHistory(versions)
            // A guest who signed up may have the goods under the former account.
            if !groups.transactions[number].isEmpty {
                found += Set(versions.map(\.account)).subtracting([current.account]).map {
                    StrayCredit(
                        id: current.id, account: $0, order: current.id, givenAt: current.createdAt,
                        isUnplaced: false, kind: .notAccepted)
                }
            }
            found += current.tokenClaims(besides: versions)
            for copy in versions where copy.saysMore(than: current, beside: sole, in: zone) {
                found.append(
                    StrayCredit(
                        id: copy.id, account: copy.account, order: copy.id, transaction: copy.transaction,
                        givenAt: copy.creditedAt(after: history, in: zone), isUnplaced: copy.status == .credited))
                // The same customer's order may well be paid for by another transaction.
                if copy.account != current.account, !copy.isSameRow(as: current, in: zone),
                    max(copy.source.delivery, current.source.delivery) >= delivery
                {
                    counted(.orders, max(copy.source.fileDate, current.source.fileDate))
                }
            }
        }
        return found
    }

    /// When each of the case's credits that has several versions first said no less than it does now: the date of that file.
    func creditsArrived(in number: Int) -> [Identifier: BusinessDate] {
        let former = groups.credits.superseded(in: number).map { credits[Int($0)] }
        if former.isEmpty { return [:] }
        let versions = Dictionary(grouping: former, by: \.id)
        var arrived: [Identifier: BusinessDate] = [:]
        for credit in groups.credits[number].map({ credits[Int($0)] }) {
            // Between them, no version said less: a row that was lowered and raised again was given again.
            let newest = versions[credit.id, default: []].ordered {
                ($0.source.fileDate, $0.source.delivery) > ($1.source.fileDate, $1.source.delivery)
            }
            let equal = newest.prefix { $0.saysNoLess(than: credit) }
            if let date = equal.last?.source.fileDate { arrived[credit.id] = min(date, credit.source.fileDate) }
        }
        return arrived
    }

    /// The superseded versions of the case's orders, by id.
    func formerOrders(in number: Int) -> [Identifier: [Order]] {
        Dictionary(grouping: groups.orders.superseded(in: number).map { orders[Int($0)] }, by: \.id)
    }

    /// The claims on transactions that the case does not contain, and those that a later version of a receipt took back.
    /// A client may replace, misspell or refuse to repeat what it once claimed, or send another payment's data. Also
    /// receipts for a period of a subscription, because its id may stand for a later period, and those that name an order
    /// of another case.
    func strayClaims(in number: Int, by policy: Policy) -> [StrayCredit] {
        let former = groups.receipts.superseded(in: number).map { receipts[Int($0)] }
        if former.isEmpty, groups.receipts[number].isEmpty { return [] }
        let known = Set(groups.transactions[number].map { transactions[Int($0)].id })
        let ordered = Set(groups.orders[number].map { orders[Int($0)].id })
        let (onPeriods, zone) = (claimsOnPeriods(in: number, by: policy), policy.zone)
        func isOwn(_ receipt: Receipt) -> Bool {
            receipt.furtherTransactions == nil && receipt.transaction.map(known.contains) ?? true
                && receipt.order.map(ordered.contains) ?? true
        }
        // Most receipts claim a transaction of their case with an order of it.
        if former.isEmpty, groups.receipts[number].allSatisfy({ isOwn(receipts[Int($0)]) }) { return onPeriods }
        let current = groups.receipts[number].map { receipts[Int($0)] }
        var seen = Set(
            current.filter { $0.transaction.map(known.contains) ?? false }
                .map { StrayCredit(claim: $0, on: $0.transaction, in: zone).whose })
        // The accepted ones first, because they say more.
        let claims = (current + former).flatMap { receipt in
            receipt.claims.map { StrayCredit(claim: receipt, on: $0, in: zone) }
        }
        let stray = (claims.filter { $0.kind == .accepted } + claims).filter { seen.insert($0.whose).inserted }
        // The goods may have been given by an order of another case.
        let byOrder = claims.filter { $0.order.map(ordered.contains) == false }.map { claim in
            var claim = claim
            claim.kind = .notAccepted
            return claim
        }
        return stray + byOrder + onPeriods
    }

    /// The claims on periods of a subscription.
    private func claimsOnPeriods(in number: Int, by policy: Policy) -> [StrayCredit] {
        let periods = groups.transactions[number].map { transactions[Int($0)] }
            .filter { policy.products.type(of: $0) == .autoRenewable }
        if periods.isEmpty { return [] }
        let originals = Dictionary(periods.map { ($0.id, $0.original) }) { first, _ in first }
        let served = Set(groups.credits[number].map { credits[Int($0)].account })
            .union(groups.orders[number].map { orders[Int($0)].account })
        return groups.receipts[number].map { receipts[Int($0)] }.compactMap { receipt in
            // The one account that ordered and has the goods of the period needs no claim.
            guard served != [receipt.account],
                let id = receipt.transaction, let original = originals[id]
            else { return nil }
            var claim = StrayCredit(claim: receipt, on: id, in: policy.zone)
            claim.kind = .notAccepted
            claim.original = original
            return claim
        }
    }

    /// Of the cases with one payment, order and credit, those in which an earlier version of the order is stray.
    func casesWithStrayOrders(in zone: Zone) -> Set<Int> {
        Set(
            groups.orders.supersededByCase.lazy.filter { number, copies in
                guard let sole = singleton(number) else { return false }
                let (order, credit) = (orders[sole.order], credits[sole.credit])
                return !order.tokenClaims(besides: copies.map { orders[Int($0)] }).isEmpty
                    || copies.contains { orders[Int($0)].saysMore(than: order, beside: (credit, nil), in: zone) }
            }.map(\.key))
    }

    /// Whether a case that matches cleanly may hold claims or records that share an id of a credit: nearly none does.
    func mayHoldStrays(
        in number: Int, of transaction: Transaction, givenTo account: Identifier, by policy: Policy
    ) -> Bool {
        policy.products.type(of: transaction) == .autoRenewable
            && groups.receipts[number].contains { receipts[Int($0)].account != account }
            || groups.receipts.hasSuperseded && !groups.receipts.superseded(in: number).isEmpty
            || groups.credits.hasSuperseded && !groups.credits.superseded(in: number).isEmpty
    }
}

extension [StrayCredit] {
    /// The same, where a misspelt id of a period is known for what it is.
    ///
    /// - Parameter periods: the original ids, by the ids of periods.
    func recognizing(_ periods: [Identifier: Identifier]) -> [StrayCredit] {
        if periods.isEmpty { return self }
        let originals = Dictionary(periods.map { (looseSpelling(of: $0.text), $1) }) { first, _ in first }
        return map { credit in
            guard let named = credit.transaction, periods[named] == nil else { return credit }
            var credit = credit
            credit.original = credit.original ?? originals[looseSpelling(of: named.text)]
            return credit
        }
    }
}

extension StrayCredit {
    /// What a claim is about, and by whom.
    fileprivate var whose: [Identifier] { [account, transaction ?? .absent] }
}

extension Credit {
    /// The row came two or more dates after its own and after the first file: it may have been written before the goods were
    /// given, or dated by hand. What the first files hold of earlier dates is history.
    func isLate(in fileDate: BusinessDate, _ horizon: Horizon, _ zone: Zone) -> Bool {
        guard !isImplicit, let first = horizon.coverage.firstDate else { return false }
        return max(zone.date(of: creditedAt).advanced(by: 1), first) < fileDate
    }

    /// It names an account, an order or a transaction that the other one does not, or is of the other kind.
    fileprivate func namesMore(than other: Credit) -> Bool {
        kind != other.kind || account != other.account || order != nil && order != other.order
            || transaction != nil && transaction != other.transaction
    }

    /// It names the same account, order, transaction and product, if any, and no fewer pieces. A row that names none is of one.
    fileprivate func saysNoLess(than other: Credit) -> Bool {
        kind == other.kind && account == other.account && order == other.order && transaction == other.transaction
            && product ?? other.product == other.product && quantity ?? 1 >= other.quantity ?? 1
    }

    /// At most the account differs.
    fileprivate func isSameRow(as other: Credit, in zone: Zone) -> Bool {
        zone.isTimeOfDay(creditedAt) && creditedAt == other.creditedAt && kind == other.kind && order == other.order
            && transaction == other.transaction && product == other.product && quantity == other.quantity
    }

    fileprivate func names(otherThan other: Credit) -> Bool {
        func differ(_ left: Identifier?, _ right: Identifier?) -> Bool { left != nil && right != nil && left != right }
        return account != other.account || differ(order, other.order) || differ(transaction, other.transaction)
    }
}

extension StrayCredit {
    /// The keys under which a later night or a look-up finds the credit's case.
    var keys: [SuggestionKey] {
        if isSingle { return [.owned(product!, by: account)] }
        var keys = isUnplaced ? [SuggestionKey.goods(of: account)] : []
        if let order { keys.append(.order(spelling: order.plainSpelling)) }
        if isUnplaced, isAlone {
            keys += meantIDs.subtracting([account.plainSpelling])
                .map { .goods(account: Identifier($0), product: .absent) }
            if let order { keys += order.meantOrders.subtracting([order.plainSpelling]).map { .order(spelling: $0) } }
            if let transaction { keys += transaction.plainSpelling.meantIDs.map { .transaction(spelling: $0) } }
            keys += deskParts.map { .order(spelling: $0) }
        }
        for id in [transaction, original] {
            if let id { keys.append(.transaction(id)) }
        }
        return keys + tokenKeys
    }
}
