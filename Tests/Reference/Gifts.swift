package import Domain

/// A row that could not be used.
package struct UnusableRow: Sendable {
    package var kind: FeedKind
    package var fileDate: BusinessDate
    /// Empty if the row is beyond reading.
    package var text: String

    package init(kind: FeedKind, fileDate: BusinessDate, text: String) {
        self.kind = kind
        self.fileDate = fileDate
        self.text = text
    }
}

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
            let wanted = Wanted(subject, verdict, policy)
            if strays.contains(where: wanted.mayHaveBeenGiven) || unusable.contains(where: { wanted.isIn($0, policy) })
            {
                continue
            }
            found.insert(subject.key.id)
        }
    }
    return found
}

/// Goods on record that may have been meant for a purchase of another case.
private struct Stray {
    var account: Identifier
    var order: Identifier?
    var transaction: Identifier?
    var at: Instant
    var isUnplaced: Bool
}

extension Examined {
    /// "A proven record of Apple's, a known owner; no day since the day before the anchor without a credits file, and none
    /// with a gap."
    fileprivate func isDemanded(_ subject: Subject, _ verdict: ReferenceVerdict) -> Bool {
        guard verdict.verdict == .paidNotCredited, verdict.action == .credit, let record = subject.purchase?.record,
            record.proof == .verified || record.proof == .vouched, !record.isFromReceipt, verdict.owner != nil
        else { return false }
        let first = night.policy.zone.date(of: verdict.anchor).advanced(by: -1)
        let coverage = night.horizon.coverage
        return !coverage.creditsUnseen.contains { $0 >= first }
            && ![FeedKind.orders, .credits, .transactions].contains {
                coverage.hasGap($0, from: first, through: night.horizon.businessDate)
            }
    }

    fileprivate func strays(_ evidence: Evidence) -> [Stray] {
        var found: [Stray] = []
        for (file, subjects, verdicts) in cases {
            for (subject, verdict) in zip(subjects, verdicts) {
                let unplaced = Set(unplacedCredits(subject, verdict).map(\.credit.id))
                for entry in subject.credits {
                    var credit = entry.credit
                    let order = file.orders.first { $0.id == credit.order }
                    // "An implicit credit whose order has no `updated_at` counts as given on the date of the order's file."
                    if entry.isImplicit, let order, order.updatedAt == nil {
                        credit.creditedAt = max(order.createdAt, night.policy.zone.end(of: order.source.fileDate))
                    }
                    let isUnplaced = unplaced.contains(credit.id)
                    let namesAnother =
                        credit.order.map { id in !file.orders.contains { $0.id == id } } == true
                        || credit.transaction.map { id in !file.transactions.contains { $0.id == id } } == true
                    if isUnplaced || namesAnother { found.append(Stray(credit, isUnplaced: isUnplaced)) }
                    // "It counts for the account of its order as well."
                    if isUnplaced, let order {
                        found.append(Stray(credit, isUnplaced: true))
                        found[found.count - 1].account = order.account
                    }
                }
            }
        }
        return found + recordsUnderOneId(evidence)
    }

    /// "No payment of its account accounts for these goods."
    private func unplacedCredits(_ subject: Subject, _ verdict: ReferenceVerdict) -> [Entry] {
        let left = subject.creditsLeft
        guard let purchase = subject.purchase, purchase.record.isProven, purchase.fullRevocation == nil else {
            return left
        }
        if [.creditedNotPaid, .outOfScope].contains(verdict.verdict) { return left }
        if verdict.verdict == .valueMismatch, [.product, .quantity].contains(verdict.cause) { return left }
        let strangers = left.filter { verdict.owner != nil && $0.credit.account != verdict.owner }
        let linkedByClients = subject.receiptLinkedOrders.isEmpty ? [] : left.filter { $0.credit.transaction == nil }
        let second = verdict.verdict == .creditedTwice ? Array(left.dropFirst()) : []
        return strangers + linkedByClients + second
    }

    /// "It is a row whose id another record has", or an earlier version of an order that said `credited`.
    private func recordsUnderOneId(_ evidence: Evidence) -> [Stray] {
        var found: [Stray] = []
        for row in evidence.credits where row.kind == .credit {
            guard let current = standing.file.credits.first(where: { $0.id == row.id }) else { continue }
            let isAnother =
                row.account != current.account || contradict(row.order, current.order)
                || contradict(row.transaction, current.transaction)
            if isAnother { found.append(Stray(row, isUnplaced: true)) }
        }
        for row in evidence.orders {
            guard let current = standing.file.orders.first(where: { $0.id == row.id }),
                row.account != current.account || contradict(row.transaction, current.transaction)
                    || row.status == .credited && current.status != .credited
            else { continue }
            found.append(
                Stray(
                    account: row.account, order: row.id, transaction: row.transaction,
                    at: row.updatedAt ?? max(row.createdAt, night.policy.zone.end(of: row.source.fileDate)),
                    isUnplaced: row.status == .credited))
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

/// A purchase that looks uncredited, as other rows may name it.
private struct Wanted {
    var owner: Identifier?
    var ids: Set<String>
    /// "Since the day before the purchase."
    var since: Instant

    init(_ subject: Subject, _ verdict: ReferenceVerdict, _ policy: Policy) {
        owner = verdict.owner
        let credited = (subject.credits + subject.reversals).compactMap(\.credit.order)
        ids = Set(
            (verdict.orders + verdict.transactions + credited + [verdict.suggestedOrder].compactMap { $0 }).map(plain)
        ).subtracting([""])
        since = policy.zone.start(of: policy.zone.date(of: verdict.anchor).advanced(by: -1))
    }

    /// "A stray credit names one of its orders or transactions in any spelling; or the owner has had unplaced goods since
    /// the day before the purchase, whatever their product."
    func mayHaveBeenGiven(by stray: Stray) -> Bool {
        if [stray.order, stray.transaction].contains(where: { $0.map { ids.contains(plain($0)) } ?? false }) {
            return true
        }
        return stray.isUnplaced && owner.map(plain) == plain(stray.account) && stray.at >= since
    }

    /// "A rejected row of credits, orders or transactions mentions one of the purchase's orders or transactions; or a
    /// rejected row of credits mentions the owner or cannot be searched."
    func isIn(_ row: UnusableRow, _ policy: Policy) -> Bool {
        guard policy.zone.end(of: row.fileDate) > since else { return false }
        let words = Set(row.text.split(separator: ",").map { plain(Identifier(String($0))) })
        if !words.isDisjoint(with: ids) { return true }
        return row.kind == .credits && (row.text.isEmpty || owner.map { words.contains(plain($0)) } == true)
    }
}

/// Without letter case, leading zeros and surrounding blanks.
private func plain(_ id: Identifier) -> String {
    String(id.text.lowercased().drop { $0 == " " || $0 == "0" })
}
