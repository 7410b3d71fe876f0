internal import Domain
internal import Exceptions
internal import Parallel

/// The cases of earlier nights that tonight's evidence may change.
struct PriorCases: Sendable {
    private(set) var stored = StoredEvidence()
    /// The cases loaded.
    private(set) var ids: Set<Int64> = []
    /// Every case of the history is loaded.
    private(set) var isEverything = false
    /// The exceptions of these cases, and all others that are not resolved.
    private(set) var exceptions: [ExceptionRecord] = []

    /// Loads touched cases, those of tokens whose owner changes, and all open, waiting, undetermined or waived ones;
    /// every case where the basis changed for all.
    init(
        _ history: some History, _ evidence: Evidence, policy: Policy, isEverything: Bool, work: WorkCount
    ) throws {
        exceptions = try history.unresolvedExceptions()
        if isEverything {
            try addEverything(from: history, work)
            return
        }
        var touched = try history.cases(touchedBy: evidence, policy: policy)
        try add(touched.union(history.openCases()), from: history, work)
        if policy.tokenUse == .account {
            touched.formUnion(try history.cases(withTokens: changedTokens(by: evidence.orders, history)))
            try add(touched, from: history, work)
        }
        let orders = ordersInQuestion(touched, news: evidence)
        if !orders.isEmpty { try add(history.cases(naming: orders), from: history, work) }
    }

    /// Orders of other cases that a receipt of a touched case names: whether the receipt links them may have changed. So
    /// may what the order's other receipts link, where a receipt no longer says what it said.
    private func ordersInQuestion(_ touched: Set<Int64>, news: Evidence) -> Set<Identifier> {
        let present = Set((stored.evidence.orders + news.orders).map(\.id))
        let renewed = Set(news.receipts.compactMap(\.givenID))
        var orders = Set<Identifier>()
        for (receipt, caseID) in zip(stored.evidence.receipts, stored.receiptCases) where touched.contains(caseID) {
            guard let order = receipt.order else { continue }
            let isRenewed = receipt.givenID.map(renewed.contains) ?? false
            if isRenewed || !present.contains(order) { orders.insert(order) }
        }
        return orders
    }

    /// How many cases are loaded at a time: between them an interruption is heeded, and work is counted.
    private static let pieceSize = 8192

    private mutating func addEverything(from history: some History, _ work: WorkCount) throws {
        let ranges = try history.ranges(ofCases: Int64(Self.pieceSize))
        work.expect(rows: ranges.reduce(0) { $0 + $1.count })
        for range in ranges {
            try Interruption.process.check()
            stored.append(try history.load(cases: range, through: .max))
            work.add(rows: range.count)
        }
        isEverything = true
        ids = Set(stored.orderCases + stored.creditCases + stored.transactionCases + stored.receiptCases)
        try addExceptions(of: ids, from: history)
    }

    /// Loads further cases.
    mutating func add(_ others: Set<Int64>, from history: some History, _ work: WorkCount = WorkCount()) throws {
        let missing = others.subtracting(ids).sorted()
        ids.formUnion(missing)
        work.expect(rows: missing.count)
        for first in stride(from: 0, to: missing.count, by: Self.pieceSize) {
            try Interruption.process.check()
            let piece = missing[first..<min(first + Self.pieceSize, missing.count)]
            stored.append(try history.load(cases: Set(piece)))
            work.add(rows: piece.count)
        }
        try addExceptions(of: Set(missing), from: history)
    }

    /// The resolved exceptions of these cases; all others are known.
    private mutating func addExceptions(of cases: Set<Int64>, from history: some History) throws {
        exceptions += try history.exceptions(ofCases: cases, except: Set(exceptions.map(\.id)))
    }

    /// Tokens that another account's order carries from tonight on, or that an order no longer carries.
    private func changedTokens(by orders: [Order], _ history: some History) throws -> Set<Token> {
        let owners = try history.owners(of: Set(orders.compactMap(\.token)))
        var changed = Set<Token>()
        for order in orders {
            if let token = order.token, owners[token]?[order.account] == nil { changed.insert(token) }
        }
        let renewed = Dictionary(grouping: orders, by: \.id)
        for old in stored.evidence.orders {
            for new in renewed[old.id] ?? [] where new.token != old.token || new.account != old.account {
                changed.formUnion([old.token, new.token].compactMap { $0 })
            }
        }
        return changed
    }
}
