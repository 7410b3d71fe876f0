extension Policy {
    /// The product list's price for `quantity` pieces on the day of `instant`. Nil if the list has none, or it
    /// overflows.
    public func listPrice(of product: Identifier, quantity: Int64, at instant: Instant) -> Money? {
        if products.isEmpty { return nil }
        guard let price = products.product(product, on: zone.date(of: instant))?.price else { return nil }
        return price.times(quantity, over: 1)
    }

    /// What the customer paid for a proven purchase: the price in Apple's record, else the product list's price for the
    /// whole quantity. Nil if neither is known.
    public func price(of purchase: Transaction) -> Money? {
        if let price = purchase.price { return price.money }
        return listPrice(of: purchase.product, quantity: Int64(purchase.quantity), at: purchase.purchasedAt)
    }
}
