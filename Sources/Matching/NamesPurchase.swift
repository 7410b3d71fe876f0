/// Evidence that names an order, a transaction, or both, and so links them.
protocol NamesPurchase: Sendable {
    /// The account that the evidence belongs to.
    var account: Identifier { get }
    /// `.absent` where it names none.
    var namedOrder: Identifier { get }
    /// `.absent` where it names none.
    var namedTransaction: Identifier { get }
}

extension Credit: NamesPurchase {
    var namedOrder: Identifier { $order }
    var namedTransaction: Identifier { $transaction }
}

extension Receipt: NamesPurchase {
    var namedOrder: Identifier { $order }
    var namedTransaction: Identifier { $transaction }
}
