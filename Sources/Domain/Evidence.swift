/// Evidence of all kinds, in the order in which it was read.
public struct Evidence: Sendable {
    public var orders: [Order] = []
    public var credits: [Credit] = []
    public var transactions: [Transaction] = []
    public var receipts: [Receipt] = []
    public var products: [Product] = []
    public var acknowledgements: [Acknowledgement] = []
    public var orderLookups: [OrderLookup] = []

    public init() {}

    /// Hands everything over, and is empty.
    public mutating func take() -> Evidence {
        defer { self = Evidence() }
        return self
    }

    public mutating func append(_ other: consuming Evidence) {
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
