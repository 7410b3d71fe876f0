internal import Domain
internal import Exceptions
internal import Matching
internal import Parallel

/// The history's cases that a night judges again although neither tonight's evidence nor their state asks for it: what
/// every case is judged by has changed.
///
/// They are judged in ranges of case numbers, apart from tonight's cases, so memory does not grow with the history. Of
/// each range only what differs from the record is kept, and what later steps need of all cases: the unlinked evidence
/// and the cases that must be matched with others after all (`Needs`).
struct RemainingCases {
    /// What one range brought to light.
    struct Part {
        /// The open cases that rest, and that judging again finds as they are on record.
        var resting: [CaseID: RestingCase] = [:]
        /// The numbers of the cases whose verdicts differ from those on record, or which the next night must judge
        /// again. `verdicts` refers to them by index.
        var numbers: [CaseID] = []
        /// Their verdicts. Unlinked evidence is in the part's own lists.
        var verdicts = Verdicts()
        /// Their resolved exceptions.
        var exceptions: [ExceptionRecord] = []
        /// Of all cases: the purchases that nothing links to an order.
        var unlinkedPurchases: [(purchase: UnlinkedPurchase, caseID: CaseID)] = []
        /// Of all cases: the orders that are linked to no purchase.
        var unlinkedOrders: [(order: UnlinkedOrder, caseID: CaseID)] = []
        /// Of all cases: the credits that may have been meant for purchases of other cases.
        var strayCredits: [StrayCredit] = []
        /// Of all cases: the entries of the index for suggestions.
        var entries: [SuggestionEntry] = []
        /// What other cases are needed for.
        var needs = Needs()
    }

    /// Why cases must be matched with others after all.
    struct Needs {
        /// Cases with receipts that claim a transaction and name an order of another case, and that stay open: whose
        /// the order is decides a cause.
        var cases: Set<CaseID> = []
        /// Transactions that are matched otherwise than before, because the product list gives them another type.
        var rematched: [Transaction] = []

        var isEmpty: Bool { cases.isEmpty && rematched.isEmpty }
    }

    private let history: any History
    private let plan: NightPlan
    private let threads: Int
    private var ranges: [Range<CaseID>] = []
    /// By range.
    private(set) var parts: [Part] = []
    /// The ids of the exceptions that are loaded already.
    private let loadedExceptions: Set<ExceptionID>
    /// One of them for each case.
    private let exceptions: [CaseID: ExceptionRecord]
    /// Cases that do not rest any longer.
    private var awake: Set<CaseID> = []
    /// Which products have another type than in the last night.
    private let retyped: Retyped

    /// Judges all cases but those of `loaded`.
    ///
    /// - Parameters:
    ///   - basis: what they are judged by.
    ///   - size: how many case numbers are read at a time.
    init(
        _ history: any History, _ plan: NightPlan, _ basis: Basis, except loaded: PriorCases, size: Int, threads: Int,
        work: WorkCount
    ) throws {
        self.history = history
        self.plan = plan
        self.threads = threads
        loadedExceptions = Set(loaded.exceptions.map(\.id))
        exceptions = Dictionary(loaded.exceptions.map { ($0.caseID, $0) }) { first, _ in first }
        retyped = Retyped(from: plan.head.products, to: basis.products)
        ranges = try history.ranges(ofCases: size)
        work.expect(rows: ranges.reduce(0) { $0 + $1.count })
        parts.reserveCapacity(ranges.count)
        for range in ranges {
            try Interruption.process.check()
            parts.append(try judge(range, basis, except: loaded))
            work.add(rows: range.count)
        }
    }

    /// Judges the ranges of these cases again, without those of `loaded`.
    mutating func judgeAgain(_ cases: Set<CaseID>, _ basis: Basis, except loaded: PriorCases) throws {
        for (index, range) in ranges.enumerated() where cases.contains(where: range.contains) {
            try Interruption.process.check()
            parts[index] = try judge(range, basis, except: loaded)
        }
    }

    /// Judges cases again that rested, because an order is suggested for their purchases.
    mutating func wake(_ cases: Set<CaseID>, _ basis: Basis, except loaded: PriorCases) throws {
        awake.formUnion(cases)
        try judgeAgain(cases, basis, except: loaded)
    }

    private func judge(_ range: Range<CaseID>, _ basis: Basis, except loaded: PriorCases) throws -> Part {
        let others =
            loaded.ids.count < range.count
            ? loaded.ids.filter(range.contains) : Set(range.lazy.filter(loaded.ids.contains))
        var stored = try history.load(cases: range, through: .max)
        if !others.isEmpty { stored = stored.filtered { caseID, _ in !others.contains(caseID) } }
        if stored.isEmpty { return Part() }
        let judged = try JudgedCases(history, stored, basis, threads: threads)
        let numbers = CaseNumbering(of: judged.cases, stored: stored).numbers
        let verdicts = try judged.verdicts(threads: threads)
        let differing = try verdicts.cases(differingFrom: history.verdicts(ofCases: range), numbers)
        let open = verdicts.openCases(numbers)
        let changed = numbers.indices.map(Int32.init).filter {
            differing.contains($0) || open.contains(numbers[Int($0)])
        }
        var part = Part()
        part.unlinkedPurchases = verdicts.unlinkedPurchases.map { ($0.purchase, numbers[Int($0.caseIndex)]) }
        part.unlinkedOrders = verdicts.unlinkedOrders.map { ($0.order, numbers[Int($0.caseIndex)]) }
        part.strayCredits = verdicts.strayCredits
        part.entries = verdicts.suggestionEntries(numbers)
        if !retyped.isEmpty {
            part.needs.rematched = stored.evidence.transactions.filter { retyped.matchesOtherwise($0, basis.policy) }
        }
        for number in changed { part.needs.note(Int(number), of: judged.cases, as: numbers[Int(number)]) }
        part.exceptions = try history.exceptions(
            ofCases: Set(changed.map { numbers[Int($0)] }), except: loadedExceptions)
        let known = Set(part.exceptions.lazy.map(\.caseID))
        let followed = changed.filter { known.contains(numbers[Int($0)]) || exceptions[numbers[Int($0)]] != nil }
        let observer = plan.observer(of: numbers, followed: Set(followed))
        let found = judged.verdicts(ofCases: changed, observer, threads: threads)
        for (resting, index) in found.resting where !differing.contains(changed[Int(index)]) {
            let number = numbers[Int(changed[Int(index)])]
            if loaded.resting[number] == resting, !awake.contains(number) { part.resting[number] = resting }
        }
        part.resting = try asOnRecord(part.resting, found.observations)
        let kept = changed.filter { part.resting[numbers[Int($0)]] == nil }
        part.numbers = kept.map { numbers[Int($0)] }
        part.verdicts = part.resting.isEmpty ? found : judged.verdicts(ofCases: kept, observer, threads: threads)
        return part
    }

    /// The cases of which the register and the retry entries say what judging them again shows.
    private func asOnRecord(
        _ cases: [CaseID: RestingCase], _ observations: [Observation]
    ) throws -> [CaseID: RestingCase] {
        if cases.isEmpty { return cases }
        var same = cases
        let observed = observations.filter { cases[$0.caseID] != nil }
        let entries = try history.retryEntries(ofKeys: Set(observed.compactMap(\.retry?.key)))
        let demands = Dictionary(uniqueKeysWithValues: entries.map { ($0.key, $0.facts) })
        for observation in observed {
            let demand = observation.retry.flatMap { demands[$0.key] }
            if let record = exceptions[observation.caseID], observation.isSame(as: record, demand) { continue }
            same[observation.caseID] = nil
        }
        return same
    }
}

extension RemainingCases.Needs {
    /// Notes the orders of other cases that receipts name for a transaction.
    fileprivate mutating func note(_ number: Int, of cases: CaseSet, as caseID: CaseID) {
        for position in cases.receiptGroups[number] {
            let receipt = cases.receipts[Int(position)]
            guard let order = receipt.order, receipt.transaction != nil,
                !cases.orderGroups[number].contains(where: { cases.orders[Int($0)].id == order })
            else { continue }
            self.cases.insert(caseID)
        }
    }
}

extension RemainingCases {
    /// Whether some of these cases must be matched with others after all.
    var needs: Needs {
        var all = Needs()
        for part in parts {
            all.cases.formUnion(part.needs.cases)
            all.rematched += part.needs.rematched
        }
        return all
    }

    /// The open cases that rest.
    var resting: [CaseID: RestingCase] {
        parts.reduce(into: [:]) { all, part in all.merge(part.resting) { first, _ in first } }
    }

    /// The resting cases of these purchases.
    func restingCases(of purchases: Set<SubjectKey>) -> Set<CaseID> {
        var cases = Set<CaseID>()
        for part in parts {
            for (purchase, caseID) in part.unlinkedPurchases
            where part.resting[caseID] != nil && purchases.contains(purchase.subject) { cases.insert(caseID) }
        }
        return cases
    }

    /// The cases of these purchases and orders.
    func cases(of pairs: [Identifier: Identifier]) -> Set<CaseID> {
        let transactions = Set(pairs.values)
        var cases = Set<CaseID>()
        for part in parts {
            for (purchase, caseID) in part.unlinkedPurchases where transactions.contains(purchase.subject.id) {
                cases.insert(caseID)
            }
            for (order, caseID) in part.unlinkedOrders where pairs[order.id] != nil { cases.insert(caseID) }
        }
        return cases
    }
}

/// The products whose type has changed since the last night. Where a transaction names no type itself, its product's type
/// says whether it may be a restore, so it may be linked otherwise.
struct Retyped {
    private let products: Set<Identifier>
    private var before = Policy()

    init(from old: [Product], to new: [Product]) {
        let (before, now) = (ProductList(old), ProductList(new))
        products = Set((old + new).lazy.map(\.id).filter { before.type(of: $0) != now.type(of: $0) })
        self.before.products = before
    }

    var isEmpty: Bool { products.isEmpty }

    /// Whether the transaction is linked with another original than in the last night.
    func matchesOtherwise(_ transaction: Transaction, _ policy: Policy) -> Bool {
        guard products.contains(transaction.product) else { return false }
        return transaction.restoredOriginal(in: before) != transaction.restoredOriginal(in: policy)
    }
}

extension Verdicts {
    /// The indices of the cases whose verdicts differ from those on record.
    fileprivate func cases(differingFrom recorded: [CaseID: [StoredVerdict]], _ numbers: [CaseID]) -> Set<Int32> {
        var differing: Set<Int32> = []
        var start = 0
        while start < all.count {
            let index = all[start].caseIndex
            let end = all[start...].firstIndex { $0.caseIndex != index } ?? all.count
            let known = recorded[numbers[Int(index)]] ?? []
            let isSame = known.count == end - start && zip(known, all[start..<end]).allSatisfy { $0 == $1.stored }
            if !isSame { differing.insert(index) }
            start = end
        }
        return differing
    }
}
