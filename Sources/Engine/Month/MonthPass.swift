internal import Domain
internal import Finance
internal import Matching

/// One pass through the history: every case is matched and judged as of a run, and added to the month's figures.
struct MonthPass {
    let stream: CaseStream
    let scope: MonthScope
    let basis: Basis
    /// The number of the last delivery that was known when a month was last closed. Nil if none was.
    let reportedDelivery: DeliveryID?
    /// The closed months, with their spans of time: the first windows of `scope`.
    let closed: [(window: Range<Instant>, name: String)]

    /// - Parameter isLatest: whether the run is the history's last one.
    func run(_ history: some MonthHistory, isLatest: Bool) throws -> MonthSum {
        let owners = try tokenOwners(history, isLatest: isLatest)
        let adder = MonthAdder(
            scope: scope, basis: basis, reportedDelivery: reportedDelivery, closed: closed, owner: owners.owner)
        let parts = try stream.parts(MonthSum(scope)) { stored, sum in adder.add(stored, to: &sum) }
        return parts.dropFirst().reduce(into: parts[0]) { $0.merge($1) }
    }

    /// The owners of tokens as of the run. A history keeps only the present ones; earlier ones are counted from the
    /// orders known then.
    private func tokenOwners(_ history: some MonthHistory, isLatest: Bool) throws -> TokenOwnerList {
        guard basis.policy.tokenUse == .account else { return TokenOwnerList([]) }
        if isLatest { return try TokenOwnerList(history) }
        let policy = basis.policy
        let parts = try stream.parts([(token: Token, account: Identifier)]()) { stored, orders in
            orders += Versions(stored.evidence, policy: policy).tokenOrders
        }
        return TokenOwnerList(parts.flatMap { $0 })
    }
}

/// Adds cases to a month's figures.
private struct MonthAdder: Sendable {
    let scope: MonthScope
    let basis: Basis
    let reportedDelivery: DeliveryID?
    let closed: [(window: Range<Instant>, name: String)]
    let owner: @Sendable (Token) -> TokenOwner

    func add(_ stored: StoredEvidence, to sum: inout MonthSum) {
        let changed = reportedDelivery.map { stored.changed(since: $0) } ?? StoredEvidence()
        let judged = judged(stored)
        var evidence = Case()
        for number in 0..<judged.cases.count where !addClean(number, of: judged, &sum.tally) {
            let cases = judged.cases
            let superseded = cases.transactionGroups.superseded(in: number).map { cases.transactions[Int($0)] }
            var subjects: [(subject: Subject, judgement: Judgement)] = []
            judged.forEachSubject(of: number, in: &evidence) { subject, judgement, _ in
                subjects.append((subject, judgement))
            }
            let orders = bookedOrders(of: subjects.map(\.subject))
            for (item, orders) in zip(subjects, orders) {
                sum.tally.add(item.subject, item.judgement, in: evidence, orders: orders, superseded: superseded)
            }
        }
        guard let reportedDelivery, !changed.isEmpty else { return }
        // What closed months change by: these cases as they are now, less the same cases as they were known at the last
        // closing.
        restate(changed, times: 1, &sum)
        restate(changed.known(through: reportedDelivery), times: -1, &sum)
    }

    private func judged(_ stored: StoredEvidence) -> JudgedCases {
        JudgedCases(
            Versions(stored.evidence, policy: basis.policy), basis, stored: stored.cases, owner: owner)
    }

    /// Adds the case to the tally at once if it matches cleanly, as nearly all do. False if it does not.
    private func addClean(_ number: Int, of judged: JudgedCases, _ tally: inout MonthTally) -> Bool {
        guard judged.cases.transactionGroups.superseded(in: number).isEmpty, let clean = judged.cleanMatch(number)
        else { return false }
        let (cases, amount) = (judged.cases, clean.amount)
        return tally.addCleanMatch(
            cases.transactions[clean.transaction], cases.orders[clean.order],
            creditedAt: cases.credits[clean.credit].creditedAt, amount: amount)
    }

    /// Adds what the subjects of these cases moved in closed months, `times` times: 1 to add, −1 to subtract.
    private func restate(_ stored: StoredEvidence, times: Int64, _ sum: inout MonthSum) {
        let judged = judged(stored)
        var evidence = Case()
        for number in 0..<judged.cases.count {
            let cases = judged.cases
            let superseded = cases.transactionGroups.superseded(in: number).map { cases.transactions[Int($0)] }
            judged.forEachSubject(of: number, in: &evidence) { subject, judgement, file in
                let legs = Legs(subject, judgement, in: file, superseded: superseded, policy: basis.policy)
                for (index, month) in closed.enumerated() {
                    sum.changes.add(legs, of: subject, judgement, within: month.window, number: index, times: times)
                }
            }
        }
    }
}

/// The orders whose bookings count for each of a case's subjects: those that decide about it, then those that are only
/// shown with it. Each order counts once.
private func bookedOrders(of subjects: [Subject]) -> [[Int]] {
    var taken = Set<Int>()
    var orders = subjects.map { subject in subject.orders.filter { taken.insert($0).inserted } }
    for (index, subject) in subjects.enumerated() {
        orders[index] += subject.otherOrders.filter { taken.insert($0).inserted }
    }
    return orders
}

/// The sums of a pass.
struct MonthSum: Sendable {
    var tally: MonthTally
    var changes = ClosedChanges()

    init(_ scope: MonthScope) { tally = MonthTally(scope) }

    mutating func merge(_ other: MonthSum) {
        tally.merge(other.tally)
        changes.merge(other.changes)
    }
}

extension StoredEvidence {
    /// All evidence of those cases that contain evidence of a later delivery than `delivery`.
    func changed(since delivery: DeliveryID) -> StoredEvidence {
        var cases = Set<CaseID>()
        func note<Item>(_ items: [Item], _ numbers: [CaseID], _ source: (Item) -> Provenance) {
            for (item, number) in zip(items, numbers) where source(item).delivery > delivery { cases.insert(number) }
        }
        note(evidence.orders, orderCases, \.source)
        note(evidence.credits, creditCases, \.source)
        note(evidence.transactions, transactionCases, \.source)
        note(evidence.receipts, receiptCases, \.source)
        return cases.isEmpty ? StoredEvidence() : filtered { number, _ in cases.contains(number) }
    }

    /// The evidence of deliveries up to number `delivery`.
    func known(through delivery: DeliveryID) -> StoredEvidence { filtered { _, source in source.delivery <= delivery } }

    /// The evidence wanted, without the marks of what was current: those make sense for whole cases only.
    private func filtered(_ isWanted: (_ caseID: CaseID, _ source: Provenance) -> Bool) -> StoredEvidence {
        func pick<Item>(
            _ items: [Item], _ numbers: [CaseID], _ source: (Item) -> Provenance
        ) -> (items: [Item], numbers: [CaseID]) {
            let places = items.indices.filter { isWanted(numbers[$0], source(items[$0])) }
            return (places.map { items[$0] }, places.map { numbers[$0] })
        }
        var found = StoredEvidence()
        (found.evidence.orders, found.orderCases) = pick(evidence.orders, orderCases, \.source)
        (found.evidence.credits, found.creditCases) = pick(evidence.credits, creditCases, \.source)
        (found.evidence.transactions, found.transactionCases) = pick(
            evidence.transactions, transactionCases, \.source)
        (found.evidence.receipts, found.receiptCases) = pick(evidence.receipts, receiptCases, \.source)
        return found
    }
}
