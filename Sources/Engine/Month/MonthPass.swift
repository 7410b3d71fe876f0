internal import Domain
internal import Finance
internal import Matching
internal import ReportData

/// One pass through the history: every case is matched and judged as of a run, and added to the month's figures.
struct MonthPass {
    let stream: CaseStream
    let scope: MonthScope
    let basis: Basis
    /// The closed months. Their windows are the first ones of `scope`.
    let closed: ClosedMonths
    /// Receives the purchases and refunds of the month; nil if they are not listed.
    let sink: (any PurchaseSink)?

    /// - Parameter isLatest: whether the run is the history's last one.
    func run(_ history: some MonthHistory, isLatest: Bool) throws -> MonthSum {
        let owners = try tokenOwners(history, isLatest: isLatest)
        let adder = MonthAdder(
            scope: scope, basis: basis, closed: closed, owner: owners.owner, isListing: sink != nil)
        let parts = try stream.parts(MonthSum(scope)) { number, stored, sum in
            adder.add(stored, to: &sum)
            guard let sink else { return }
            try sink.add(sum.purchases, piece: number)
            sum.purchases.removeAll(keepingCapacity: true)
        }
        return parts.dropFirst().reduce(into: parts[0]) { $0.merge($1) }
    }

    /// The owners of tokens as of the run. A history keeps only the present ones; earlier ones are counted from the
    /// orders known then.
    private func tokenOwners(_ history: some MonthHistory, isLatest: Bool) throws -> TokenOwnerList {
        guard basis.policy.tokenUse == .account else { return TokenOwnerList([]) }
        if isLatest { return try TokenOwnerList(history) }
        let policy = basis.policy
        let parts = try stream.parts([(token: Token, account: Identifier)]()) { _, stored, orders in
            orders += Versions(stored.evidence, policy: policy).tokenOrders
        }
        return TokenOwnerList(parts.flatMap { $0 })
    }
}

private struct MonthAdder: Sendable {
    let scope: MonthScope
    let basis: Basis
    let closed: ClosedMonths
    let owner: @Sendable (Token) -> TokenOwner
    /// Whether purchases and refunds are listed.
    let isListing: Bool

    func add(_ stored: StoredEvidence, to sum: inout MonthSum) {
        let judged = judged(stored, basis)
        let cases = judged.cases
        sum.completeness.addStored(stored.evidence)
        var doubtful = Set<CaseID>()
        var evidence = Case()
        for number in 0..<cases.count where !addClean(number, of: judged, &sum) {
            if !closed.months.isEmpty { doubtful.formUnion(stored.caseIDs(of: number, in: cases)) }
            addCase(number, of: judged, &evidence, &sum)
        }
        guard let reported = closed.reported else { return }
        // What closed months change by: these cases as they are now, less the same cases as they were when the months
        // were last reported. A case without new evidence that matches cleanly is the same, unless the basis changed.
        if !closed.isSameBasis {
            restate(stored, reported, &sum)
        } else {
            doubtful.formUnion(stored.caseIDs(since: reported.delivery))
            if !doubtful.isEmpty { restate(stored.filtered { id, _ in doubtful.contains(id) }, reported, &sum) }
        }
    }

    private func judged(_ stored: StoredEvidence, _ basis: Basis) -> JudgedCases {
        JudgedCases(Versions(stored.evidence, policy: basis.policy), basis, stored: stored.cases, owner: owner)
    }

    /// Adds the case to the tally at once if it matches cleanly, as nearly all do. False if it does not.
    private func addClean(_ number: Int, of judged: JudgedCases, _ sum: inout MonthSum) -> Bool {
        guard judged.cases.transactionGroups.superseded(in: number).isEmpty,
            judged.cases.orderGroups.superseded(in: number).isEmpty, let clean = judged.cleanMatch(number)
        else { return false }
        let cases = judged.cases
        let (purchase, order) = (cases.transactions[clean.transaction], cases.orders[clean.order])
        guard
            sum.tally.addCleanMatch(
                purchase, order, creditedAt: cases.credits[clean.credit].creditedAt, amount: clean.amount)
        else { return false }
        let isWithin = scope.span.contains(purchase.purchasedAt)
        if isWithin {
            let outcome = PurchaseOutcome(purchase, cases.credits[clean.credit], basis.policy.zone)
            sum.outcomes.add(outcome, clean.amount)
        }
        sum.completeness.addCleanMatch(purchase, order, isWithin: isWithin)
        if isListing, isWithin { sum.purchases.append(PurchaseRow(purchase, of: order, amount: clean.amount, scope)) }
        return true
    }

    private func addCase(_ number: Int, of judged: JudgedCases, _ evidence: inout Case, _ sum: inout MonthSum) {
        let cases = judged.cases
        let superseded = cases.transactionGroups.superseded(in: number).map { cases.transactions[Int($0)] }
        let olderOrders = cases.orderGroups.superseded(in: number).map { cases.orders[Int($0)] }
        var subjects: [(subject: Subject, judgement: Judgement)] = []
        judged.forEachSubject(of: number, in: &evidence) { subject, judgement, file in
            subjects.append((subject, judgement))
            let outcome = PurchaseOutcome(subject, judgement, in: file, basis.policy)
            if let date = outcome?.date, scope.month.contains(date) { sum.outcomes.add(outcome, judgement.amount) }
        }
        let orders = bookedOrders(of: subjects.map(\.subject))
        var entries: [Completeness.Entry] = []
        for (item, orders) in zip(subjects, orders) {
            let legs = sum.tally.add(
                item.subject, item.judgement, in: evidence, orders: orders, superseded: superseded)
            entries.append(Completeness.Entry(subject: item.subject, judgement: item.judgement, orders: orders))
            if isListing {
                sum.purchases += PurchaseRow.rows(legs, of: item.subject, item.judgement, in: evidence, scope)
            }
        }
        sum.completeness.add(entries, in: evidence, superseded: superseded, olderOrders: olderOrders, scope)
    }

    /// Adds what the subjects of these cases move in closed months now, and subtracts what they moved as last reported.
    private func restate(
        _ stored: StoredEvidence, _ reported: (basis: Basis, delivery: DeliveryID), _ sum: inout MonthSum
    ) {
        restate(judged(stored, basis), closed.months.map(\.window), times: 1, &sum)
        let known = stored.filtered { _, source in source.delivery <= reported.delivery }
        restate(judged(known, reported.basis), closed.months.map(\.reported), times: -1, &sum)
    }

    private func restate(
        _ judged: JudgedCases, _ windows: [Range<Instant>], times: Int64, _ sum: inout MonthSum
    ) {
        let cases = judged.cases
        var evidence = Case()
        for number in 0..<cases.count {
            let superseded = cases.transactionGroups.superseded(in: number).map { cases.transactions[Int($0)] }
            judged.forEachSubject(of: number, in: &evidence) { subject, judgement, file in
                let legs = Legs(
                    subject, judgement, in: file, superseded: superseded, policy: judged.basis.policy)
                for (index, window) in windows.enumerated() {
                    sum.changes.add(legs, of: subject, judgement, within: window, number: index, times: times)
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
    var completeness = Completeness()
    /// How the goods of all purchases reached the customers.
    var outcomes = PurchaseTally()
    /// The purchases and refunds of the piece that is being added.
    var purchases: [PurchaseRow] = []

    init(_ scope: MonthScope) { tally = MonthTally(scope) }

    mutating func merge(_ other: MonthSum) {
        tally.merge(other.tally)
        changes.merge(other.changes)
        completeness.merge(other.completeness)
        outcomes.add(other.outcomes)
    }
}

extension StoredEvidence {
    /// The cases that contain evidence of a later delivery than `delivery`.
    fileprivate func caseIDs(since delivery: DeliveryID) -> Set<CaseID> {
        filtered { _, source in source.delivery > delivery }.caseIDs
    }

    /// The stored cases of a matched case's current evidence.
    fileprivate func caseIDs(of number: Int, in cases: CaseSet) -> Set<CaseID> {
        Set(cases.orderGroups[number].map { orders.cases[Int($0)] })
            .union(cases.creditGroups[number].map { credits.cases[Int($0)] })
            .union(cases.transactionGroups[number].map { transactions.cases[Int($0)] })
            .union(cases.receiptGroups[number].map { receipts.cases[Int($0)] })
    }
}
