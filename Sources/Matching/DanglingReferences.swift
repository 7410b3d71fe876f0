/// The nodes of orders and transactions that other evidence names, but that were never delivered. Their numbers follow
/// those of delivered evidence.
///
/// In all functions `node` is what `LinkTargets` found for the id: a node, `absent` or `dangling`.
struct DanglingReferences {
    /// A transaction id without a record, as one account names it.
    private struct Claim: Hashable {
        var transaction: Identifier
        var account: Identifier
    }

    /// Orders without a row, by id.
    private var orders: [Identifier: Int] = [:]
    /// The account of the credits that name an order without a row, by node; `.absent` where there are several.
    private var accounts: [Int32: Identifier] = [:]
    /// The nodes of original transactions that only their restores prove, and that are named so far.
    private(set) var originals: [Identifier: Int] = [:]
    /// A transaction id without a record links evidence of one account only, because anybody can name an id.
    private var claims: [Claim: Int] = [:]

    /// The node of a restore's original.
    mutating func original(_ id: Identifier, in unions: inout UnionFind) -> Int {
        Self.node(&originals[id], &unions)
    }

    /// The known node. Where there is none, adds one and remembers it.
    private static func node(_ known: inout Int?, _ unions: inout UnionFind) -> Int {
        let node = known ?? unions.add()
        known = node
        return node
    }

    /// The node of an order that a credit of `account` names.
    mutating func order(
        _ node: Int32, _ id: @autoclosure () -> Identifier, by account: @autoclosure () -> Identifier,
        in unions: inout UnionFind
    ) -> Int {
        if node >= 0 { return Int(node) }
        let (id, account) = (id(), account())
        let number = orders[id] ?? unions.add()
        let known = orders.updateValue(number, forKey: id) == nil ? account : accounts[Int32(number)]
        accounts[Int32(number)] = known == account ? account : .absent
        return number
    }

    /// The node of a transaction that an order or credit of `account` names.
    mutating func transaction(
        _ node: Int32, _ id: @autoclosure () -> Identifier, by account: @autoclosure () -> Identifier,
        in unions: inout UnionFind
    ) -> Int {
        if node >= 0 { return Int(node) }
        let id = id()
        return originals[id] ?? claim(id, by: account(), in: &unions)
    }

    /// The node of a transaction id without a record, as `account` names it.
    mutating func claim(_ id: Identifier, by account: Identifier, in unions: inout UnionFind) -> Int {
        Self.node(&claims[Claim(transaction: id, account: account)], &unions)
    }

    /// The node of an order; nil if it has neither a row nor a credit.
    func knownOrder(_ node: Int32, _ id: @autoclosure () -> Identifier) -> Int32? {
        if node >= 0 { return node }
        return node == LinkTargets.absent ? nil : orders[id()].map(Int32.init)
    }

    /// The node of a transaction; nil if no record is known and no restore proves it.
    func knownTransaction(_ node: Int32, _ id: @autoclosure () -> Identifier) -> Int32? {
        if node >= 0 { return node }
        return node == LinkTargets.absent ? nil : originals[id()].map(Int32.init)
    }

    /// The node of a transaction id without a record that an order or credit of `account` names; nil without one.
    func knownClaim(_ id: Identifier, by account: Identifier) -> Int32? {
        claims[Claim(transaction: id, account: account)].map(Int32.init)
    }

    /// The node of a transaction that evidence of `account` names, with or without a record.
    func knownNode(_ node: Int32, _ id: Identifier, by account: Identifier) -> Int32? {
        knownTransaction(node, id) ?? knownClaim(id, by: account)
    }

    /// The account of all credits that name an order without a row; nil if they are of several.
    func account(ofOrder node: Int32) -> Identifier? {
        accounts[node].flatMap { $0 == .absent ? nil : $0 }
    }
}
