internal import Base

/// Finds the node of an order or transaction by its identifier. The node of an order is the first position of its key;
/// the node of a transaction is the first position of its key plus the number of orders.
struct LinkTargets: Sendable {
    let orders: [Order]
    let transactions: [Transaction]
    private let orderKeys: PositionTable
    private let transactionKeys: PositionTable
    /// The ids side by side. Read from the records themselves, each id would pull its whole record into the processor's
    /// cache.
    private let orderIDs: [Identifier]
    private let transactionIDs: [Identifier]

    init(
        orders: [Order], _ orderKeys: PositionTable, transactions: [Transaction], _ transactionKeys: PositionTable,
        threads: Int
    ) {
        self.orders = orders
        self.orderKeys = orderKeys
        self.transactions = transactions
        self.transactionKeys = transactionKeys
        orderIDs = concurrentMap(threads: threads, orders.count) { orders[$0].id }
        transactionIDs = concurrentMap(threads: threads, transactions.count) { transactions[$0].id }
    }

    /// No identifier was named.
    static let absent: Int32 = -1
    /// The identifier names something that was never delivered.
    static let dangling: Int32 = -2

    /// The nodes of the orders named by `count` pieces of evidence, looked up on up to `threads` cores.
    ///
    /// - Parameter id: what each of them names; `.absent` where it names none.
    func orders(_ count: Int, threads: Int, named id: @Sendable (Int) -> Identifier) -> [Int32] {
        nodes(count, threads: threads, named: id, among: orderKeys, ids: orderIDs, from: 0)
    }

    /// The same for transactions.
    func transactions(_ count: Int, threads: Int, named id: @Sendable (Int) -> Identifier) -> [Int32] {
        nodes(
            count, threads: threads, named: id, among: transactionKeys, ids: transactionIDs, from: orders.count)
    }

    /// Numbers the position found from `first`; see `absent` and `dangling` for the others.
    @inline(__always)
    private func nodes(
        _ count: Int, threads: Int, named: @Sendable (Int) -> Identifier, among keys: PositionTable,
        ids: [Identifier], from first: Int
    ) -> [Int32] {
        concurrentMap(threads: threads, count) { numbers, add in
            keys.find(numbers) {
                named($0) == .absent ? nil : named($0).hashBits
            } isSame: {
                ids[$0] == named($1)
            } use: { number, position in
                let dangling = named(number) == .absent ? Self.absent : Self.dangling
                add(position.map { Int32(first + $0) } ?? dangling)
            }
        }
    }
}
