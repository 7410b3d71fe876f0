internal import Domain
internal import Finance
internal import Matching

/// One way through the ledger: every case matched and judged as of a run, and added to the month's figures.
struct MonthPass {
    let stream: CaseStream
    let scope: MonthScope
    let basis: Basis
    /// Evidence up to this delivery was known when months were last reported closed; nil where none is.
    let reportedDelivery: Int32?
    /// The scope's windows of closed months, and their names.
    let closed: [(window: Range<Instant>, name: String)]

    /// - Parameter isLatest: the run is the history's last one.
    func run(_ history: some MonthHistory, isLatest: Bool) throws -> MonthSum {
        let owners = try tokenOwners(history, isLatest: isLatest)
        let adder = MonthAdder(
            scope: scope, basis: basis, reportedDelivery: reportedDelivery, closed: closed, owner: owners.owner)
        let parts = try stream.parts(MonthSum(scope)) { stored, sum in adder.add(stored, to: &sum) }
        return parts.dropFirst().reduce(into: parts[0]) { $0.merge($1) }
    }

    /// A history keeps owners as they are now; what they were is counted from the orders known then.
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
    let reportedDelivery: Int32?
    let closed: [(window: Range<Instant>, name: String)]
    let owner: @Sendable (Token) -> TokenOwner

    func add(_ stored: StoredEvidence, to sum: inout MonthSum) {
        let changed = reportedDelivery.map { stored.changed(since: $0) } ?? StoredEvidence()
        let judged = judged(stored)
        var evidence = Case()
        for number in 0..<judged.cases.count where !addClean(number, of: judged, &sum.tally) {
            let cases = judged.cases
            let superseded = cases.transactionGroups.superseded(in: number).map { cases.transactions[Int($0)] }
            judged.forEachSubject(of: number, in: &evidence) { subject, judgement, file in
                sum.tally.add(subject, judgement, in: file, superseded: superseded)
            }
        }
        guard let reportedDelivery, !changed.isEmpty else { return }
        restate(changed, times: 1, &sum)
        restate(changed.known(through: reportedDelivery), times: -1, &sum)
    }

    private func judged(_ stored: StoredEvidence) -> JudgedCases {
        JudgedCases(
            Versions(stored.evidence, policy: basis.policy), basis, stored: stored.cases, owner: owner)
    }

    /// Adds the case to the tally at once, where it is what nearly all are.
    private func addClean(_ number: Int, of judged: JudgedCases, _ tally: inout MonthTally) -> Bool {
        guard judged.cases.transactionGroups.superseded(in: number).isEmpty, let clean = judged.cleanMatch(number)
        else { return false }
        let (cases, amount) = (judged.cases, clean.amount)
        return tally.addSettled(
            cases.transactions[clean.transaction], creditedAt: cases.credits[clean.credit].creditedAt, amount: amount)
    }

    private func restate(_ stored: StoredEvidence, times: Int64, _ sum: inout MonthSum) {
        let judged = judged(stored)
        var evidence = Case()
        for number in 0..<judged.cases.count {
            judged.forEachSubject(of: number, in: &evidence) { subject, judgement, file in
                let legs = Legs(subject, judgement, in: file, policy: basis.policy)
                for (index, month) in closed.enumerated() {
                    sum.changes.add(legs, of: subject, judgement, within: month.window, number: index, times: times)
                }
            }
        }
    }
}

/// What a pass adds up.
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
    /// All evidence of cases of which some came after that delivery.
    func changed(since delivery: Int32) -> StoredEvidence {
        var cases = Set<Int64>()
        func note<Item>(_ items: [Item], _ numbers: [Int64], _ source: (Item) -> Provenance) {
            for (item, number) in zip(items, numbers) where source(item).delivery > delivery { cases.insert(number) }
        }
        note(evidence.orders, orderCases, \.source)
        note(evidence.credits, creditCases, \.source)
        note(evidence.transactions, transactionCases, \.source)
        note(evidence.receipts, receiptCases, \.source)
        return cases.isEmpty ? StoredEvidence() : filtered { number, _ in cases.contains(number) }
    }

    func known(through delivery: Int32) -> StoredEvidence { filtered { _, source in source.delivery <= delivery } }

    /// Without what was or is standing: that is asked for of whole cases only.
    private func filtered(_ isWanted: (_ caseID: Int64, _ source: Provenance) -> Bool) -> StoredEvidence {
        func pick<Item>(
            _ items: [Item], _ numbers: [Int64], _ source: (Item) -> Provenance
        ) -> (items: [Item], numbers: [Int64]) {
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
