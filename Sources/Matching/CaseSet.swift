public import Domain
internal import Parallel

/// All evidence sorted into cases: connected components of shared identifiers. RULES §2.
public struct CaseSet: Sendable {
    /// All copies, in the order given; the standing ones bear their marks.
    public let orders: [Order]
    public let credits: [Credit]
    public let transactions: [Transaction]
    public let receipts: [Receipt]

    /// What became of each copy, in the same order.
    public let orderOutcomes: [VersionOutcome]
    public let creditOutcomes: [VersionOutcome]
    public let transactionOutcomes: [VersionOutcome]
    public let receiptOutcomes: [VersionOutcome]

    public let count: Int
    /// Standing positions of each kind, sorted by case, and superseded ones where there are any.
    public let orderGroups: CaseGroups
    public let creditGroups: CaseGroups
    public let transactionGroups: CaseGroups
    public let receiptGroups: CaseGroups

    /// Positions of receipts that tie the order they name without having been accepted. They do so only as long as their
    /// account says nothing else of that order.
    public private(set) var contestableReceipts: [Int] = []
    /// Tokens per order that too many orders carry, as far as these orders tell, ascending.
    public let crowdedTokens: [Token]

    /// Of nothing.
    public init() { self.init(Evidence(), policy: Policy()) }

    /// The cases of evidence that is all there is.
    public init(_ evidence: consuming Evidence, policy: Policy, threads: Int = 1) {
        let versions = Versions(evidence, policy: policy, threads: threads)
        let owners = versions.tokenOwners
        self.init(versions, policy: policy, threads: threads, owner: owners)
    }

    /// Ties the copies that count, on up to `threads` cores; the result does not depend on how many.
    ///
    /// - Parameters:
    ///   - stored: where this is all evidence of some of the ledger's cases and of no others, these cases. They never
    ///     become one: what keeps them apart may be evidence of others.
    ///   - owner: whose account a token is, where tokens are per account.
    public init(
        _ versions: consuming Versions, policy: Policy, threads: Int = 1, stored: StoredCases? = nil,
        owner: (Token) -> TokenOwner
    ) {
        let (order, credit) = (versions.order, versions.credit)
        let (transaction, receipt) = (versions.transaction, versions.receipt)
        orders = versions.orders
        credits = versions.credits
        transactions = versions.transactions
        receipts = versions.receipts
        var links = LinkGraph(
            orders: orders, order, transactions: transactions, transaction, policy: policy, threads: threads)
        let creditNodes = links.nodes(of: credits, credit.current)
        var leaning: [Int] = []
        let receiptNodes = links.nodes(
            of: receipts, receipt.current, credits: credits, credit.current, creditNodes, owner: owner,
            leaning: { leaning.append($0) })
        contestableReceipts = leaning
        crowdedTokens = links.crowdedTokens
        let current = [order.current, transaction.current, credit.current, receipt.current]
        let home = stored.map { stored in
            let cases = [stored.orders, stored.transactions, stored.credits, stored.receipts]
            return { (kind: Int, index: Int) in cases[kind][Int(current[kind][index])] }
        }
        let cases = links.finish(creditNodes, receiptNodes, stored: home)
        count = cases.count
        let groups = concurrently(threads: threads, 4) { kind in
            CaseGroups(
                [order, credit, transaction, receipt][kind], cases: cases.numbers[[0, 2, 1, 3][kind]],
                count: cases.count)
        }
        (orderGroups, creditGroups, transactionGroups, receiptGroups) = (groups[0], groups[1], groups[2], groups[3])
        orderOutcomes = order.outcomes
        creditOutcomes = credit.outcomes
        transactionOutcomes = transaction.outcomes
        receiptOutcomes = receipt.outcomes
    }

    /// All copies again.
    public var evidence: Evidence {
        var evidence = Evidence()
        (evidence.orders, evidence.credits) = (orders, credits)
        (evidence.transactions, evidence.receipts) = (transactions, receipts)
        return evidence
    }

    /// Where the evidence of a case stands that has one transaction, one order, one credit and at most one receipt.
    public func singleton(_ number: Int) -> (transaction: Int, order: Int, credit: Int, receipt: Int?)? {
        guard let transaction = transactionGroups.singleton(number), let order = orderGroups.singleton(number),
            let credit = creditGroups.singleton(number), receiptGroups.count(number) <= 1
        else { return nil }
        return (transaction, order, credit, receiptGroups.singleton(number))
    }

    /// Fills `file` with the evidence of case `number`, reusing its memory.
    public func load(_ number: Int, into file: inout Case) {
        refill(&file.orders, from: orders, orderGroups[number]) { $0.id < $1.id }
        refill(&file.credits, from: credits, creditGroups[number]) { $0.id < $1.id }
        refill(&file.transactions, from: transactions, transactionGroups[number]) { $0.id < $1.id }
        refill(&file.receipts, from: receipts, receiptGroups[number]) { $0.keyPrecedes($1) }
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

/// Positions grouped by case: the standing ones of case n stand at `starts[n]..<starts[n + 1]`.
public struct CaseGroups: Sendable {
    private var starts: [Int32] = []
    private var positions: [Int32]
    private var superseded: [Int: [Int32]] = [:]
    private var replaced: [Int: [Int32]] = [:]

    /// `cases` are the standing copies' numbers; a stable counting sort by them.
    init(_ deduplicated: Deduplicated, cases: [Int32], count: Int) {
        let current = deduplicated.current
        starts = Array(repeating: 0, count: count + 1)
        for number in cases { starts[Int(number)] += 1 }
        for index in starts.indices.dropFirst() { starts[index] += starts[index - 1] }
        positions = Array(repeating: 0, count: current.count)
        // From the last to the first: behind each case's place stand those of it that are sorted in already.
        for index in cases.indices.reversed() {
            let number = Int(cases[index])
            starts[number] -= 1
            positions[Int(starts[number])] = current[index]
        }
        let number = { (position: Int32) in Int(cases[current.partitioningIndex { $0 >= position }]) }
        for pair in deduplicated.superseded { superseded[number(pair.current), default: []].append(pair.copy) }
        for pair in deduplicated.replaced { replaced[number(pair.current), default: []].append(pair.copy) }
    }

    /// Positions of the copies that count.
    public subscript(number: Int) -> ArraySlice<Int32> {
        positions[Int(starts[number])..<Int(starts[number + 1])]
    }

    func count(_ number: Int) -> Int { Int(starts[number + 1] - starts[number]) }

    /// The position of the only copy that counts; nil where there are none or several.
    func singleton(_ number: Int) -> Int? { count(number) == 1 ? Int(positions[Int(starts[number])]) : nil }

    /// Positions of the copies that stay on record, ascending.
    public func superseded(in number: Int) -> [Int32] { superseded[number]?.sorted() ?? [] }

    /// Positions of copies given first whose content an earlier file had: they go off the record.
    public func replaced(in number: Int) -> [Int32] { replaced[number] ?? [] }
}

extension Array {
    /// The first index at which the ascending array satisfies `predicate`, by halving.
    func partitioningIndex(where predicate: (Element) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if predicate(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
