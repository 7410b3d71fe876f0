extension ScenarioGroup {
    static let creditedTwice = ScenarioGroup(
        title: "Credited twice 重复发放",
        scenarios: [
            // A customer shares a receipt; the backend asks whether it is valid, never whether it is used, and credits
            // both.
            Scenario(
                "One receipt, two accounts", chinese: "一张收据两个账号", verdict: .creditedTwice, .crossAccount,
                desk: "Take the friend's coins back. 扣回另一账号。", selling: .coins6480, daysAgo: 1
            ) { sale, world in
                let friend = world.newAccount(in: sale.account.market)
                let later = sale.credit.creditedAt + .minutes(50)
                var receipt = sale.receipt
                receipt.givenID = world.newReceiptID()
                receipt.account = friend.id
                receipt.order = nil
                receipt.receivedAt = later
                var credit = world.another(sale.credit, at: later + .seconds(1))
                credit.account = friend.id
                credit.order = nil
                return sale.rows + [receipt, credit]
            },

            // The client has lost its order, opens a new one and sends the receipt again: one payment, two orders.
            Scenario(
                "Sent again with a new order", chinese: "换新订单重报", verdict: .creditedTwice, .twoOrders,
                desk: "Take one back, close one order. 扣回一次，关闭一单。", selling: .coins300, daysAgo: 1
            ) { sale, world in
                var second = world.sale(.coins300, to: sale.account, at: sale.credit.creditedAt + .minutes(3))
                second.order.transaction = sale.transaction.id
                second.credit.transaction = sale.transaction.id
                return sale.rows + [second.order, second.credit]
            },

            // First paid and not credited; then the goods server comes back and its queue delivers the message twice.
            Scenario(
                "Queue delivered twice", chinese: "消息重复投递", verdict: .creditedTwice, .twoCredits,
                desk: "Take one back. 扣回一次。", selling: .coins60, daysAgo: 1
            ) { sale, world in
                let moment = world.moment(daysAgo: 0)
                return [
                    sale.order(.paid), sale.transaction, sale.receipt, world.another(sale.credit, at: moment),
                    world.another(sale.credit, at: moment + .seconds(30)),
                ]
            },
        ])
}
