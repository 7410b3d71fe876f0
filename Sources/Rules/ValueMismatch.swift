internal import Domain

/// 9. Paid and delivered, but not the same thing: another product, quantity, currency or amount.
///
/// "The order says 6.00, Apple took 30.00." Product and quantity are compared between transaction, order and
/// credits, currency and amount between transaction and order; a value that one side lacks is not compared, and
/// the configuration's `compare` may leave fields out. A missing customer price is taken from the product list
/// where that is in the order's currency. All differing fields are shown with both values; the first is the
/// cause. Short by sign: the value credited (the order's) less the value owed (what was paid). Medium. No grace.
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
        let effect = effect(facts, purchase: purchase, cause: cause)
        let short: Short = (effect?.minor ?? 0) == 0 ? .nobody : effect!.minor < 0 ? .customer : .company
        return Finding(
            verdict: .valueMismatch, cause: cause, anchor: purchase.purchasedAt, short: short, effect: effect,
            differences: differences)
    }

    private static func differences(_ facts: Facts, purchase: Transaction) -> [Difference] {
        var found: [Difference] = []
        func compare(_ field: ComparedField, _ left: String, _ right: String?) {
            guard let right, left != right, facts.policy.compare.contains(field),
                !found.contains(where: { $0.field == field })
            else { return }
            found.append(Difference(field: field, left: left, right: right))
        }
        let credited = facts.position.left.isEmpty ? nil : facts.creditedQuantity
        if purchase.product != facts.order?.product { compare(.product, purchase.product.text, facts.order?.product.text) }
        for credit in facts.position.left where credit.product != nil && credit.product != purchase.product {
            compare(.product, purchase.product.text, credit.product?.text)
        }
        if let order = facts.order, order.quantity != purchase.quantity {
            compare(.quantity, String(purchase.quantity), String(order.quantity))
        }
        if let credited, credited != Int64(purchase.quantity) {
            compare(.quantity, String(purchase.quantity), String(credited))
        }
        if let (paid, ordered) = facts.comparedAmounts {
            if paid.currency != ordered.currency { compare(.currency, paid.currency.text, ordered.currency.text) }
            if paid.thousandths != ordered.thousandths, paid.currency == ordered.currency {
                compare(.amount, paid.money.text, ordered.money.text)
            }
        }
        return found.sorted { ComparedField.order($0.field) < ComparedField.order($1.field) }
    }

    private static func effect(_ facts: Facts, purchase: Transaction, cause: Cause) -> Money? {
        switch cause {
        case .amount:
            guard let (paid, ordered) = facts.comparedAmounts else { return nil }
            return Money(minor: ordered.money.minor - paid.money.minor, currency: paid.currency)
        case .quantity:
            let given = facts.creditedQuantity ?? facts.order.map { Int64($0.quantity) } ?? Int64(purchase.quantity)
            return facts.share(given - Int64(purchase.quantity), of: Int64(purchase.quantity))
        default: return nil
        }
    }
}

extension ComparedField {
    /// The catalogue's order of causes.
    static func order(_ field: ComparedField) -> Int { allCases.firstIndex(of: field)! }
}

extension Facts {
    /// Quantity of the credits left as their rows state it; before reversals after a partial refund. Nil: none states any.
    var creditedQuantity: Int64? {
        if case .partial = refund { return position.quantityCredited }
        let stated = position.left.compactMap(\.quantity)
        if stated.isEmpty { return nil }
        return position.left.reduce(0) { $0 + Int64($1.quantity ?? purchase?.quantity ?? 1) }
    }

    /// What was paid, and what the order says, where both are known.
    var comparedAmounts: (paid: Price, ordered: Price)? {
        guard let purchase, let ordered = order?.amount else { return nil }
        if let price = purchase.price { return (price, Price(ordered)) }
        guard let listed = listAmount, listed.currency == ordered.currency else { return nil }
        return (Price(listed), Price(ordered))
    }
}
