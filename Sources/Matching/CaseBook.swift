package import Domain

/// All evidence sorted into cases: connected components of shared identifiers. RULES §2.
package struct CaseBook: Sendable {
    /// All copies, in the order given; the standing ones bear their marks.
    package let orders: [Order]
    package let credits: [Credit]
    package let transactions: [Transaction]
    package let receipts: [Receipt]

    /// What became of each copy, in the same order.
    package let orderFates: [CopyFate]
    package let creditFates: [CopyFate]
    package let transactionFates: [CopyFate]
    package let receiptFates: [CopyFate]

    package let count: Int
    /// Standing positions of each kind, sorted by case, and superseded ones where there are any.
    package let orderGroups: CaseGroups
    package let creditGroups: CaseGroups
    package let transactionGroups: CaseGroups
    package let receiptGroups: CaseGroups

    /// Collapses copies and ties what is left.
    package init(_ evidence: consuming Evidence, policy: Policy) {
        var orders = evidence.orders
        var credits = evidence.credits
        var transactions = evidence.transactions
        var receipts = evidence.receipts
        evidence = Evidence()
        let order = collapse(&orders, policy: policy)
        let credit = collapse(&credits, policy: policy)
        let transaction = collapse(&transactions, policy: policy)
        let receipt = collapse(&receipts, policy: policy)

        var ties = Ties(policy: policy)
        let orderNodes = order.standing.map { ties.tie(orders[Int($0)]) }
        let transactionNodes = transaction.standing.map { ties.tie(transactions[Int($0)]) }
        let creditNodes = credit.standing.map { ties.tie(credits[Int($0)]) }
        let receiptNodes = receipt.standing.map { ties.tie(receipts[Int($0)]) }
        var cases = ties.cases()

        orderGroups = CaseGroups(order, nodes: orderNodes, in: &cases)
        creditGroups = CaseGroups(credit, nodes: creditNodes, in: &cases)
        transactionGroups = CaseGroups(transaction, nodes: transactionNodes, in: &cases)
        receiptGroups = CaseGroups(receipt, nodes: receiptNodes, in: &cases)
        count = cases.count
        self.orders = orders
        self.credits = credits
        self.transactions = transactions
        self.receipts = receipts
        orderFates = order.fates
        creditFates = credit.fates
        transactionFates = transaction.fates
        receiptFates = receipt.fates
    }

    /// Where the evidence of a case stands that has one transaction, one order, one credit and at most one receipt.
    package func sole(_ number: Int) -> (transaction: Int, order: Int, credit: Int, receipt: Int?)? {
        guard let transaction = transactionGroups.sole(number), let order = orderGroups.sole(number),
            let credit = creditGroups.sole(number), receiptGroups.count(number) <= 1
        else { return nil }
        return (transaction, order, credit, receiptGroups.sole(number))
    }

    /// Fills `file` with the evidence of case `number`, reusing its memory.
    package func load(_ number: Int, into file: inout CaseFile) {
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
package struct CaseGroups: Sendable {
    private var starts: [Int32] = []
    private var positions: [Int32]
    private var superseded: [Int: [Int32]] = [:]
    private var replaced: [Int: [Int32]] = [:]

    /// `nodes` are the ties' nodes of the standing copies; a stable counting sort by their case.
    init(_ collapsed: Collapsed, nodes: [Int32], in cases: inout CaseNumbers) {
        let standing = collapsed.standing
        let numbers = nodes.map { Int32(cases.number(ofNode: Int($0))) }
        starts = Array(repeating: 0, count: cases.count + 1)
        for number in numbers { starts[Int(number) + 1] += 1 }
        for index in starts.indices.dropFirst() { starts[index] += starts[index - 1] }
        positions = Array(repeating: 0, count: standing.count)
        var next = starts
        for (position, number) in zip(standing, numbers) {
            positions[Int(next[Int(number)])] = position
            next[Int(number)] += 1
        }
        let number = { (position: Int32) in Int(numbers[standing.partitioningIndex { $0 >= position }]) }
        for pair in collapsed.superseded { superseded[number(pair.standing), default: []].append(pair.copy) }
        for pair in collapsed.replaced { replaced[number(pair.standing), default: []].append(pair.copy) }
    }

    /// Positions of the copies that count.
    package subscript(number: Int) -> ArraySlice<Int32> {
        positions[Int(starts[number])..<Int(starts[number + 1])]
    }

    func count(_ number: Int) -> Int { Int(starts[number + 1] - starts[number]) }

    /// The position of the only copy that counts; nil where there are none or several.
    func sole(_ number: Int) -> Int? { count(number) == 1 ? Int(positions[Int(starts[number])]) : nil }

    /// Positions of the copies that stay on record, ascending.
    package func superseded(in number: Int) -> [Int32] { superseded[number]?.sorted() ?? [] }

    /// Positions of copies given first whose content an earlier file had: they go off the record.
    package func replaced(in number: Int) -> [Int32] { replaced[number] ?? [] }
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
