/// One purchase as it should go, with the evidence that each side keeps of it. A scenario changes or leaves out what
/// went wrong, and delivers the rest.
struct Sale {
    var account: SampleAccount
    var product: SampleProduct
    var order: Order
    var transaction: Transaction
    /// What the client reported and the check answered: accepted.
    var receipt: Receipt
    var credit: Credit

    var rows: [any SampleRow] { [order, transaction, receipt, credit] }

    mutating func pay(at moment: Instant) {
        transaction.purchasedAt = moment
        transaction.signedAt = moment + .seconds(2)
    }

    mutating func credit(at moment: Instant) {
        credit.creditedAt = moment
        order.updatedAt = moment
    }

    /// The order while the payment sheet is shown: the backend does not know of a payment.
    var openOrder: Order {
        var order = order
        order.status = .pending
        order.transaction = nil
        order.updatedAt = nil
        return order
    }

    /// The order with `status`, which it got when the backend heard of the payment.
    func order(_ status: OrderStatus, knowsPayment: Bool = true) -> Order {
        var order = order
        order.status = status
        if !knowsPayment { order.transaction = nil }
        return order
    }

    /// Apple's record after a refund: signed again, with the same price.
    ///
    /// - Parameter percentage: of the price, in thousandths of a percent; nil for all of it.
    func refunded(at moment: Instant, percentage: Int32? = nil) -> Transaction {
        var copy = signedAgain(at: moment + .seconds(3))
        copy.revocation = Revocation(
            at: moment, type: percentage == nil ? .refundFull : .refundProrated, reason: 0, percentage: percentage)
        return copy
    }

    /// Apple's record as it is signed for another delivery.
    func signedAgain(at moment: Instant) -> Transaction {
        var copy = transaction
        copy.signedAt = moment
        return copy
    }
}
