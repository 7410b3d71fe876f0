internal import Domain
internal import Ledger

/// What the ledger remembers that tonight's evidence may change. ARCHITECTURE §3.
struct PriorCases {
    var prior = StoredEvidence()
    /// The cases recalled.
    var cases: Set<Int64> = []
    var isEverything = false
    /// The exceptions of these cases, and all others that are not resolved.
    private(set) var entries: [ExceptionRecord] = []

    /// Touched cases, those of tokens whose owner changes, and all that wait, are open, undetermined or waived;
    /// everything where policy or product list changed, or the days that are covered.
    init(
        ledger: Ledger, evidence: Evidence, policy: Policy, isEverything: Bool, work: WorkCount = WorkCount()
    ) throws {
        if try ledger.isEmpty { return }
        entries = try ledger.unresolvedEntries()
        if isEverything {
            try recallEverything(from: ledger, work)
            return
        }
        var touched = try ledger.cases(touchedBy: evidence, policy: policy)
        try add(touched.union(ledger.openCases()), from: ledger, work)
        if policy.tokenUse == .account {
            let tokens = try changedTokens(by: evidence.orders, ledger: ledger)
            touched.formUnion(try ledger.cases(withTokens: tokens))
            try add(touched, from: ledger, work)
        }
        let orders = ordersInQuestion(touched, news: evidence)
        if !orders.isEmpty { try add(ledger.cases(naming: orders), from: ledger, work) }
    }

    /// Orders that a receipt of a touched case names and that are in other cases: whether the receipt ties them may have
    /// changed. So may what the order's other receipts tie, where a receipt no longer says what it said.
    private func ordersInQuestion(_ touched: Set<Int64>, news: Evidence) -> Set<Identifier> {
        let present = Set((prior.evidence.orders + news.orders).map(\.id))
        let renewed = Set(news.receipts.compactMap(\.givenID))
        var orders = Set<Identifier>()
        for (receipt, caseID) in zip(prior.evidence.receipts, prior.receiptCases)
        where touched.contains(caseID) {
            guard let order = receipt.order else { continue }
            let isRenewed = receipt.givenID.map(renewed.contains) ?? false
            if isRenewed || !present.contains(order) { orders.insert(order) }
        }
        return orders
    }

    /// Cases that are recalled at a time: between them a signal is heeded, and work counted.
    private static let pieceSize = 8192

    private mutating func recallEverything(from ledger: Ledger, _ work: WorkCount) throws {
        let pieces = try ledger.pieces(ofCases: Int64(Self.pieceSize))
        work.expect(rows: pieces.reduce(0) { $0 + $1.count })
        for range in pieces {
            try Interruption.process.check()
            prior.append(try ledger.load(cases: range, through: .max))
            work.add(rows: range.count)
        }
        isEverything = true
        cases = Set(prior.orderCases + prior.creditCases + prior.transactionCases + prior.receiptCases)
        try addEntries(of: cases, from: ledger)
    }

    /// Recalls further cases.
    mutating func add(_ others: Set<Int64>, from ledger: Ledger, _ work: WorkCount = WorkCount()) throws {
        let missing = others.subtracting(cases).sorted()
        cases.formUnion(missing)
        work.expect(rows: missing.count)
        for first in stride(from: 0, to: missing.count, by: Self.pieceSize) {
            try Interruption.process.check()
            let piece = missing[first..<min(first + Self.pieceSize, missing.count)]
            prior.append(try ledger.load(cases: Set(piece)))
            work.add(rows: piece.count)
        }
        try addEntries(of: Set(missing), from: ledger)
    }

    /// The exceptions of these cases that are resolved; all others are known.
    private mutating func addEntries(of cases: Set<Int64>, from ledger: Ledger) throws {
        entries += try ledger.entries(ofCases: cases, besides: Set(entries.map(\.id)))
    }

    /// Tokens that another account's order carries from tonight on, or that an order no longer carries.
    private func changedTokens(by orders: [Order], ledger: Ledger) throws -> Set<Token> {
        let owners = try ledger.provenOwners(of: Set(orders.compactMap(\.token)))
        var changed = Set<Token>()
        for order in orders {
            if let token = order.token, owners[token]?[order.account] == nil { changed.insert(token) }
        }
        let renewed = Dictionary(grouping: orders, by: \.id)
        for old in prior.evidence.orders {
            for new in renewed[old.id] ?? [] where new.token != old.token || new.account != old.account {
                changed.formUnion([old.token, new.token].compactMap { $0 })
            }
        }
        return changed
    }
}

/// Whose account each token is, before and after tonight's orders. RULES §2.
struct TokenBook {
    private(set) var owners: [Token: TokenAccounts] = [:]
    /// Tokens whose accounts are other than the ledger has it.
    private(set) var changed: Set<Token> = []

    init(_ owners: [Token: TokenAccounts] = [:]) { self.owners = owners }

    init(ledger: Ledger, tokens: Set<Token>, isRebuilt: Bool) throws {
        if !isRebuilt { owners = try ledger.provenOwners(of: tokens) }
    }

    /// Of each token no more accounts than tell whether it is one account's.
    init(ledger: Ledger, tokens: Set<Token>, atMost count: Int64) throws {
        owners = try ledger.owners(of: tokens, atMost: count)
    }

    mutating func count(_ order: Order, by times: Int) {
        guard let token = order.token else { return }
        owners[token, default: [:]][order.account, default: 0] += times
        changed.insert(token)
    }

    func owner(_ token: Token) -> TokenOwner {
        let accounts = (owners[token] ?? [:]).filter { $0.value > 0 }
        if accounts.count > 1 { return .several }
        return accounts.first.map { .account($0.key) } ?? .unknown
    }

    var changes: [Token: TokenAccounts] { owners.filter { changed.contains($0.key) } }
}
