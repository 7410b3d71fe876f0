internal import Domain
internal import Finance
internal import Foundation
internal import Ledger
internal import Matching
internal import Rules

/// One way through the ledger: every case matched and judged as of a run, and added to the month's figures.
struct MonthPass: Sendable {
    let stream: CaseStream
    let scope: MonthScope
    let horizon: Horizon
    /// Evidence up to this delivery was known when months were last reported closed; nil where none is.
    let reportedDelivery: Int32?
    /// The scope's windows of closed months, and their names.
    let closed: [(window: Range<Instant>, name: String)]

    /// - Parameter isLatest: the run is the ledger's last one.
    func run(_ ledger: Ledger, isLatest: Bool) throws -> MonthSum {
        let owners = try tokenOwners(ledger, isLatest: isLatest)
        let parts = try stream.parts(MonthSum(scope)) { prior, sum in
            add(prior, owners, to: &sum)
        }
        return parts.dropFirst().reduce(into: parts[0]) { $0.merge($1) }
    }

    /// The ledger keeps owners as they are now; what they were is counted from the orders known then.
    private func tokenOwners(_ ledger: Ledger, isLatest: Bool) throws -> TokenList {
        guard scope.policy.tokenUse == .account else { return TokenList([]) }
        if isLatest { return try TokenList(ledger) }
        let policy = scope.policy
        let parts = try stream.parts([(token: Token, account: Identifier)]()) { prior, orders in
            orders += Versions(prior.evidence, policy: policy).tokenOrders
        }
        return TokenList(parts.flatMap { $0 })
    }

    private func add(_ prior: StoredEvidence, _ owners: TokenList, to sum: inout MonthSum) {
        let changed = reportedDelivery.map { prior.changed(since: $0) } ?? StoredEvidence()
        let book = CaseSet(
            Versions(prior.evidence, policy: scope.policy), policy: scope.policy, stored: prior.stored,
            owner: owners.owner)
        let settled = CleanMatch(policy: scope.policy)
        forEachSubject(
            of: book, owners, except: { isSettled($0, of: book, settled, owners, &sum.tally) },
            { subject, judgement, file, superseded in
                sum.tally.add(subject, judgement, in: file, superseded: superseded)
            })
        guard let reportedDelivery, !changed.isEmpty else { return }
        restate(changed, owners, times: 1, &sum)
        restate(changed.known(through: reportedDelivery), owners, times: -1, &sum)
    }

    /// Adds the case to the tally at once, where it is what nearly all are.
    private func isSettled(
        _ number: Int, of book: CaseSet, _ settled: CleanMatch, _ owners: TokenList, _ tally: inout MonthTally
    ) -> Bool {
        guard let singleton = book.singleton(number), book.transactionGroups.superseded(in: number).isEmpty else {
            return false
        }
        let (transaction, credit) = (book.transactions[singleton.transaction], book.credits[singleton.credit])
        let amount = settled.amount(
            transaction, book.orders[singleton.order], credit, singleton.receipt.map { book.receipts[$0] },
            owner: owners.owner)
        guard let amount else { return false }
        return tally.addSettled(transaction, creditedAt: credit.creditedAt, amount: amount)
    }

    private func restate(_ prior: StoredEvidence, _ owners: TokenList, times: Int64, _ sum: inout MonthSum) {
        let book = CaseSet(
            Versions(prior.evidence, policy: scope.policy), policy: scope.policy, stored: prior.stored,
            owner: owners.owner)
        forEachSubject(of: book, owners, except: { _ in false }) { subject, judgement, file, _ in
            let legs = Legs(subject, judgement, in: file, policy: scope.policy)
            for (index, month) in closed.enumerated() {
                sum.changes.add(legs, of: subject, judgement, within: month.window, number: index, times: times)
            }
        }
    }

    private func forEachSubject(
        of book: CaseSet, _ owners: TokenList, except isDone: (Int) -> Bool,
        _ body: (Subject, Judgement, Case, _ superseded: [Transaction]) -> Void
    ) {
        var file = Case()
        for number in 0..<book.count where !isDone(number) {
            book.load(number, into: &file)
            let superseded = book.transactionGroups.superseded(in: number).map { book.transactions[Int($0)] }
            for subject in subjects(of: file, policy: scope.policy, horizon: horizon, owner: owners.owner) {
                let facts = Facts(subject: subject, file: file, policy: scope.policy, horizon: horizon)
                body(subject, judge(facts), file, superseded)
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

extension StoredEvidence {
    /// Where the ledger keeps each piece.
    var stored: StoredCases {
        StoredCases(orders: orderCases, credits: creditCases, transactions: transactionCases, receipts: receiptCases)
    }
}
