internal import Base

/// All evidence, sorted into cases. A case is a connected component: all evidence that shared identifiers link,
/// directly or through other evidence. See docs/spec/rules.md#cases.
public struct CaseSet: Sendable {
    /// All versions in the order given. The current ones carry their marks.
    public let orders: [Order]
    /// The same for credits.
    public let credits: [Credit]
    /// The same for transactions.
    public let transactions: [Transaction]
    /// The same for receipts.
    public let receipts: [Receipt]
    let asRead: EvidenceAsRead

    /// The number of cases. They are numbered from 0.
    public let count: Int
    public let groups: ByKind<CaseGroups>

    /// Positions of receipts that were not accepted and still link the order they name. They do so only as long as no
    /// other receipt of their account contradicts them.
    public private(set) var contestableReceipts: [Int] = []
    /// Orders that receipts name for a proven purchase of one case, and that belong to a proven purchase of another.
    public private(set) var takenOrders: Set<Identifier> = []
    /// Tokens per order that too many of these orders carry, ascending.
    public let crowdedTokens: [Token]

    public init() { self.init(Evidence(), policy: Policy()) }

    /// The cases of evidence that is complete, so that it shows by itself which account each token belongs to.
    public init(_ evidence: consuming Evidence, policy: Policy, threads: Int = 1) {
        let versions = Versions(evidence, policy: policy, threads: threads)
        let owners = versions.tokenOwners
        self.init(versions, policy: policy, threads: threads, owner: owners)
    }

    /// Links the current versions, on up to `threads` cores. The result does not depend on the number of cores.
    ///
    /// - Parameters:
    ///   - stored: given where the evidence is all evidence of some of the ledger's cases: those cases. They are kept
    ///     apart, because the evidence that keeps them apart may belong to cases that were not read.
    ///   - owner: the account that a token belongs to, where tokens are per account.
    public init(
        _ versions: consuming Versions, policy: Policy, threads: Int = 1, stored: StoredCases? = nil,
        owner: (Token) -> TokenOwner
    ) {
        let kinds = versions.kinds
        orders = versions.orders
        credits = versions.credits
        transactions = versions.transactions
        receipts = versions.receipts
        asRead = versions.asRead
        var links = LinkGraph(
            orders: orders, kinds.orders, transactions: transactions, kinds.transactions, policy: policy,
            threads: threads)
        let creditNodes = links.nodes(of: credits, kinds.credits.current)
        var contestable: [Int] = []
        var taken: Set<Identifier> = []
        let receiptNodes = links.nodes(
            of: receipts, kinds.receipts.current, credits: credits, currentCredits: kinds.credits.current,
            creditNodes: creditNodes, owner: owner, contestable: { contestable.append($0) }, taken: { taken.insert($0) }
        )
        contestableReceipts = contestable
        takenOrders = taken
        crowdedTokens = links.crowdedTokens
        let all = kinds.all
        let storedCase = (stored?.all).map { cases in
            { (kind: Int, index: Int) in cases[kind][Int(all[kind].current[index])] }
        }
        let cases = links.finish(creditNodes, receiptNodes, stored: storedCase)
        count = cases.count
        groups = ByKind(
            concurrently(threads: threads, all.count) { kind in
                CaseGroups(all[kind], cases: cases.numbers[kind], count: cases.count)
            })
    }

    /// The positions of a case's evidence, where the case has one transaction, one order, one credit and at most one
    /// receipt. Nil for any other case.
    public func singleton(_ number: Int) -> (transaction: Int, order: Int, credit: Int, receipt: Int?)? {
        guard let transaction = groups.transactions.singleton(number), let order = groups.orders.singleton(number),
            let credit = groups.credits.singleton(number), groups.receipts.count(number) <= 1
        else { return nil }
        return (transaction, order, credit, groups.receipts.singleton(number))
    }

    /// Fills `file` with the current evidence of case `number`, sorted by key. Reuses the memory of `file`.
    public func load(_ number: Int, into file: inout Case) {
        refill(&file.orders, from: orders, groups.orders[number]) { $0.id < $1.id }
        refill(&file.credits, from: credits, groups.credits[number]) { $0.id < $1.id }
        refill(&file.transactions, from: transactions, groups.transactions[number]) { $0.id < $1.id }
        refill(&file.receipts, from: receipts, groups.receipts[number]) { $0.keyPrecedes($1) }
    }

    @inline(__always)
    private func refill<Element>(
        _ target: inout [Element], from source: [Element], _ positions: ArraySlice<Int32>,
        by precedes: (Element, Element) -> Bool
    ) {
        target.removeAll(keepingCapacity: true)
        for position in positions { target.append(source[Int(position)]) }
        if target.count > 1 { target.sort(by: precedes) }
    }
}

/// Positions of one kind of evidence, grouped by case. The current versions of case n are
/// `positions[starts[n]..<starts[n + 1]]`.
public struct CaseGroups: Sendable {
    /// Whether each version is current, superseded or a duplicate; in the order given.
    public let outcomes: [VersionOutcome]
    private var starts: [Int32] = []
    private var positions: [Int32]
    /// By case; cases without superseded versions are left out.
    public private(set) var supersededByCase: [Int: [Int32]] = [:]
    /// By case; cases without replaced versions are left out.
    private var replaced: [Int: [Int32]] = [:]
    /// Cases in which a version took the labels of a duplicate.
    private var relabelled: Set<Int> = []

    /// A stable counting sort.
    ///
    /// - Parameters:
    ///   - cases: the case of each current version, in the order of `deduplicated.current`.
    ///   - count: the number of cases.
    init(_ deduplicated: Deduplicated, cases: [Int32], count: Int) {
        outcomes = deduplicated.outcomes
        let current = deduplicated.current
        starts = Array(repeating: 0, count: count + 1)
        for number in cases { starts[Int(number)] += 1 }
        for index in starts.indices.dropFirst() { starts[index] += starts[index - 1] }
        positions = Array(repeating: 0, count: current.count)
        // Filled from the end: `starts[n]` first points behind the case's positions and moves down to its first one.
        for index in cases.indices.reversed() {
            let number = Int(cases[index])
            starts[number] -= 1
            positions[Int(starts[number])] = current[index]
        }
        let number = { (position: Int32) in Int(cases[current.partitioningIndex { $0 >= position }]) }
        for pair in deduplicated.superseded { supersededByCase[number(pair.current), default: []].append(pair.copy) }
        if !deduplicated.labels.isEmpty {
            let superseding = Dictionary(uniqueKeysWithValues: deduplicated.superseded.map { ($0.copy, $0.current) })
            for (position, _) in deduplicated.labels { relabelled.insert(number(superseding[position] ?? position)) }
        }
        for pair in deduplicated.replaced { replaced[number(pair.current), default: []].append(pair.copy) }
    }

    /// The positions of the case's current versions, ascending.
    public subscript(number: Int) -> ArraySlice<Int32> {
        positions[Int(starts[number])..<Int(starts[number + 1])]
    }

    /// How many current versions the case has.
    func count(_ number: Int) -> Int { Int(starts[number + 1] - starts[number]) }

    /// The position of the only current version; nil if there are none or several.
    func singleton(_ number: Int) -> Int? { count(number) == 1 ? Int(positions[Int(starts[number])]) : nil }

    public var hasSuperseded: Bool { !supersededByCase.isEmpty }

    /// The positions of the case's superseded versions, ascending. They stay on record.
    public func superseded(in number: Int) -> [Int32] { supersededByCase[number]?.sorted() ?? [] }

    /// Whether a version of the case took the labels of a duplicate.
    public func isRelabelled(_ number: Int) -> Bool { relabelled.contains(number) }

    /// The positions of versions that were imported first, but whose content is now known from an earlier file. They
    /// are removed from the record.
    public func replaced(in number: Int) -> [Int32] { replaced[number] ?? [] }
}
