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

    private func judge(_ range: Range<CaseID>, _ basis: Basis, except loaded: PriorCases) throws -> Part {
        let others =
            loaded.ids.count < range.count
            ? loaded.ids.filter(range.contains) : Set(range.lazy.filter(loaded.ids.contains))
        let stored = try history.load(cases: range, through: .max).removing(others)
        if stored.isEmpty { return Part() }
        let judged = try JudgedCases(history, stored, basis, threads: threads)
        let numbers = CaseNumbering(of: judged.cases, stored: stored).numbers
        let verdicts = try judged.verdicts(threads: threads)
        let changed = try verdicts.cases(
            differingFrom: history.verdicts(ofCases: range), open: verdicts.openCases(numbers), numbers)
        var part = Part()
        part.unlinkedPurchases = verdicts.unlinkedPurchases.map { ($0.purchase, numbers[Int($0.caseIndex)]) }
        part.unlinkedOrders = verdicts.unlinkedOrders.map { ($0.order, numbers[Int($0.caseIndex)]) }
        part.entries = verdicts.suggestionEntries(numbers)
        if !retyped.isEmpty {
            part.needs.rematched = stored.evidence.transactions.filter { retyped.matchesOtherwise($0, basis.policy) }
        }
        if changed.isEmpty { return part }
        part.numbers = changed.map { numbers[Int($0)] }
        part.exceptions = try history.exceptions(
            ofCases: Set(part.numbers), except: Set(loaded.exceptions.lazy.map(\.id)))
        let known = Set(part.exceptions.lazy.map(\.caseID))
        let followed = Set(changed.filter { known.contains(numbers[Int($0)]) })
        part.verdicts = judged.verdicts(
            ofCases: changed, plan.observer(of: numbers, followed: followed), threads: threads)
        for number in changed { part.needs.note(Int(number), of: judged.cases, as: numbers[Int(number)]) }
        return part
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

extension StoredEvidence {
    /// The same without the evidence of these cases.
    fileprivate consuming func removing(_ cases: Set<CaseID>) -> StoredEvidence {
        if cases.isEmpty { return self }
        var rest = StoredEvidence()
        for (order, (number, wasCurrent)) in zip(evidence.orders, zip(orderCases, orderWasCurrent))
        where !cases.contains(number) {
            rest.evidence.orders.append(order)
            rest.orderCases.append(number)
            rest.orderWasCurrent.append(wasCurrent)
        }
        for (credit, number) in zip(evidence.credits, creditCases) where !cases.contains(number) {
            rest.evidence.credits.append(credit)
            rest.creditCases.append(number)
        }
        for (transaction, (number, wasCurrent)) in zip(
            evidence.transactions, zip(transactionCases, transactionWasCurrent))
        where !cases.contains(number) {
            rest.evidence.transactions.append(transaction)
            rest.transactionCases.append(number)
            rest.transactionWasCurrent.append(wasCurrent)
        }
        for (receipt, number) in zip(evidence.receipts, receiptCases) where !cases.contains(number) {
            rest.evidence.receipts.append(receipt)
            rest.receiptCases.append(number)
        }
        return rest
    }
}

extension Verdicts {
    /// The indices of the cases whose verdicts differ from those on record, or which are in `open`; ascending.
    fileprivate func cases(
        differingFrom recorded: [CaseID: [StoredVerdict]], open: Set<CaseID>, _ numbers: [CaseID]
    ) -> [Int32] {
        var changed: [Int32] = []
        var start = 0
        while start < all.count {
            let index = all[start].caseIndex
            let end = all[start...].firstIndex { $0.caseIndex != index } ?? all.count
            let number = numbers[Int(index)]
            let known = recorded[number] ?? []
            let isSame = known.count == end - start && zip(known, all[start..<end]).allSatisfy { $0 == $1.stored }
            if !isSame || open.contains(number) { changed.append(index) }
            start = end
        }
        return changed
    }
}
