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

    /// What a purchase cost: the customer price; else the amount of its order, if that is for its product, for as many
    /// pieces; else the product list's price. The worlds' records name no storefront. READINGS 43.
    func price(_ policy: Policy) -> Money? {
        guard let record = purchase?.record, record.isProven else { return nil }
        if let price = record.price { return price.money }
        if let order = decidingOrder, let amount = order.amount, order.product == record.product {
            return amount.times(Int64(record.quantity), over: Int64(order.quantity))
        }
        let prices = listPrices(of: record.product, quantity: Int64(record.quantity), at: record.purchasedAt, policy)
        return prices.count == 1 ? prices.values.first : nil
    }

    /// The price that 9 compares: the customer price, else the product list's if it is in the order's currency.
    func comparedPrice(_ policy: Policy) -> Money? {
        guard let record = purchase?.record else { return nil }
        if let price = record.price { return price.money }
        guard let currency = decidingOrder?.amount?.currency else { return nil }
        return listPrices(of: record.product, quantity: Int64(record.quantity), at: record.purchasedAt, policy)[
            currency]
    }

    /// What the subject is worth. A proven purchase: its price. Anything else: its order's amount, else the product list's
    /// price.
    func amount(at anchor: Instant, _ policy: Policy) -> Money? {
        if let record = purchase?.record, record.isProven { return price(policy) }
        if let amount = decidingOrder?.amount { return amount }
        let quantity = Int64(purchase?.record.quantity ?? decidingOrder?.quantity ?? 1)
        let day = purchase?.record.purchasedAt ?? anchor
        guard let product else { return nil }
        let prices = listPrices(of: product, quantity: quantity, at: day, policy)
        return prices.count == 1 ? prices.values.first : nil
    }
}

/// The product list's prices of `quantity` pieces on the day of `instant`, by currency.
func listPrices(of product: Identifier, quantity: Int64, at instant: Instant, _ policy: Policy) -> [Currency: Money] {
    var prices: [Currency: Money] = [:]
    for price in policy.products.prices(of: product, on: policy.zone.date(of: instant)) {
        prices[price.currency] = price.times(quantity, over: 1)
    }
    return prices
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
