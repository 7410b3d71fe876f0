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
        if subject.backing == .purchase, let price = record.price { return price.money }
        return listPrice(of: record.product, quantity: Int64(record.quantity), at: record.purchasedAt)
    }

    /// What the subject is worth. Of a purchase its price, else its order's amount; of anything else its order's amount,
    /// else the product list's price on the day of `anchor`.
    func amount(at anchor: Instant) -> Money? {
        if record != nil { return price ?? order?.amount }
        if let amount = order?.amount { return amount }
        return product.flatMap { listPrice(of: $0, quantity: Int64(order?.quantity ?? 1), at: anchor) }
    }

    /// The product list's price of so many pieces on the day of `instant`. Nil where it names none, or it overflows.
    func listPrice(of product: Identifier, quantity: Int64, at instant: Instant) -> Money? {
        if policy.products.isEmpty { return nil }
        guard let price = policy.products.product(product, on: policy.zone.date(of: instant))?.price else { return nil }
        return price.times(quantity, over: 1)
    }

    /// The worth of `units` purchases, counting from the purchase.
    func worth(_ units: Int64, over denominator: Int64 = 1) -> Money? {
        record.flatMap { amount(at: $0.purchasedAt) }?.times(units, over: denominator)
    }
}

extension Money {
    /// Multiplied by a fraction, rounded half away from zero. Nil where it overflows.
    func times(_ numerator: Int64, over denominator: Int64) -> Money? {
        let (product, overflow) = minor.multipliedReportingOverflow(by: numerator)
        if overflow { return nil }
        let half = (product < 0 ? -denominator : denominator) / 2
        return Money(minor: (product + half) / denominator, currency: currency)
    }

    /// Nil across currencies, and where it overflows.
    static func - (left: Money, right: Money) -> Money? {
        let (difference, overflow) = left.minor.subtractingReportingOverflow(right.minor)
        return left.currency == right.currency && !overflow ? Money(minor: difference, currency: left.currency) : nil
    }
}
