/// The cases of earlier nights that tonight's evidence may change, with all their evidence.
///
/// A stored case is loaded if its outcome may differ tonight:
///
/// - Tonight's evidence shares an identifier with it, or is another version of its evidence (*touched*).
/// - It is open: each night judges open, waiting, undetermined and waived cases again, because time alone may change
///   their verdicts.
/// - It carries a token whose owner may change tonight, where tokens are per account.
/// - It names an order that a receipt of a touched case names: whether that receipt links the order may have changed.
/// - It names an order that a receipt of an open case names for a transaction: whether the order belongs to another
///   purchase decides a cause.
///
/// If the policy, the product list or the rules have changed, everything is loaded. Cases are loaded in pieces of a
/// limited size. Further cases may be added later (`NightCases` says when).
struct PriorCases: Sendable {
    private(set) var stored = StoredEvidence()
    /// The numbers of the cases loaded.
    private(set) var ids: Set<CaseID> = []
    /// Whether every case of the history is loaded.
    private(set) var isEverything = false
    /// All exceptions that are not resolved, and the resolved ones of the cases loaded.
    private(set) var exceptions: [ExceptionRecord] = []

    init() {}

    /// Loads the cases that `evidence` may change.
    ///
    /// - Parameters:
    ///   - evidence: tonight's.
    ///   - isEverything: loads every case instead.
    init(
        _ history: some History, touchedBy evidence: Evidence, policy: Policy, isEverything: Bool = false,
        threads: Int = 1, work: WorkCount = WorkCount()
    ) throws {
        exceptions = try history.unresolvedExceptions(threads: threads)
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
        try addOrdersInQuestion(of: touched, news: evidence, from: history, work)
    }

    private mutating func addOrdersInQuestion(
        of touched: Set<CaseID>, news: Evidence, from history: some History, _ work: WorkCount
    ) throws {
        let orders = ordersInQuestion(touched, news: news)
        if !orders.isEmpty { try add(history.cases(naming: orders), from: history, work) }
    }

    /// Orders that receipts of the cases loaded name and that need a look at further cases: the order is in none of the
    /// loaded cases, or the receipt came again tonight and may no longer say what it said. Whether the order's other
    /// receipts link it may then have changed. Of a case that is only open, receipts matter that claim a transaction.
    private func ordersInQuestion(_ touched: Set<CaseID>, news: Evidence) -> Set<Identifier> {
        let named = zip(stored.receipts.values, stored.receipts.cases)
            .filter { $0.order != nil && (touched.contains($1) || $0.transaction != nil) }.map(\.0)
        if named.isEmpty { return [] }
        let present = Set((stored.orders.values + news.orders).map(\.id))
        let renewed = Set(news.receipts.compactMap(\.givenID))
        return Set(
            named.filter { !present.contains($0.order!) || $0.givenID.map(renewed.contains) ?? false }.compactMap(
                \.order))
    }

    /// How many cases are loaded at a time. After each piece, the work is counted and an interruption takes effect.
    private static let pieceSize = 8192

    private mutating func addEverything(from history: some History, _ work: WorkCount) throws {
        let ranges = try history.ranges(ofCases: Self.pieceSize)
        work.expect(rows: ranges.reduce(0) { $0 + $1.count })
        for range in ranges {
            try Interruption.process.check()
            stored.append(try history.load(cases: range, through: .max))
            work.add(rows: range.count)
        }
        isEverything = true
        ids = stored.caseIDs
        try addExceptions(of: ids, from: history)
    }

    /// Loads further cases, apart from those loaded already.
    mutating func add(_ others: Set<CaseID>, from history: some History, _ work: WorkCount = WorkCount()) throws {
        let missing = others.subtracting(ids).ordered()
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

    /// Loads the resolved exceptions of these cases. All others are loaded already.
    private mutating func addExceptions(of cases: Set<CaseID>, from history: some History) throws {
        exceptions += try history.exceptions(ofCases: cases, except: Set(exceptions.map(\.id)))
    }

    /// Tokens whose owner may change: an order of an account that none of the token's orders had carries it from
    /// tonight on, or a newer version of an order changes its token or its account.
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
