/// Where the price of a purchase comes from.
public enum PriceSource: String, Hashable, Sendable, Codable, CaseIterable {
    /// Apple's record states it.
    case apple
    /// The backend's order states it; Apple's record has no price.
    case order
    /// The product list states it; neither Apple's record nor the order has a price.
    case list
}

/// What a purchase cost, and how that is known. Only Apple's price is proven; the others are estimates.
public struct SourcedPrice: Hashable, Sendable {
    /// For the whole quantity.
    public var money: Money
    public var source: PriceSource
}

extension Policy {
    /// The product list's prices for `quantity` pieces on the day of `instant`, by currency, without those that overflow.
    func listPrices(of product: Identifier, quantity: Int64, at instant: Instant) -> [Money] {
        if products.isEmpty { return [] }
        return products.prices(of: product, on: zone.date(of: instant)).compactMap { $0.times(quantity, over: 1) }
    }

    /// The one of these prices in `currency`, else the only one. Nil if there is none, or several in other currencies.
    public func listPrice(
        of product: Identifier, quantity: Int64, at instant: Instant, in currency: Currency?
    ) -> Money? {
        let prices = listPrices(of: product, quantity: quantity, at: instant)
        return prices.first { $0.currency == currency } ?? (prices.count == 1 ? prices[0] : nil)
    }

    /// What the customer paid for a proven purchase: the price in Apple's record, else the order's amount, else the product
    /// list's price in the currency of the storefront. Nil without a known one, or with several. See docs/spec/rules.md#worth.
    ///
    /// - Parameter order: the order that decides; nil without one. One of another product does not price the purchase.
    public func price(of purchase: Transaction, order: Order?) -> SourcedPrice? {
        if let price = purchase.price { return SourcedPrice(money: price.money, source: .apple) }
        if let order, order.product == purchase.product,
            let amount = order.amount?.times(Int64(purchase.quantity), over: Int64(max(1, order.quantity)))
        {
            return SourcedPrice(money: amount, source: .order)
        }
        let prices = listPrices(
            of: purchase.product, quantity: Int64(purchase.quantity), at: purchase.purchasedAt
        ).filter { StorefrontCurrencies.sells(purchase.storefront, in: $0.currency) }
        return prices.count == 1 ? SourcedPrice(money: prices[0], source: .list) : nil
    }
}
