/// Rows of all kinds in the order in which they were read. Products, acknowledgements and order lookups are not
/// evidence of a purchase, but come from the same feeds.
public struct Evidence: Sendable {
    public var orders: [Order] = []
    /// Rows of the credit ledger.
    public var credits: [Credit] = []
    /// Apple's records, including those that a receipt's data lists.
    public var transactions: [Transaction] = []
    /// Receipts that clients reported.
    public var receipts: [Receipt] = []
    public var products: [Product] = []
    /// Answers to retry entries.
    public var acknowledgements: [Acknowledgement] = []
    /// Apple's e-mailed order ids with their transactions.
    public var orderLookups: [OrderLookup] = []

    public init() {}

    /// Returns everything and leaves this value empty.
    public mutating func take() -> Evidence {
        defer { self = Evidence() }
        return self
    }

    /// When the goods of these rows were given: by a credit, or by an order that stands for one.
    public var goods: TimeSpans {
        var goods = TimeSpans()
        for credit in credits where credit.kind == .credit { goods.note(credit.creditedAt) }
        for order in orders where order.status == .credited { goods.note(order.updatedAt ?? order.createdAt) }
        return goods
    }

    /// When the orders of these rows were created.
    public var orderTimes: TimeSpans { TimeSpans(orders.lazy.map(\.createdAt)) }

    /// When the newest order was placed, purchase made or credit given.
    public var newest: Instant? {
        [
            orders.lazy.map(\.createdAt).max(), credits.lazy.map(\.creditedAt).max(),
            transactions.lazy.map(\.purchasedAt).max(),
        ].compactMap(\.self).max()
    }

    /// Moves orders, credits, transactions and receipts out. The rest stays.
    public mutating func takePurchaseRows() -> Evidence {
        var taken = Evidence()
        swap(&taken.orders, &orders)
        swap(&taken.credits, &credits)
        swap(&taken.transactions, &transactions)
        swap(&taken.receipts, &receipts)
        return taken
    }

    /// Appends the other's rows, kind by kind.
    public mutating func append(_ other: consuming Evidence) {
        move(other.orders, to: &orders)
        move(other.credits, to: &credits)
        move(other.transactions, to: &transactions)
        move(other.receipts, to: &receipts)
        move(other.products, to: &products)
        move(other.acknowledgements, to: &acknowledgements)
        move(other.orderLookups, to: &orderLookups)
    }

    /// Takes the first part over without copying it, unless room was reserved: a night's largest file is never copied.
    private func move<Element>(_ part: [Element], to whole: inout [Element]) {
        if whole.isEmpty, whole.capacity < part.count { whole = part } else { whole += part }
    }
}
