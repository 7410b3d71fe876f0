internal import Domain

extension Facts {
    /// The product that the subject is about: by the record or order, else by its credits, else by its receipts. Nil
    /// where no evidence names one.
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

    /// Pieces bought by the record, else by the order, else by a credit. Nil if no evidence says.
    var quantity: Int32? {
        record?.quantity ?? order?.quantity ?? subject.position.credits.lazy.compactMap(\.quantity).first
    }

    /// What was paid: the customer price, else the product list's price for the whole quantity. The price in a forged
    /// record is not believed. Nil without a record or where no price is known.
    var price: Money? {
        guard let record else { return nil }
        if subject.backing == .purchase { return policy.price(of: record) }
        return policy.listPrice(of: record.product, quantity: Int64(record.quantity), at: record.purchasedAt)
    }

    /// What the subject is worth. For a purchase: its price, else its order's amount. For any other subject: its
    /// order's amount, else the product list's price on the day of `anchor`. Nil if none is known.
    func amount(at anchor: Instant) -> Money? {
        if record != nil { return price ?? order?.amount }
        if let amount = order?.amount { return amount }
        return product.flatMap { policy.listPrice(of: $0, quantity: Int64(order?.quantity ?? 1), at: anchor) }
    }

    /// The worth of `units` / `denominator` purchases, priced on the day of the purchase. Nil if unknown.
    func worth(_ units: Int64, over denominator: Int64 = 1) -> Money? {
        record.flatMap { amount(at: $0.purchasedAt) }?.times(units, over: denominator)
    }
}

extension Money {
    /// Nil for different currencies and where it overflows.
    static func - (left: Money, right: Money) -> Money? {
        let (difference, overflow) = left.minor.subtractingReportingOverflow(right.minor)
        return left.currency == right.currency && !overflow ? Money(minor: difference, currency: left.currency) : nil
    }
}
