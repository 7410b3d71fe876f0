internal import Domain

extension Subject {
    /// The subject's product.
    var product: Identifier? {
        purchase?.record.product ?? decidingOrder?.product
            ?? (credits + reversals).lazy.compactMap(\.credit.product).first
            ?? receiptsInTime.lazy.compactMap(\.product).first ?? unprovenTransactions.first?.product
    }

    private var receiptsInTime: [Receipt] {
        receipts.sorted { ($0.receivedAt, Identifier($0.id)) < ($1.receivedAt, Identifier($1.id)) }
    }

    /// What was paid: the customer price, else the product list's for the quantity. Nil if unknown.
    func price(_ policy: Policy) -> Money? {
        guard let record = purchase?.record else { return nil }
        let claimed = record.isProven ? record.price?.money : nil
        return claimed
            ?? listPrice(of: record.product, quantity: Int64(record.quantity), at: record.purchasedAt, policy)
    }

    /// What the subject is worth. A purchase: its price, else its order's amount. Anything else: its order's amount,
    /// else the product list's price.
    func amount(at anchor: Instant, _ policy: Policy) -> Money? {
        if purchase != nil { return price(policy) ?? decidingOrder?.amount }
        if let amount = decidingOrder?.amount { return amount }
        let quantity = Int64(decidingOrder?.quantity ?? 1)
        return product.flatMap { listPrice(of: $0, quantity: quantity, at: anchor, policy) }
    }
}

/// The product list's price of `quantity` pieces on the day of `instant`.
func listPrice(of product: Identifier, quantity: Int64, at instant: Instant, _ policy: Policy) -> Money? {
    policy.products.product(product, on: policy.zone.date(of: instant))?.price?.times(quantity, over: 1)
}

extension Money {
    /// Multiplied by a fraction, rounded half away from zero.
    func times(_ numerator: Int64, over denominator: Int64) -> Money {
        let product = minor * numerator
        let half = (product < 0 ? -denominator : denominator) / 2
        return Money(minor: (product + half) / denominator, currency: currency)
    }

    static func - (left: Money, right: Money) -> Money? {
        left.currency == right.currency ? Money(minor: left.minor - right.minor, currency: left.currency) : nil
    }
}
