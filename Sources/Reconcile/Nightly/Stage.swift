internal import Domain
internal import Ledger
internal import Matching

/// Evidence recalled and new, matched and judged.
struct Stage {
    let book: CaseBook
    let numbering: CaseNumbering
    let tokens: TokenBook
    /// Exceptions known of these cases.
    let entries: [BookEntry]
    private let followed: Set<Int32>
    private let firstDelivery: Int32
    private(set) var rulings: Rulings

    init(
        _ recollection: Recollection, _ news: consuming Evidence, firstDelivery: Int32, policy: Policy,
        horizon: Horizon, ledger: Ledger, threads: Int, clock: StageClock
    ) throws {
        var evidence = recollection.recalled.evidence
        evidence.append(news)
        let tokenList =
            policy.tokenUse == .account
            ? evidence.orders.compactMap(\.token) + evidence.transactions.compactMap(\.token) : []
        book = clock.time("match", of: "cases") { work in
            let book = CaseBook(evidence.take(), policy: policy, threads: threads)
            work.add(rows: book.count)
            return book
        }
        try Interruption.process.check()
        let isFirst = try ledger.isEmpty
        let entries = recollection.entries
        numbering = CaseNumbering(book, recalled: recollection.recalled, next: isFirst ? 1 : try ledger.nextCase())

        var tokens = TokenBook()
        if policy.tokenUse == .account {
            let isRebuilt = isFirst || recollection.isEverything
            tokens = try TokenBook(ledger: ledger, tokens: Set(tokenList), isRebuilt: isRebuilt)
            tokens.count(book, recalled: recollection.recalled, isRebuilt: isRebuilt)
        }
        self.tokens = tokens

        followed = numbering.cases(holdingAnyOf: Set(entries.map(\.caseFile)))
        self.firstDelivery = firstDelivery
        let judging = Judging(
            book: book, policy: policy, horizon: horizon, tokens: tokens, firstDelivery: firstDelivery,
            followed: followed)
        rulings = try clock.time("judge", of: "cases") { try judging.rulings(threads: threads, work: $0) }
        self.entries = isFirst ? [] : try entries + rulings.namesakes(besides: entries, ledger: ledger)
    }

    /// The keys under which other cases may hold an order or a purchase to be suggested for one of these.
    func looseKeys(_ ledger: Ledger) -> Set<Int64> {
        var keys = Set(
            rulings.loosePurchases.map { ledger.looseKey(account: $0.purchase.owner, product: $0.purchase.product) })
        for entry in rulings.unusedOrders {
            keys.insert(ledger.looseKey(account: entry.order.account, product: entry.order.product))
        }
        return keys
    }

    /// Marks exceptions with the order that each most likely belongs to.
    mutating func suggest(window: Milliseconds) {
        let suggestions = suggestions(
            for: rulings.loosePurchases.map(\.purchase), among: rulings.unusedOrders.map(\.order), window: window)
        if suggestions.isEmpty { return }
        for index in rulings.kept.indices {
            guard rulings.kept[index].judgement.verdict.isException,
                let suggestion = suggestions[rulings.kept[index].judgement.subject]
            else { continue }
            rulings.suggest(suggestion, at: index)
        }
    }

    /// What the book is told: exceptions, and every subject of a case of which one is known.
    func sightings(files: [Int32: String], digests: [Int32: String], threads: Int) -> [Sighting] {
        concurrentMap(threads: threads, rulings.kept.count, atOnce: 1024) { index in
            let kept = rulings.kept[index]
            let number = rulings.all[kept.position].caseNumber
            var file = CaseFile()
            book.load(Int(number), into: &file)
            var sighting = Sighting(
                kept.judgement, in: file, caseFile: numbering.numbers[Int(number)], files: files,
                firstDelivery: firstDelivery, isFollowed: followed.contains(number))
            if !followed.contains(number) { sighting.id = Book.id(of: sighting.subject) }
            // A suggestion may have made a person's of it since.
            if let demand = rulings.demands[kept.position], demand.facts.action == kept.judgement.action {
                sighting.retry = demand.named(files: files, digests: digests)
            }
            return sighting
        }
    }
}

extension Rulings {
    /// Resolved exceptions first seen under the keys of tonight's, whose cases have gone elsewhere since.
    fileprivate func namesakes(besides entries: [BookEntry], ledger: Ledger) throws -> [BookEntry] {
        let subjects = Set(entries.map(\.subject))
        var ids = Set(entries.map(\.id))
        var found: [BookEntry] = []
        for (judgement, _) in kept where judgement.verdict.isException && !subjects.contains(judgement.subject) {
            var again = 1
            while true {
                let id = Book.id(of: judgement.subject, again: again)
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
        case .order(let id):
            kept[index].judgement.flags.insert(.suggestedOrder)
            kept[index].judgement.suggestedOrder = id
        case .ambiguous:
            kept[index].judgement.flags.insert(.ambiguousOrder)
            // Which order it was decides what is given: a person looks first.
            if [.credit, .wait].contains(kept[index].judgement.action) { kept[index].judgement.action = .investigate }
        }
        all[kept[index].position].flags = kept[index].judgement.flags
    }
}

extension TokenBook {
    /// Takes the orders that counted before out, and those that count now in.
    mutating func count(_ book: CaseBook, recalled: Recalled, isRebuilt: Bool) {
        for (position, order) in book.orders.enumerated() {
            let isRecalled = position < recalled.orderCases.count
            let was = isRecalled && !isRebuilt && recalled.orderWasStanding[position]
            let isNow = book.orderFates[position] == .standing
            if was != isNow { count(order, by: isNow ? 1 : -1) }
        }
    }
}
