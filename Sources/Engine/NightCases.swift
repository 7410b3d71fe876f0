internal import Domain
internal import Exceptions
internal import Matching
internal import Parallel

/// Tonight's cases, matched and judged: those that tonight's files touch, those that are still open, and those that may
/// be suggested for one of these.
///
/// Evidence of different cases that no identifier links may still belong together: an unlinked order may be suggested
/// for an unlinked purchase of its account and product. Such neighbours are found once a verdict says what is unlinked.
/// Tonight's evidence cannot change their verdicts, so they are matched and judged apart from the others, and only
/// their suggestions change.
struct NightCases {
    private let history: any History
    private let head: HistoryHead
    private let timer: any StageTimer
    private let threads: Int
    private let firstDelivery: Int32
    private let files: [Int32: String]
    private let digests: [Int32: String]
    private var basis: Basis

    private(set) var prior: PriorCases
    /// Neighbours: judged, and not in `cases`.
    private(set) var apart: Set<Int64> = []
    /// Stored evidence stands before tonight's. Without the neighbours.
    private(set) var cases = CaseSet()
    private(set) var owners = TokenOwners()
    /// Of `cases`, then of the neighbours.
    private(set) var numbering = CaseNumbering()
    private(set) var verdicts = Verdicts()
    /// The exceptions known of these cases.
    private(set) var exceptions: [ExceptionRecord] = []
    /// The facts of the whole history as they are from tonight on.
    private(set) var facts = LedgerFacts()

    /// The cases judged.
    var ids: Set<Int64> { prior.ids.union(apart) }

    init(
        _ history: some History, _ head: HistoryHead, _ news: consuming Evidence, _ basis: Basis, _ change: BasisChange,
        _ delivered: Delivered, threads: Int, _ timer: some StageTimer
    ) throws {
        self.history = history
        self.head = head
        self.timer = timer
        self.threads = threads
        self.basis = basis
        firstDelivery = delivered.firstDelivery
        files = head.deliveryNames.merging(delivered.deliveries.map { ($0.number, $0.name) }) { $1 }
        digests = head.deliveryDigests.merging(delivered.deliveries.map { ($0.number, $0.digest.hex) }) { $1 }
        prior = try timer.time("recall", of: "cases") { [news] work in
            try PriorCases(history, news, policy: basis.policy, isEverything: change.isForAll, work: work)
        }
        // A refusal is right as long as no purchase follows it; on a day that has a gap now, one may have.
        if change.isBlinder, !change.isForAll {
            try prior.add(history.cases(judged: .closed, .receiptRejected), from: history)
        }
        // Found again each night: by now another order may be as likely.
        self.basis.policy.facts.deskOrders = [:]
        try judge(news)
        let found = deskOrders
        if !found.isEmpty {
            // Each joins the case of an order with that of a purchase: both are matched again, and all others with them.
            self.basis.policy.facts.deskOrders = found
            let news = cases.evidence(after: prior.stored)
            try prior.add(apart, from: history)
            try judge(news)
        }
        let present = Set(cases.orders.map(\.id))
        facts.deskOrders.merge(basis.policy.facts.deskOrders.filter { !present.contains($0.key) }) { found, _ in found }
        verdicts.take(suggestions)
    }

    private mutating func judge(_ news: consuming Evidence) throws {
        let judged = try match(news)
        (cases, apart) = (judged.cases, [])
        numbering = CaseNumbering(cases, stored: prior.stored, next: head.nextCase)
        exceptions = prior.exceptions
        basis.policy.facts.crowdedTokens.formUnion(cases.crowdedTokens)
        facts = basis.policy.facts
        let observer = observer(of: numbering)
        verdicts = try timer.time("judge", of: "cases") { work in
            try judged.with(basis).verdicts(observer, threads: threads, work: work)
        }
        while true {
            let neighbours = try history.cases(unlinkedUnder: verdicts.suggestionKeys).subtracting(ids)
            if neighbours.isEmpty { break }
            try judgeApart(neighbours)
        }
        exceptions += try namesakes()
    }

    /// Matches stored evidence and tonight's.
    ///
    /// A receipt that was not accepted links the order it names only as long as nothing else of its account names that
    /// order. Whether something does may stand in another case, which is then loaded, and all is matched again.
    private mutating func match(_ news: consuming Evidence) throws -> JudgedCases {
        var news = news
        while true {
            let isRebuilt = head.lastRun == nil || prior.isEverything
            let (stored, basis, threads, history) = (prior.stored, basis, threads, history)
            let evidence = stored.evidence.appending(news.take())
            let (judged, owners) = try timer.time("match", of: "cases") { work in
                let usesTokens = basis.policy.tokenUse == .account
                let tokens = usesTokens && !isRebuilt ? evidence.tokens : []
                let versions = Versions(evidence, policy: basis.policy, threads: threads)
                var owners = TokenOwners(tokens.isEmpty ? [:] : try history.owners(of: tokens))
                if usesTokens { owners.count(versions, stored, isRebuilt: isRebuilt) }
                let judged = JudgedCases(versions, basis, threads: threads, owner: owners.owner)
                work.add(rows: judged.cases.count)
                return (judged, owners)
            }
            self.owners = owners
            try Interruption.process.check()
            let orders = judged.cases.contestedOrders(before: stored)
            let contested = orders.isEmpty ? [] : try history.cases(naming: orders).subtracting(prior.ids)
            if contested.isEmpty { return judged }
            news = judged.cases.evidence(after: stored)
            try prior.add(contested, from: history)
        }
    }

    /// Judges stored cases that tonight's evidence does not touch.
    private mutating func judgeApart(_ ids: Set<Int64>) throws {
        let stored = try history.load(cases: ids)
        let judged = try JudgedCases(history, stored, basis, threads: threads)
        let numbering = CaseNumbering(of: judged.cases, stored: stored)
        exceptions += try history.exceptions(ofCases: ids, except: Set(exceptions.map(\.id)))
        let verdicts = try judged.verdicts(observer(of: numbering), threads: threads)
        self.verdicts.append(verdicts, caseOffset: Int32(self.numbering.numbers.count))
        self.numbering.append(numbering)
        apart.formUnion(ids)
    }

    private func observer(of numbering: CaseNumbering) -> Observer {
        Observer(
            numbers: numbering.numbers, followed: numbering.cases(holdingAnyOf: Set(exceptions.map(\.caseID))),
            files: files, digests: digests, firstDelivery: firstDelivery)
    }

    private var suggestions: [SubjectKey: Suggestion] {
        Matching.suggestions(
            for: verdicts.unlinkedPurchases.map(\.purchase), among: verdicts.unlinkedOrders.map(\.order),
            window: basis.policy.suggestionWindow)
    }

    /// The orders by whose number the desk gave a purchase's goods, with the purchase's transaction.
    private var deskOrders: [Identifier: Identifier] {
        guard verdicts.unlinkedOrders.contains(where: \.order.isGivenByDesk) else { return [:] }
        var orders: [Identifier: Identifier] = [:]
        for (subject, suggestion) in suggestions {
            if case .givenByDesk(let order) = suggestion { orders[order] = subject.id }
        }
        return orders
    }

    /// Resolved exceptions first seen under the keys of tonight's, whose cases have gone elsewhere since.
    private func namesakes() throws -> [ExceptionRecord] {
        let subjects = Set(exceptions.map(\.subject))
        var ids = Set(exceptions.map(\.id))
        var found: [ExceptionRecord] = []
        for observation in verdicts.observations.lazy.map(\.observation)
        where observation.verdict.isException && !subjects.contains(observation.subject) {
            var occurrence = 1
            while true {
                let id = ExceptionRegister.id(of: observation.subject, again: occurrence)
                if ids.insert(id).inserted {
                    guard let record = try history.exception(id: id) else { break }
                    found.append(record)
                    if record.subject == observation.subject { break }
                }
                occurrence += 1
            }
        }
        return found
    }
}

extension JudgedCases {
    /// The same cases under a basis that matches them alike.
    fileprivate func with(_ basis: Basis) -> JudgedCases {
        var same = self
        same.basis = basis
        return same
    }
}

extension Evidence {
    fileprivate consuming func appending(_ other: consuming Evidence) -> Evidence {
        var all = self
        all.append(other)
        return all
    }
}

extension CaseSet {
    /// The evidence that stands after `stored`.
    fileprivate func evidence(after stored: StoredEvidence) -> Evidence {
        var evidence = Evidence()
        evidence.orders = Array(orders[stored.orderCases.count...])
        evidence.credits = Array(credits[stored.creditCases.count...])
        evidence.transactions = Array(transactions[stored.transactionCases.count...])
        evidence.receipts = Array(receipts[stored.receiptCases.count...])
        return evidence
    }

    /// Orders that stored receipts link without having been accepted.
    fileprivate func contestedOrders(before stored: StoredEvidence) -> Set<Identifier> {
        let receipts = contestableReceipts.lazy.filter { $0 < stored.receiptCases.count }
        return Set(receipts.compactMap { [self] in self.receipts[$0].order })
    }
}
