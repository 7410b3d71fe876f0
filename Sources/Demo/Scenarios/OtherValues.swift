internal import Domain

extension ScenarioGroup {
    static let otherValues = ScenarioGroup(
        title: "Not what was paid for 内容不符", scenarios: [otherGoods, oneOfTwo, otherCurrency, oldPrice, withoutOrder])

    /// A patched client orders 300 coins and pays for 60; the backend delivers what was ordered.
    private static let otherGoods: Builder = { world in
        var sale = world.sale(.coins60, daysAgo: 0)
        sale.order.product = Identifier(SampleProduct.coins300.id)
        sale.order.amount = SampleProduct.coins300.price(in: sale.account.market)
        sale.credit.product = sale.order.product
        world.deliver(sale)
        return Scenario(
            "Paid for 60, got 300", "付 60 得 300", sale.transaction.id, .valueMismatch, .product,
            desk: "Take the difference back. 扣回差额。")
    }

    /// Two are paid for, and one is given.
    private static let oneOfTwo: Builder = { world in
        var sale = world.sale(.coins980, daysAgo: 0, quantity: 2)
        sale.credit.quantity = 1
        world.deliver(sale)
        return Scenario(
            "Paid for two, got one", "付两份得一份", sale.transaction.id, .valueMismatch, .quantity,
            desk: "Give the other one. 补发一份。")
    }

    /// The order is made in yuan; the Apple Account has moved to the American store.
    private static let otherCurrency: Builder = { world in
        var sale = world.sale(.coins300, to: world.newAccount(in: .china), at: world.moment(daysAgo: 1))
        sale.transaction.price = Price(sale.product.price(in: .america))
        sale.transaction.storefront = Identifier(Market.america.storefront)
        world.deliver(sale)
        return Scenario(
            "Ordered in yuan, paid in dollars", "人民币下单美元付款", sale.transaction.id, .valueMismatch, .currency,
            desk: "Correct the order's amount. 更正订单金额。")
    }

    /// The price was raised in App Store Connect and not in the game.
    private static let oldPrice: Builder = { world in
        var sale = world.sale(.seasonPass, to: world.newAccount(in: .china), at: world.moment(daysAgo: 1))
        sale.transaction.price = Price(thousandths: 78_000, currency: Market.china.currency)
        world.deliver(sale)
        return Scenario(
            "Old price in the game", "游戏内价格未更新", sale.transaction.id, .valueMismatch, .amount,
            desk: "Update the price list. 更新价目表。")
    }

    /// The order database lost a write: Apple was paid and the goods were given, but no order is on file.
    private static let withoutOrder: Builder = { world in
        var sale = world.sale(.coins60, daysAgo: 2)
        sale.credit.order = nil
        sale.receipt.order = nil
        world.deliver(sale.transaction)
        world.deliver(sale.receipt)
        world.deliver(sale.credit)
        return Scenario(
            "Delivered without an order", "有发货无订单", sale.transaction.id, .orderMissing,
            desk: "Enter the order. 补写订单。")
    }
}
