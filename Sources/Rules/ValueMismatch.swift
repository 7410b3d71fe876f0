/// 9. Paid and delivered, but not the same thing: another product, quantity, currency or amount.
///
/// "The order says 6.00, Apple took 30.00." Product and quantity are compared between transaction, order and credits,
/// currency and amount between transaction and order. A value that one side lacks is not compared, and the
/// configuration's `compare` may leave fields out. A missing customer price is taken from the product list where that
/// is in the order's currency. All differing fields are shown with both values; the first is the cause. Short by sign:
/// the worth of the goods given less what was paid; for an amount, the order's less the price. Medium. No grace. The
/// credits feed could prove otherwise where pieces lack.
///
/// Example: coins_60 paid, coins_300 ordered and credited: `product`.
enum ValueMismatch: Rule {
    static func finding(_ facts: Facts) -> Finding? {
        guard let purchase = facts.purchase else { return nil }
        let differences = differences(facts, purchase: purchase)
        guard let first = differences.first else { return nil }
        let cause: Cause =
            switch first.field {
            case .product: .product
            case .quantity: .quantity
            case .currency: .currency
            case .amount: .amount
            }
        let effect = effect(facts, differences: differences)
        let short: ShortParty = (effect?.minor ?? 0) == 0 ? .nobody : effect!.minor < 0 ? .customer : .company
        return Finding(
            verdict: .valueMismatch, cause: cause, anchor: purchase.purchasedAt,
            provenBy: cause == .quantity && short == .customer ? .credits : nil, short: short, effect: effect,
            differences: differences)
    }

    /// All fields that differ, one difference for each, in the order of `ComparedField`.
    private static func differences(_ facts: Facts, purchase: Transaction) -> [Difference] {
        let compared = facts.policy.compare
        var found: [Difference] = []
        if compared.contains(.product), let other = facts.otherProduct {
            found.append(Difference(field: .product, left: purchase.product.text, right: other.text))
        }
        if compared.contains(.quantity), let other = facts.otherQuantity {
            found.append(Difference(field: .quantity, left: String(purchase.quantity), right: String(other)))
        }
        guard let paid = facts.comparedPrice, let asked = facts.order?.amount, let field = differingField(paid, asked),
            compared.contains(field)
        else { return found }
        let isCurrency = field == .currency
        found.append(
            Difference(
                field: field, left: isCurrency ? paid.currency.text : paid.text,
                right: isCurrency ? asked.currency.text : asked.text))
        return found
    }

    /// Whether the amount paid differs from the order's in its currency, else in its amount. Nil if they are equal.
    private static func differingField(_ paid: Money, _ asked: Money) -> ComparedField? {
        if paid.currency != asked.currency { return .currency }
        return paid == asked ? nil : .amount
    }

    /// Whether a purchase, its only order and its only credit agree in all fields, whichever of them are compared.
    static func agree(_ purchase: Transaction, price: Money, order: Order, credit: Credit) -> Bool {
        purchase.other(order.product) == nil && purchase.other(credit.product) == nil
            && purchase.other(Int64(order.quantity)) == nil && purchase.other(credit.quantity.map(Int64.init)) == nil
            && order.amount.flatMap { differingField(price, $0) } == nil
    }

    /// The effect of the first difference; nil if it cannot be expressed in one currency or a price is unknown.
    private static func effect(_ facts: Facts, differences: [Difference]) -> Money? {
        switch differences[0].field {
        case .product, .quantity: facts.excess
        case .currency: nil
        case .amount: facts.comparedPrice.flatMap { paid in facts.order?.amount.flatMap { $0 - paid } }
        }
    }
}

extension Facts {
    /// The first product other than the one paid for: the order's, else a credit's.
    fileprivate var otherProduct: Identifier? {
        guard let record else { return nil }
        return record.other(order?.product) ?? left.lazy.compactMap { record.other($0.product) }.first
    }

    /// The first quantity other than the one paid for: that given, unless it met a partial refund; else that ordered.
    fileprivate var otherQuantity: Int64? {
        guard let record else { return nil }
        return record.other(expectedQuantity == nil ? netQuantity() : nil)
            ?? record.other(order.map { Int64($0.quantity) })
    }
}

extension Transaction {
    /// The product, unless it is the one bought.
    fileprivate func other(_ product: Identifier?) -> Identifier? { product == self.product ? nil : product }

    /// The quantity, unless it is the one bought.
    fileprivate func other(_ quantity: Int64?) -> Int64? { quantity == Int64(self.quantity) ? nil : quantity }
}
