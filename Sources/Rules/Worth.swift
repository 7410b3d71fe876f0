extension Facts {
    /// The product that the subject is about: by the record or order, else by its credits, else by its receipts. Nil
    /// where no evidence names one.
    var product: Identifier? {
        if let product = record?.product ?? order?.product { return product }
        let credits = subject.position.credits + reversals
        if let product = credits.lazy.compactMap(\.product).first { return product }
        let inTime = receipts.sorted { $0.isEarlier(than: $1) }
        return inTime.lazy.compactMap(\.product).first
            ?? subject.transactions.first.map { file.transactions[$0].product }
    }

    /// Pieces bought by the record, else by the order, else by a credit. Nil if no evidence says.
    var quantity: Int32? {
        record?.quantity ?? order?.quantity ?? subject.position.credits.lazy.compactMap(\.quantity).first
    }

    /// What a purchase cost: Apple's price, else its order's amount, else the product list's price. Nil without a purchase
    /// or where none is known.
    var price: Money? { purchase.flatMap { policy.price(of: $0, order: order) }?.money }

    /// The price that an order's amount is compared with: Apple's, else the product list's where that is in the order's
    /// currency. Nil if neither is known.
    var comparedPrice: Money? {
        guard let purchase else { return nil }
        if let price = purchase.price { return price.money }
        let currency = order?.amount?.currency
        let listed = policy.listPrice(
            of: purchase.product, quantity: Int64(purchase.quantity), at: purchase.purchasedAt, in: currency)
        return listed?.currency == currency ? listed : nil
    }

    /// What the subject is worth. For a purchase: its price. For any other subject: its order's amount, else the product
    /// list's price on the day of `anchor`, or of the record that proves nothing; the price in a forged record is not
    /// believed. Nil without one.
    func amount(at anchor: Instant) -> Money? {
        if purchase != nil { return price }
        if let amount = order?.amount { return amount }
        let (quantity, at) = (record?.quantity ?? order?.quantity ?? 1, record?.purchasedAt ?? anchor)
        return product.flatMap { policy.listPrice(of: $0, quantity: Int64(quantity), at: at, in: nil) }
    }

    /// What the customer is to have: the price, less a refund that leaves a whole number of pieces.
    var owed: Money? {
        guard let purchase, let price else { return nil }
        switch subject.refund {
        case .none, .uncountable: return price
        case .full: return price.times(0, over: 1)
        case .partial(let kept): return price.times(kept, over: Int64(purchase.quantity))
        }
    }

    /// The worth of the goods given less that of the goods taken back. Nil if unknown.
    ///
    /// - Parameter amount: what the subject is worth; of a subject without goods, 0 in its currency.
    func goods(_ amount: Money?) -> Money? {
        amount?.times(0, over: 1).flatMap {
            GoodsWorth(subject, in: file, policy: policy, product: product).net($0)
        }
    }

    /// The worth of the goods given less what the customer is to have: negative where the customer lacks something. Nil if
    /// unknown.
    var excess: Money? { owed.flatMap { owed in goods(owed).flatMap { $0 - owed } } }
}

extension Money {
    /// Nil for different currencies and where it overflows.
    static func - (left: Money, right: Money) -> Money? {
        let (difference, overflow) = left.minor.subtractingReportingOverflow(right.minor)
        return left.currency == right.currency && !overflow ? Money(minor: difference, currency: left.currency) : nil
    }
}
