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
    /// The product list's price for `quantity` pieces on the day of `instant`. Nil if the list has none, or it
    /// overflows.
    public func listPrice(of product: Identifier, quantity: Int64, at instant: Instant) -> Money? {
        if products.isEmpty { return nil }
        guard let price = products.product(product, on: zone.date(of: instant))?.price else { return nil }
        return price.times(quantity, over: 1)
    }

    /// What the customer paid for a proven purchase: the price in Apple's record, else the order's amount, else the product
    /// list's price in a currency of the storefront. Nil if none is known. See docs/spec/rules.md#worth.
    ///
    /// - Parameter order: the order that decides; nil without one. One of another product does not price the purchase.
    public func price(of purchase: Transaction, order: Order?) -> SourcedPrice? {
        if let price = purchase.price { return SourcedPrice(money: price.money, source: .apple) }
        if let order, order.product == purchase.product,
            let amount = order.amount?.times(Int64(purchase.quantity), over: Int64(max(1, order.quantity)))
        {
            return SourcedPrice(money: amount, source: .order)
        }
        guard
            let price = listPrice(of: purchase.product, quantity: Int64(purchase.quantity), at: purchase.purchasedAt),
            StorefrontCurrencies.sells(purchase.storefront, in: price.currency)
        else { return nil }
        return SourcedPrice(money: price, source: .list)
    }
}
