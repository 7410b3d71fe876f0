internal import Domain
internal import Ledger
internal import Matching

/// Evidence recalled and new, matched and judged.
struct Stage {
    let book: CaseSet
    let numbering: CaseNumbering
    let tokens: TokenBook
    /// Exceptions known of these cases.
    let entries: [ExceptionRecord]
    private let followed: Set<Int32>
    private let firstDelivery: Int32
    /// As they are from tonight on, but for desk orders of other cases.
    private(set) var facts: LedgerFacts
    private(set) var verdicts: Verdicts

    init(
        _ priorCases: PriorCases, _ news: consuming Evidence, firstDelivery: Int32, policy: Policy,
        horizon: Horizon, ledger: Ledger, threads: Int, clock: StageClock
    ) throws {
        var evidence = priorCases.prior.evidence
        evidence.append(news)
        let isFirst = try ledger.isEmpty
        let isRebuilt = isFirst || priorCases.isEverything
        let tokenList =
            policy.tokenUse == .account
            ? evidence.orders.compactMap(\.token) + evidence.transactions.compactMap(\.token) : []
        (book, tokens) = try clock.time("match", of: "cases") { work in
            let versions = Versions(evidence.take(), policy: policy, threads: threads)
            var tokens = TokenBook()
            if policy.tokenUse == .account {
                tokens = try TokenBook(ledger: ledger, tokens: Set(tokenList), isRebuilt: isRebuilt)
                tokens.count(versions, prior: priorCases.prior, isRebuilt: isRebuilt)
            }
            let book = CaseSet(versions, policy: policy, threads: threads, owner: tokens.owner)
            work.add(rows: book.count)
            return (book, tokens)
        }
        try Interruption.process.check()
        let entries = priorCases.entries
        numbering = CaseNumbering(book, prior: priorCases.prior, next: isFirst ? 1 : try ledger.nextCase())
        followed = numbering.cases(holdingAnyOf: Set(entries.map(\.caseID)))
        self.firstDelivery = firstDelivery
        var policy = policy
        policy.facts.crowdedTokens.formUnion(book.crowdedTokens)
        facts = policy.facts
        let judging = CaseJudge(
            book: book, policy: policy, horizon: horizon, tokens: tokens, firstDelivery: firstDelivery,
            followed: followed)
        verdicts = try clock.time("judge", of: "cases") { try judging.verdicts(threads: threads, work: $0) }
        self.entries = isFirst ? [] : try entries + verdicts.namesakes(besides: entries, ledger: ledger)
    }

    /// Other cases that may change what becomes of these: they hold an order or a purchase to be suggested for one of
    /// these, or name an order that a receipt ties only as long as nothing else of its account names it.
    func neighbours(in ledger: Ledger, besides priorCases: PriorCases) throws -> Set<Int64> {
        if try ledger.isEmpty { return [] }
        let prior = priorCases.prior.receiptCases.count
        let orders = book.contestableReceipts.lazy.filter { $0 < prior }.compactMap { [book] in book.receipts[$0].order
        }
        return try ledger.casesUnlinked(suggestionHashes(ledger)).union(ledger.cases(naming: Set(orders)))
            .subtracting(priorCases.cases)
    }

    /// The orders by whose number the desk gave a purchase's goods, with the purchase's transaction.
    func deskOrders(window: Milliseconds) -> [Identifier: Identifier] {
        guard verdicts.unlinkedOrders.contains(where: \.order.isGivenByDesk) else { return [:] }
        var orders: [Identifier: Identifier] = [:]
        for (subject, suggestion) in suggestions(window: window) {
            if case .givenByDesk(let order) = suggestion { orders[order] = subject.id }
        }
        return orders
    }

    private func suggestions(window: Milliseconds) -> [SubjectKey: Suggestion] {
        Matching.suggestions(
            for: verdicts.unlinkedPurchases.map(\.purchase), among: verdicts.unlinkedOrders.map(\.order), window: window
        )
    }

    /// The keys under which other cases may hold an order or a purchase to be suggested for one of these.
    private func suggestionHashes(_ ledger: Ledger) -> Set<Int64> {
        var keys = Set(
            verdicts.unlinkedPurchases.map {
                ledger.suggestionHash(account: $0.purchase.owner, product: $0.purchase.product)
            })
        for entry in verdicts.unlinkedOrders {
            keys.insert(ledger.suggestionHash(account: entry.order.account, product: entry.order.product))
        }
        return keys
    }

    /// Keeps what is known of orders that were not looked at.
    mutating func keepDeskOrders(of others: [Identifier: Identifier]) {
        facts.deskOrders.merge(others) { found, _ in found }
    }

    /// Marks exceptions with the order that each most likely belongs to.
    mutating func suggest(window: Milliseconds) {
        let suggestions = suggestions(window: window)
        if suggestions.isEmpty { return }
        for index in verdicts.kept.indices {
            guard verdicts.kept[index].judgement.verdict.isException,
                let suggestion = suggestions[verdicts.kept[index].judgement.subject]
            else { continue }
            verdicts.suggest(suggestion, at: index)
        }
    }

    /// What the book is told: exceptions, and every subject of a case of which one is known.
    func observations(files: [Int32: String], digests: [Int32: String], threads: Int) -> [Observation] {
        concurrentMap(threads: threads, verdicts.kept.count, atOnce: 1024) { index in
            let kept = verdicts.kept[index]
            let number = verdicts.all[kept.position].caseIndex
            var file = Case()
            book.load(Int(number), into: &file)
            var observation = Observation(
                kept.judgement, in: file, caseID: numbering.numbers[Int(number)], files: files,
                firstDelivery: firstDelivery, isFollowed: followed.contains(number))
            if !followed.contains(number) { observation.id = ExceptionRegister.id(of: observation.subject) }
            // A suggestion may have made a person's of it since.
            if let demand = verdicts.demands[kept.position], demand.facts.action == kept.judgement.action {
                var demand = demand
                if let order = kept.judgement.suggestedOrder { demand.suggest(order) }
                observation.retry = demand.named(files: files, digests: digests)
            }
            return observation
        }
    }
}

extension Verdicts {
    /// Resolved exceptions first seen under the keys of tonight's, whose cases have gone elsewhere since.
    fileprivate func namesakes(besides entries: [ExceptionRecord], ledger: Ledger) throws -> [ExceptionRecord] {
        let subjects = Set(entries.map(\.subject))
        var ids = Set(entries.map(\.id))
        var found: [ExceptionRecord] = []
        for (judgement, _) in kept where judgement.verdict.isException && !subjects.contains(judgement.subject) {
            var again = 1
            while true {
                let id = ExceptionRegister.id(of: judgement.subject, again: again)
                if ids.insert(id).inserted {
                    guard let entry = try ledger.entry(id: id) else { break }
                    found.append(entry)
                    if entry.subject == judgement.subject { break }
                }
                again += 1
            }
        }
        return found
    }

    fileprivate mutating func suggest(_ suggestion: Suggestion, at index: Int) {
        switch suggestion {
        case .order(let id), .given(let id), .givenByDesk(let id):
            kept[index].judgement.flags.insert(.suggestedOrder)
            kept[index].judgement.suggestedOrder = id
        case .ambiguous: kept[index].judgement.flags.insert(.ambiguousOrder)
        }
        // Which order it was, and whether goods were given for it, decides what is owed: a person looks first.
        if case .order = suggestion {
        } else if [.credit, .wait].contains(kept[index].judgement.action) {
            kept[index].judgement.action = .investigate
        }
        all[kept[index].position].flags = kept[index].judgement.flags
    }
}

extension TokenBook {
    /// Takes the orders that counted before out, and those that count now in.
    mutating func count(_ versions: Versions, prior: StoredEvidence, isRebuilt: Bool) {
        for (position, order) in versions.orders.enumerated() {
            let isRecalled = position < prior.orderCases.count
            let was = isRecalled && !isRebuilt && prior.orderWasCurrent[position]
            let isNow = versions.orderOutcomes[position] == .current
            if was != isNow { count(order, by: isNow ? 1 : -1) }
        }
    }
}
