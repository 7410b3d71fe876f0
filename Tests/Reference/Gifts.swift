package import Domain

/// The purchases whose goods a machine is asked to give: docs/spec/rules.md#retry-demand and
/// docs/spec/rules.md#withheld-entries, sentence by sentence.
///
/// - Parameter unusable: all rows that could not be used.
package func purchasesToGive(
    _ evidence: Evidence, unusable: [UnusableRow], policy: Policy, horizon: Horizon
) -> Set<Identifier> {
    let examined = Examined(evidence, policy: policy, horizon: horizon)
    let strays = examined.strays(evidence)
    var found: Set<Identifier> = []
    for (_, subjects, verdicts) in examined.cases {
        for (subject, verdict) in zip(subjects, verdicts) where examined.isDemanded(subject, verdict) {
            var wanted = Wanted(subject, verdict, policy)
            if examined.isDisputed(wanted, evidence.receipts) || examined.isOwned(subject, verdict)
                || examined.isReplaced(subject, evidence)
                || verdict.cause == .noOrder && examined.isUnrecorded(subject, verdict)
            {
                continue
            }
            wanted.tokens = Set(
                ([subject.purchase?.record.token] + subject.orders.map(\.token)).compactMap { $0?.text.joinedParts })
            wanted.periods = Set(
                evidence.transactions.filter { $0.original != nil && $0.original == subject.purchase?.record.original }
                    .map { plain($0.id) })
            wanted.claimants = examined.claimants(of: wanted, evidence.receipts, unusable)
            // "Or whose orders carry its token."
            if policy.tokenUse == .account {
                wanted.claimants.formUnion(
                    evidence.orders.filter { $0.token.map { wanted.tokens.contains($0.text.joinedParts) } == true }
                        .map { plain($0.account) })
            }
            // "Or an order that changed hands and once had the token."
            for versions in Dictionary(grouping: evidence.orders, by: \.id).values
            where Set(versions.map(\.account)).count > 1
                && versions.contains(where: { $0.token.map { wanted.tokens.contains($0.text.joinedParts) } == true })
            {
                wanted.claimants.formUnion(versions.map { plain($0.account) })
            }
            // "Or is a former account of one of its orders."
            let taken = evidence.orders.filter { wanted.ids.contains(plain($0.id)) }
            wanted.claimants.formUnion(taken.map { plain($0.account) })
            let claims = evidence.receipts.filter(wanted.isClaimed)
            wanted.claimedOrders = Set(claims.compactMap(\.order).map(plain))
                .union(examined.words(claiming: wanted, unusable)).subtracting([""])
            let rows =
                evidence.orders.filter { verdict.orders.contains($0.id) }.map(\.account)
                + evidence.credits.filter { verdict.credits.contains($0.id) }.map(\.account)
            wanted.accounts = Set((claims.map(\.account) + rows + [verdict.owner!]).map(plain))
                .union(wanted.claimants).union(wanted.claimedOrders)
            if strays.contains(where: wanted.mayHaveBeenGiven) || unusable.contains(where: { wanted.isIn($0, policy) })
            {
                continue
            }
            found.insert(subject.key.id)
        }
    }
    return found
}

extension Examined {
    /// "A record of Apple's proves the purchase (a receipt's line does not); the owner is known; since the day before
    /// the anchor, no day lacks a credits file and no day has a gap."
    fileprivate func isDemanded(_ subject: Subject, _ verdict: ReferenceVerdict) -> Bool {
        guard verdict.verdict == .paidNotCredited, verdict.action == .credit, let record = subject.purchase?.record,
            record.proof == .verified || record.proof == .vouched, !record.isFromReceipt, verdict.owner != nil
        else { return false }
        let first = night.policy.zone.date(of: verdict.anchor).advanced(by: -1)
        let coverage = night.horizon.coverage
        return !coverage.creditsUnseen.contains { $0 >= first }
            && ![FeedKind.orders, .credits, .transactions, .receipts].contains {
                coverage.hasGap($0, from: first, through: night.horizon.businessDate)
            }
    }

    /// "Or by a credit that names no payment."
    private func wasGiven(_ subject: Subject, _ verdict: ReferenceVerdict) -> Bool {
        guard let record = subject.purchase?.record else { return false }
        let product = record.product
        let type = night.policy.products.type(of: product) ?? record.type(night.policy)
        guard type == .nonConsumable else { return false }
        return cases.contains { _, subjects, _ in
            subjects.lazy.filter { $0.purchase == nil && $0.transactions.isEmpty }.flatMap(\.creditsLeft).contains {
                $0.credit.product == product && $0.credit.transaction == nil
                    && plain($0.credit.account) == plain(verdict.owner!)
            }
        }
    }

    /// "An earlier payment of the owner for the product lacks its goods, too."
    private func lacksEarlier(_ subject: Subject, _ verdict: ReferenceVerdict) -> Bool {
        cases.contains { _, subjects, verdicts in
            zip(subjects, verdicts).contains { other, ruling in
                guard other.key != subject.key, let record = other.purchase?.record, record.ownership != .familyShared,
                    record.product == subject.purchase?.record.product, record.type(night.policy) == .nonConsumable,
                    record.environment == night.policy.environment, ruling.verdict == .paidNotCredited,
                    !ruling.flags.contains(.refundReported), ruling.owner.map(plain) == plain(verdict.owner!)
                else { return false }
                return (ruling.anchor, plain(record.id)) < (verdict.anchor, verdict.transactions.map(plain).min()!)
            }
        }
    }

    /// "The owner has the product already by another payment, and it is a Non-Consumable."
    fileprivate func isOwned(_ subject: Subject, _ verdict: ReferenceVerdict) -> Bool {
        if wasGiven(subject, verdict) || lacksEarlier(subject, verdict) { return true }
        return cases.contains { _, subjects, verdicts in
            zip(subjects, verdicts).contains { other, ruling in
                guard other.key != subject.key, let record = other.purchase?.record, record.isProven,
                    record.product == subject.purchase?.record.product, record.ownership != .familyShared,
                    record.type(night.policy) == .nonConsumable, record.environment == night.policy.environment,
                    other.purchase?.fullRevocation == nil, other.purchase?.partial == nil,
                    other.netCredits(night.policy) > 0
                else { return false }
                return other.creditsLeft.map(\.credit).contains {
                    $0.product ?? record.product == record.product && plain($0.account) == plain(verdict.owner!)
                        && ruling.owner ?? $0.account == $0.account
                }
            }
        }
    }

    /// "A receipt of another account was once accepted for the purchase", or for another spelling of its id. A version
    /// does not count where its account's current receipt names the same record of Apple's.
    fileprivate func isDisputed(_ wanted: Wanted, _ receipts: [Receipt]) -> Bool {
        receipts.contains { receipt in
            let isOnRecord = standing.file.transactions.contains { $0.id == receipt.transaction }
            var accepted = receipt
            accepted.setFurther([])
            return receipt.vouchesForItsClaim && wanted.isClaimed(by: accepted) && receipt.account != wanted.owner
                && !(isOnRecord
                    && standing.file.receipts.contains {
                        $0.account == receipt.account && $0.transaction == receipt.transaction
                    })
        }
    }

    /// "One of its receipts names the purchase's transaction, in any spelling." Superseded and rejected ones count.
    fileprivate func claimants(of wanted: Wanted, _ receipts: [Receipt], _ unusable: [UnusableRow]) -> Set<String> {
        Set(receipts.filter(wanted.isClaimed).map { plain($0.account) }).union(words(claiming: wanted, unusable))
    }

    /// The words of rejected receipts that name the purchase: its accounts and orders are among them.
    fileprivate func words(claiming wanted: Wanted, _ unusable: [UnusableRow]) -> Set<String> {
        unusable.filter { $0.kind == .receipts && wanted.isDue($0, night.policy) }.map(\.words)
            .filter { !$0.isDisjoint(with: wanted.transactions.union([wanted.original].compactMap { $0 })) }
            .reduce([]) { $0.union($1) }
    }

    fileprivate func strays(_ evidence: Evidence) -> [Stray] {
        var found: [Stray] = []
        for (file, subjects, verdicts) in cases {
            for (subject, verdict) in zip(subjects, verdicts) {
                let unplaced = Set(unplacedCredits(subject, verdict).map(\.credit.id))
                // "Beside a reversal, a credit left counts as given when the last credit was."
                let last = subject.reversals.isEmpty ? nil : subject.credits.map(\.credit.creditedAt).max()
                // "An order that says `credited` counts as one where no credit is left and no payment accounts for it."
                let isPaid = subject.purchase.map { $0.record.isProven && $0.fullRevocation == nil } ?? false
                if subject.creditsLeft.isEmpty, !isPaid {
                    found += subject.orders.filter { $0.status == .credited }.map { order in
                        Stray(
                            account: order.account, order: order.id, transaction: order.transaction,
                            at: givenAt(order, evidence.orders), isUnplaced: true)
                    }
                }
                for entry in subject.credits {
                    var credit = entry.credit
                    let order = file.orders.first { $0.id == credit.order }
                    if credit.transaction == nil { credit.transaction = order?.transaction }
                    if entry.isImplicit, let order { credit.creditedAt = givenAt(order, evidence.orders) }
                    // "Of several versions, that of the first one that says no less."
                    let given = entry.credit
                    let fileDate = evidence.credits.filter {
                        $0.id == given.id && $0.kind == given.kind && $0.account == given.account
                            && $0.order == given.order && $0.transaction == given.transaction
                            && ($0.quantity ?? 1) >= (given.quantity ?? 1)
                    }.map(\.source.fileDate).min()
                    if !entry.isImplicit, let fileDate, isLate(credit, in: fileDate) {
                        credit.creditedAt = night.policy.zone.end(of: fileDate)
                    }
                    credit.creditedAt = max(credit.creditedAt, last ?? credit.creditedAt)
                    let isUnplaced = unplaced.contains(credit.id)
                    let isPaymentKnown = file.transactions.contains { $0.id == given.transaction }
                    let namesAnother =
                        credit.order.map { id in !file.orders.contains { $0.id == id } } == true
                        || given.transaction != nil && !isPaymentKnown
                    if isUnplaced || namesAnother {
                        found.append(Stray(credit, isUnplaced: isUnplaced))
                        found[found.count - 1].isAlone = order == nil && !isPaymentKnown
                        found[found.count - 1].isKnown = evidence.knows(credit.account, night.policy)
                        if given.origin == .desk {
                            found[found.count - 1].deskCells =
                                [given.id, given.account] + [given.order, credit.transaction].compactMap(\.self)
                        }
                    }
                    // "An unplaced credit counts for its account, and for the account of its order."
                    if isUnplaced, let order {
                        found.append(Stray(credit, isUnplaced: true))
                        found[found.count - 1].account = order.account
                    }
                }
            }
        }
        return found + recordsUnderOneId(evidence)
    }

    /// "An implicit credit counts as given at the end of the date of its order's file if the order has no `updated_at`,
    /// or if no earlier file called the order `credited`"; at any time "if a file of that date or a later one came
    /// before and did not call it `credited`".
    private func givenAt(_ order: Order, _ versions: [Order]) -> Instant {
        let cameBefore = versions.contains {
            $0.id == order.id && $0.status != .credited && $0.source.fileDate >= order.source.fileDate
                && $0.source.delivery < order.source.delivery
        }
        let wasCredited = versions.contains {
            $0.id == order.id && $0.status == .credited && $0.source.fileDate < order.source.fileDate
        }
        let end = night.policy.zone.end(of: order.source.fileDate)
        if wasCredited, let updatedAt = order.updatedAt { return updatedAt }
        return cameBefore ? Instant(milliseconds: .max) : max(order.updatedAt ?? order.createdAt, end)
    }

    /// "A credit whose row came in a file of two or more dates after its own and later than the first business date counts as given
    /// at the end of that file's date."
    private func isLate(_ credit: Credit, in fileDate: BusinessDate) -> Bool {
        guard let first = night.horizon.coverage.firstDate else { return false }
        let date = night.policy.zone.date(of: credit.creditedAt)
        return fileDate > first && fileDate > date.advanced(by: 1)
    }

    /// "No payment of its account accounts for these goods."
    private func unplacedCredits(_ subject: Subject, _ verdict: ReferenceVerdict) -> [Entry] {
        let left = subject.creditsLeft
        // "The last credit, if reversals took back fewer pieces than were given."
        func pieces(_ rows: [Entry]) -> Int { rows.reduce(0) { $0 + Int($1.credit.quantity ?? 1) } }
        let rest = pieces(subject.credits) > pieces(subject.reversals) ? Array(subject.credits.suffix(1)) : []
        guard let purchase = subject.purchase, purchase.record.isProven, purchase.fullRevocation == nil,
            purchase.partial?.expected != nil || purchase.partial == nil || subject.reversals.isEmpty
        else {
            return left.isEmpty ? rest : left
        }
        if [.creditedNotPaid, .outOfScope].contains(verdict.verdict) { return left.isEmpty ? rest : left }
        if verdict.verdict == .refundedNotReversed { return left }
        if verdict.verdict == .valueMismatch, [.product, .quantity].contains(verdict.cause) { return left }
        let strangers = left.filter { verdict.owner != nil && $0.credit.account != verdict.owner }
        let linkedByClients = subject.receiptLinkedOrders.isEmpty ? [] : left.filter { $0.credit.transaction == nil }
        let second = verdict.verdict == .creditedTwice ? Array(left.dropFirst()) : []
        return strangers + linkedByClients + second
    }

    /// "Its case consists of one payment, one order and one credit, with at most one receipt, and any reversals. The version has the
    /// same product and quantity, and by the end of its file's date the credit was given and nothing had been taken back."
    private func isExplained(_ version: Order, _ order: Order) -> Bool {
        let file = cases.map(\.0).first { $0.orders.map(\.id) == [order.id] }
        let given = file?.credits.filter { $0.kind == .credit } ?? []
        guard let file, file.transactions.count == 1, given.count == 1, file.receipts.count <= 1,
            version.product == order.product, version.quantity == order.quantity
        else { return false }
        let end = night.policy.zone.end(of: version.source.fileDate)
        return given[0].creditedAt <= end
            && file.credits.allSatisfy { $0.kind == .credit || $0.creditedAt >= end }
    }

    /// "Names the same time of day."
    private func isSameTime(_ one: Instant, _ other: Instant) -> Bool {
        one == other && night.policy.zone.start(of: night.policy.zone.date(of: one)) != one
    }

    /// "The account alone differs."
    private func isTakenOver(_ row: Order, _ current: Order) -> Bool {
        isSameTime(row.createdAt, current.createdAt) && row.product == current.product
            && row.quantity == current.quantity && row.amount == current.amount
    }

    /// "It is a row whose id another record has", or an earlier version of an order that said `credited`.
    private func recordsUnderOneId(_ evidence: Evidence) -> [Stray] {
        var found: [Stray] = []
        for row in evidence.credits where row.kind == .credit {
            guard let current = standing.file.credits.first(where: { $0.id == row.id }) else { continue }
            let isAnother =
                row.kind != current.kind || row.account != current.account
                || row.order != nil && row.order != current.order
                || row.transaction != nil && row.transaction != current.transaction
            // "The account alone differs, and the row is of a payment or an order on record."
            let isOfCase = cases.contains { file, _, _ in
                file.credits.contains { $0.id == row.id }
                    && (current.transaction.map { id in file.transactions.contains { $0.id == id } }
                        ?? file.orders.contains { $0.id == current.order })
            }
            let isTakenOver =
                isOfCase && row.kind == current.kind && row.order == current.order && row.product == current.product
                && row.transaction == current.transaction && row.quantity == current.quantity
                && isSameTime(row.creditedAt, current.creditedAt)
            if isAnother, !isTakenOver { found.append(Stray(row, isUnplaced: true)) }
        }
        for row in evidence.orders {
            guard let current = standing.file.orders.first(where: { $0.id == row.id }),
                row.account != current.account && !isTakenOver(row, current)
                    || row.account != current.account && row.status == .credited
                        && !(current.status == .credited && isExplained(row, current))
                    || row.transaction != nil && row.transaction != current.transaction
                    || row.status == .credited && current.status != .credited && !isExplained(row, current)
            else { continue }
            found.append(
                Stray(
                    account: row.account, order: row.id, transaction: row.transaction,
                    at: givenAt(row, evidence.orders), isUnplaced: row.status == .credited))
        }
        return found
    }
}

extension Stray {
    fileprivate init(_ credit: Credit, isUnplaced: Bool) {
        self.init(
            account: credit.account, order: credit.order, transaction: credit.transaction, at: credit.creditedAt,
            isUnplaced: isUnplaced)
    }
}
