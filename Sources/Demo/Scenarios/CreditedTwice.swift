internal import Domain

extension ScenarioGroup {
    static let creditedTwice = ScenarioGroup(
        title: "Credited twice 重复到账", scenarios: [sharedReceipt, resentWithNewOrder, caughtUpTwice])

    /// A customer shares a receipt; the backend asks whether it is valid, never whether it is used, and credits both.
    private static let sharedReceipt: Builder = { world in
        let sale = world.sale(.coins6480, daysAgo: 1)
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
        world.deliver(sale.order)
        world.deliver(sale.transaction)
        world.deliver(sale.receipt, receipt)
        world.deliver(sale.credit, credit)
        return Scenario(
            "One receipt, two accounts", "一张收据两个账号", sale.transaction.id, .creditedTwice, .crossAccount,
            desk: "Take the friend's coins back. 扣回另一账号。")
    }

    /// The client has lost its order, opens a new one and sends the receipt again: one payment, two orders.
    private static let resentWithNewOrder: Builder = { world in
        let sale = world.sale(.coins300, daysAgo: 1)
        var second = world.sale(.coins300, to: sale.account, at: sale.credit.creditedAt + .minutes(3))
        second.order.transaction = sale.transaction.id
        second.credit.transaction = sale.transaction.id
        world.deliver(sale.order, second.order)
        world.deliver(sale.transaction)
        world.deliver(sale.receipt)
        world.deliver(sale.credit, second.credit)
        return Scenario(
            "Sent again with a new order", "换新订单重报", sale.transaction.id, .creditedTwice, .twoOrders,
            desk: "Take one back, close one order. 扣回一次，关闭一单。")
    }

    /// First paid and not credited; then the goods server comes back and its queue delivers the message twice.
    private static let caughtUpTwice: Builder = { world in
        let sale = world.sale(.coins60, daysAgo: 1)
        let moment = world.moment(daysAgo: 0)
        world.deliver(sale.order(.paid))
        world.deliver(sale.transaction)
        world.deliver(sale.receipt)
        world.deliver(world.another(sale.credit, at: moment), world.another(sale.credit, at: moment + .seconds(30)))
        return Scenario(
            "Queue delivered twice", "消息重复投递", sale.transaction.id, .creditedTwice, .twoCredits,
            desk: "Take one back. 扣回一次。")
    }
}
