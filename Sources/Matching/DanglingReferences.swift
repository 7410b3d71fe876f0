internal import Domain

/// Nodes of what is named and was never delivered; they come behind those of what was.
struct DanglingReferences {
    private struct Claim: Hashable {
        var transaction: Identifier
        var account: Identifier
    }

    private var orders: [Identifier: Int] = [:]
    /// The one account that gives goods for an order without a row; `.absent` for several.
    private var accounts: [Int32: Identifier] = [:]
    /// Of originals that only their restores prove.
    private var originals: [Identifier: Int] = [:]
    /// A transaction that no record is known of ties evidence of one account only: anybody can name it.
    private var claims: [Claim: Int] = [:]

    // In each of these `node` is what `LinkTargets` found: the id's home, `absent` or `stranger`.

    mutating func original(_ id: Identifier, _ unions: inout UnionFind) -> Int {
        Self.node(&originals[id], &unions)
    }

    /// The known node, else a new one, which is known from now on.
    private static func node(_ known: inout Int?, _ unions: inout UnionFind) -> Int {
        let node = known ?? unions.add()
        known = node
        return node
    }

    /// The order that a credit of `account` names.
    mutating func order(
        _ node: Int32, _ id: @autoclosure () -> Identifier, of account: @autoclosure () -> Identifier,
        _ unions: inout UnionFind
    ) -> Int {
        if node >= 0 { return Int(node) }
        let (id, account) = (id(), account())
        let number = orders[id] ?? unions.add()
        let known = orders.updateValue(number, forKey: id) == nil ? account : accounts[Int32(number)]
        accounts[Int32(number)] = known == account ? account : .absent
        return number
    }

    /// The transaction that an order or a credit of `account` names.
    mutating func transaction(
        _ node: Int32, _ id: @autoclosure () -> Identifier, _ account: @autoclosure () -> Identifier,
        _ unions: inout UnionFind
    ) -> Int {
        if node >= 0 { return Int(node) }
        let id = id()
        return originals[id] ?? claim(id, account(), &unions)
    }

    mutating func claim(_ id: Identifier, _ account: Identifier, _ unions: inout UnionFind) -> Int {
        Self.node(&claims[Claim(transaction: id, account: account)], &unions)
    }

    /// Nil where neither a row nor a credit tells of the order.
    func knownOrder(_ node: Int32, _ id: @autoclosure () -> Identifier) -> Int32? {
        if node >= 0 { return node }
        return node == LinkTargets.absent ? nil : orders[id()].map(Int32.init)
    }

    /// Nil where no record is known of the transaction.
    func knownTransaction(_ node: Int32, _ id: @autoclosure () -> Identifier) -> Int32? {
        if node >= 0 { return node }
        return node == LinkTargets.absent ? nil : originals[id()].map(Int32.init)
    }

    func knownClaim(_ id: Identifier, _ account: Identifier) -> Int32? {
        claims[Claim(transaction: id, account: account)].map(Int32.init)
    }

    /// The node of the transaction that something of `account` names.
    func knownNode(_ node: Int32, _ id: Identifier, _ account: Identifier) -> Int32? {
        knownTransaction(node, id) ?? knownClaim(id, account)
    }

    func account(ofOrder node: Int32) -> Identifier? {
        accounts[node].flatMap { $0 == .absent ? nil : $0 }
    }
}
