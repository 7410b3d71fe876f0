/// Evidence of all kinds, in the order in which it was read.
package struct Evidence: Sendable {
    package var orders: [Order] = []
    package var credits: [Credit] = []
    package var transactions: [Transaction] = []
    package var receipts: [Receipt] = []
    package var products: [Product] = []
    package var acknowledgements: [Acknowledgement] = []
    package var orderLookups: [OrderLookup] = []

    package init() {}

    /// Hands everything over, and is empty.
    package mutating func take() -> Evidence {
        defer { self = Evidence() }
        return self
    }

    package mutating func append(_ other: consuming Evidence) {
        move(other.orders, to: &orders)
        move(other.credits, to: &credits)
        move(other.transactions, to: &transactions)
        move(other.receipts, to: &receipts)
        move(other.products, to: &products)
        move(other.acknowledgements, to: &acknowledgements)
        move(other.orderLookups, to: &orderLookups)
    }

    /// Takes the first part over as it is, unless room was made: a night's largest file is never copied.
    private func move<Element>(_ part: [Element], to whole: inout [Element]) {
        if whole.isEmpty, whole.capacity < part.count { whole = part } else { whole += part }
    }
}
