internal import Domain

extension Facts {
    /// The product that the subject is about.
    var product: Identifier? {
        if let product = record?.product ?? order?.product { return product }
        let credits = subject.position.credits + reversals
        if let product = credits.lazy.compactMap(\.product).first { return product }
        let inTime = receipts.sorted {
            $0.receivedAt == $1.receivedAt ? $0.keyPrecedes($1) : $0.receivedAt < $1.receivedAt
        }
        return inTime.lazy.compactMap(\.product).first
            ?? subject.transactions.first.map { file.transactions[$0].product }
    }

    var quantity: Int32? {
        record?.quantity ?? order?.quantity ?? subject.position.credits.lazy.compactMap(\.quantity).first
    }

    /// What was paid: the customer price, else the product list's for the whole quantity. A forged record's is not believed.
    var price: Money? {
        guard let record else { return nil }
        if subject.backing == .purchase { return policy.price(of: record) }
        return policy.listPrice(of: record.product, quantity: Int64(record.quantity), at: record.purchasedAt)
    }

    /// What the subject is worth. Of a purchase its price, else its order's amount; of anything else its order's amount,
    /// else the product list's price on the day of `anchor`.
    func amount(at anchor: Instant) -> Money? {
        if record != nil { return price ?? order?.amount }
        if let amount = order?.amount { return amount }
        return product.flatMap { policy.listPrice(of: $0, quantity: Int64(order?.quantity ?? 1), at: anchor) }
    }

    /// The worth of `units` purchases, counting from the purchase.
    func worth(_ units: Int64, over denominator: Int64 = 1) -> Money? {
        record.flatMap { amount(at: $0.purchasedAt) }?.times(units, over: denominator)
    }
}

extension Money {
    /// Nil across currencies, and where it overflows.
    static func - (left: Money, right: Money) -> Money? {
        let (difference, overflow) = left.minor.subtractingReportingOverflow(right.minor)
        return left.currency == right.currency && !overflow ? Money(minor: difference, currency: left.currency) : nil
    }
}
