/// Finds the orders and transactions that one token per order links, and calls `use` with each pair of nodes.
/// See docs/spec/rules.md#token-links.
///
/// All orders with a token are paired with the first order that has it, and so is each transaction. A token that more
/// than `policy.tokenFanOut` orders carry, now or earlier, is crowded and links nothing: a client that sends a constant
/// would otherwise make one case of everybody's purchases.
///
/// - Parameters:
///   - orders: the nodes of the current orders, and the token by index; `.absent` where there is none.
///   - transactions: the same for transactions.
/// - Returns: the crowded tokens among these orders, ascending.
func linkTokens(
    orders: (nodes: [Int32], token: (Int) -> Token), transactions: (nodes: [Int32], token: (Int) -> Token),
    policy: Policy, use: (Int32, Int32) -> Void
) -> [Token] {
    var table = PositionTable(capacity: orders.nodes.count)
    var others: [Int: [Int]] = [:]
    table.enter(orders.nodes.indices) {
        orders.token($0) == .absent ? nil : orders.token($0).hashBits
    } isSame: {
        orders.token($0) == orders.token($1)
    } repeated: {
        others[$0, default: []].append($1)
    }
    let crowds = Set(others.filter { $0.value.count >= policy.tokenFanOut }.keys)
    let isCrowded = { (first: Int) in
        !crowds.isEmpty && crowds.contains(first)
            || !policy.facts.crowdedTokens.isEmpty && policy.facts.crowdedTokens.contains(orders.token(first))
    }
    for (first, others) in others where !isCrowded(first) {
        for other in others { use(orders.nodes[first], orders.nodes[other]) }
    }
    table.find(transactions.nodes.indices) {
        transactions.token($0) == .absent ? nil : transactions.token($0).hashBits
    } isSame: {
        orders.token($0) == transactions.token($1)
    } use: { transaction, order in
        if let order, !isCrowded(order) { use(orders.nodes[order], transactions.nodes[transaction]) }
    }
    return crowds.map(orders.token).sorted()
}

/// Calls `use` for each node whose key occurred before, with the first node of that key. Nodes without a key are left
/// out.
@inline(__always)
func forEachPair<Key: Indexed & HasSentinel>(
    _ count: Int, nodes: (Int) -> Int32, keys: (Int) -> Key, use: (Int32, Int32) -> Void
) {
    var table = PositionTable(capacity: count)
    table.enter(0..<count) {
        keys($0) == .absent ? nil : keys($0).hashBits
    } isSame: {
        keys($0) == keys($1)
    } repeated: {
        use(nodes($0), nodes($1))
    }
}
