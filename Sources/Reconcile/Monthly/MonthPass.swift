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
        let parts = try stream.parts(MonthSum(scope)) { recalled, sum in
            add(recalled, owners, to: &sum)
        }
        return parts.dropFirst().reduce(into: parts[0]) { $0.merge($1) }
    }

    /// The ledger keeps owners as they are now; what they were is counted from the orders known then.
    private func tokenOwners(_ ledger: Ledger, isLatest: Bool) throws -> TokenList {
        guard scope.policy.tokenUse == .account else { return TokenList([]) }
        if isLatest { return try TokenList(ledger) }
        let policy = scope.policy
        let parts = try stream.parts([(token: Token, account: Identifier)]()) { recalled, orders in
            orders += CaseBook(recalled.evidence, policy: policy).tokenOrders
        }
        return TokenList(parts.flatMap { $0 })
    }

    private func add(_ recalled: Recalled, _ owners: TokenList, to sum: inout MonthSum) {
        let changed = reportedDelivery.map { recalled.changed(since: $0) } ?? Evidence()
        let book = CaseBook(recalled.evidence, policy: scope.policy)
        let settled = Settled(policy: scope.policy)
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
        _ number: Int, of book: CaseBook, _ settled: Settled, _ owners: TokenList, _ tally: inout MonthTally
    ) -> Bool {
        guard let sole = book.sole(number), book.transactionGroups.superseded(in: number).isEmpty else { return false }
        let (transaction, credit) = (book.transactions[sole.transaction], book.credits[sole.credit])
        let amount = settled.amount(
            transaction, book.orders[sole.order], credit, sole.receipt.map { book.receipts[$0] }, owner: owners.owner)
        guard let amount else { return false }
        return tally.addSettled(transaction, creditedAt: credit.creditedAt, amount: amount)
    }

    private func restate(_ evidence: Evidence, _ owners: TokenList, times: Int64, _ sum: inout MonthSum) {
        let book = CaseBook(evidence, policy: scope.policy)
        forEachSubject(of: book, owners, except: { _ in false }) { subject, judgement, file, _ in
            let legs = Legs(subject, judgement, in: file, policy: scope.policy)
            for (index, month) in closed.enumerated() {
                sum.changes.add(legs, of: subject, judgement, within: month.window, number: index, times: times)
            }
        }
    }

    private func forEachSubject(
        of book: CaseBook, _ owners: TokenList, except isDone: (Int) -> Bool,
        _ body: (Subject, Judgement, CaseFile, _ superseded: [Transaction]) -> Void
    ) {
        var file = CaseFile()
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

extension Recalled {
    /// All evidence of cases of which some came after that delivery.
    func changed(since delivery: Int32) -> Evidence {
        var cases = Set<Int64>()
        func note<Item>(_ items: [Item], _ numbers: [Int64], _ source: (Item) -> Provenance) {
            for (item, number) in zip(items, numbers) where source(item).delivery > delivery { cases.insert(number) }
        }
        note(evidence.orders, orderCases, \.source)
        note(evidence.credits, creditCases, \.source)
        note(evidence.transactions, transactionCases, \.source)
        note(evidence.receipts, receiptCases, \.source)
        var found = Evidence()
        if cases.isEmpty { return found }
        func pick<Item>(_ items: [Item], _ numbers: [Int64]) -> [Item] {
            zip(items, numbers).filter { cases.contains($0.1) }.map(\.0)
        }
        found.orders = pick(evidence.orders, orderCases)
        found.credits = pick(evidence.credits, creditCases)
        found.transactions = pick(evidence.transactions, transactionCases)
        found.receipts = pick(evidence.receipts, receiptCases)
        return found
    }
}

extension Evidence {
    var isEmpty: Bool { orders.isEmpty && credits.isEmpty && transactions.isEmpty && receipts.isEmpty }

    func known(through delivery: Int32) -> Evidence {
        var known = Evidence()
        known.orders = orders.filter { $0.source.delivery <= delivery }
        known.credits = credits.filter { $0.source.delivery <= delivery }
        known.transactions = transactions.filter { $0.source.delivery <= delivery }
        known.receipts = receipts.filter { $0.source.delivery <= delivery }
        return known
    }
}
