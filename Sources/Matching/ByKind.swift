/// One value for each kind of evidence of a purchase.
public struct ByKind<Value: Sendable>: Sendable {
    public var orders: Value
    public var transactions: Value
    public var credits: Value
    public var receipts: Value

    /// - Parameter all: as `all` returns them.
    public init(_ all: [Value]) {
        (orders, transactions, credits, receipts) = (all[0], all[1], all[2], all[3])
    }

    public var all: [Value] { [orders, transactions, credits, receipts] }
}
