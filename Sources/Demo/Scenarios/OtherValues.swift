extension ScenarioGroup {
    static let otherValues = ScenarioGroup(
        title: "Not what was paid for 内容不符",
        scenarios: [
            // A patched client orders 300 coins and pays for 60; the backend delivers what was ordered.
            Scenario(
                "Paid for 60, got 300", chinese: "付 60 得 300", verdict: .valueMismatch, .product,
                desk: "Take the difference back. 扣回差额。", selling: .coins60, daysAgo: 0
            ) { sale, _ in
                sale.order.product = Identifier(SampleProduct.coins300.id)
                sale.order.amount = SampleProduct.coins300.price(in: sale.account.market)
                sale.credit.product = sale.order.product
                return sale.rows
            },

            // Two are paid for, and one is given.
            Scenario(
                "Paid for two, got one", chinese: "付两份得一份", verdict: .valueMismatch, .quantity,
                desk: "Give the other one. 补发一份。", selling: .coins980, quantity: 2, daysAgo: 0
            ) { sale, _ in
                sale.credit.quantity = 1
                return sale.rows
            },

            // The order is made in yuan; the Apple Account has moved to the American store.
            Scenario(
                "Ordered in yuan, paid in dollars", chinese: "人民币下单美元付款", verdict: .valueMismatch, .currency,
                desk: "Correct the order's amount. 更正订单金额。", selling: .coins300, in: .china, daysAgo: 1
            ) { sale, _ in
                sale.transaction.price = Price(sale.product.price(in: .america))
                sale.transaction.storefront = Identifier(Market.america.storefront)
                return sale.rows
            },

            // The price was raised in App Store Connect and not in the game.
            Scenario(
                "Old price in the game", chinese: "游戏内价格未更新", verdict: .valueMismatch, .amount,
                desk: "Update the price list. 更新价目表。", selling: .seasonPass, in: .china, daysAgo: 1
            ) { sale, _ in
                sale.transaction.price = Price(thousandths: 78_000, currency: Market.china.currency)
                return sale.rows
            },

            // The order database lost a write: Apple was paid and the goods were given, but no order is on file.
            Scenario(
                "Delivered without an order", chinese: "已发放无订单", verdict: .orderMissing, desk: "Enter the order. 补写订单。",
                selling: .coins60, daysAgo: 2
            ) { sale, _ in
                sale.credit.order = nil
                sale.receipt.order = nil
                return [sale.transaction, sale.receipt, sale.credit]
            },
        ])
}
