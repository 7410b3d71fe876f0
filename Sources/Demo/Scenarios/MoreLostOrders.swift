internal import Domain

extension ScenarioGroup {
    /// Paid, and nothing came, for rarer reasons.
    static let moreLostOrders = ScenarioGroup(
        title: "Paid and not credited, rarer 其他已付未到账",
        scenarios: [
            goodsServerDown, receiptRefused, boughtInTheAppStore, orderedTwice, ordersCrossed, orderPaidTwice,
            refundDeclined, tooMuchTakenBack,
        ])

    /// The receipt is checked, the order says paid, and the goods server answers with an error.
    private static let goodsServerDown: Builder = { world in
        let sale = world.sale(.coins60, daysAgo: 0)
        world.deliver(sale.order(.paid))
        world.deliver(sale.transaction)
        world.deliver(sale.receipt)
        return Scenario(
            "Goods server down", "发货服务故障", sale.transaction.id, .paidNotCredited, .creditFailed,
            desk: Scenario.repairJob)
    }

    /// The client uploads a receipt cut short; the check says 21003 for a purchase that Apple knows.
    private static let receiptRefused: Builder = { world in
        var sale = world.sale(.coins60, daysAgo: 0)
        sale.receipt.verifyStatus = 21003
        world.deliver(sale.openOrder)
        world.deliver(sale.transaction)
        world.deliver(sale.receipt)
        return Scenario(
            "Damaged receipt refused", "收据损坏被拒", sale.transaction.id, .paidNotCredited, .receiptRejected,
            desk: Scenario.repairJob)
    }

    /// A promoted purchase starts on the App Store's page: no order, and a token that no order carries.
    private static let boughtInTheAppStore: Builder = { world in
        let account = world.newAccount()
        let payment = world.transaction(.coins300, of: account, at: world.moment(daysAgo: 1))
        world.deliver(payment)
        return Scenario(
            "Bought on the App Store's page, owner unknown", "App Store 推广购买，无主", payment.id, .paidNotCredited,
            .noOrder, desk: "Find the account, then credit. 查明账号后补单。")
    }

    /// The customer orders twice, pays once, and the order number is lost: either order would do.
    private static let orderedTwice: Builder = { world in
        let moment = world.moment(daysAgo: 0)
        let first = world.sale(.monthlyCard, daysAgo: 0)
        var second = world.sale(.monthlyCard, to: first.account, at: moment)
        second.transaction.purchasedAt = max(moment, first.order.createdAt) + .minutes(1)
        second.transaction.signedAt = second.transaction.purchasedAt + .seconds(2)
        world.deliver(first.openOrder, second.openOrder)
        world.deliver(second.transaction)
        return Scenario(
            "Ordered twice, paid once, order number lost", "下单两次付款一次", second.transaction.id, .paidNotCredited,
            .noOrder, desk: "Credit once, either order. 任一订单补一次。")
    }

    /// The customer buys twice within minutes. The app mixes the two up and reports the second payment with the first
    /// order's number. The backend has given that order's coins already and gives nothing more.
    private static let ordersCrossed: Builder = { world in
        let first = world.sale(.coins60, daysAgo: 1)
        var second = world.sale(.coins300, to: first.account, at: first.transaction.purchasedAt + .minutes(2))
        second.receipt.order = first.order.id
        world.deliver(first)
        world.deliver(second.openOrder)
        world.deliver(second.transaction)
        world.deliver(second.receipt)
        return Scenario(
            "Two purchases, the second reported with the first one's order", "连买两笔，第二笔串到第一笔的订单", second.transaction.id,
            .paidNotCredited, .crossedOrder,
            desk: "Find out which payment the coins were for, then give the rest. 查明金币对应哪笔付款，再补发另一笔。")
    }

    /// The first payment seems to fail, and the app pays again under the same order number. The backend gives the coins of
    /// the order once.
    private static let orderPaidTwice: Builder = { world in
        let first = world.sale(.coins60, daysAgo: 1)
        var second = world.sale(.coins60, to: first.account, at: first.transaction.purchasedAt + .minutes(2))
        var order = first.order
        var credit = first.credit
        (order.transaction, credit.transaction) = (nil, nil)
        second.receipt.order = order.id
        world.deliver(first.transaction, second.transaction)
        world.deliver(order)
        world.deliver(first.receipt, second.receipt)
        world.deliver(credit)
        return Scenario(
            "One order paid twice, delivered once", "同一订单重复支付，只到账一次", second.transaction.id, .paidNotCredited,
            .paidTwice,
            desk: "Give once more, or let Apple refund one payment. 再发一次，或让用户向苹果退款。")
    }

    /// A refund is asked for and the coins are taken back at once. Apple declines: its record, signed again, shows
    /// no refund. The coins are not returned.
    private static let refundDeclined: Builder = { world in
        let sale = world.sale(.coins980, daysAgo: 14)
        let reversal = world.reversal(of: sale.credit, at: world.moment(daysAgo: 10))
        world.deliver(sale.order)
        world.deliver(sale.transaction, sale.signedAgain(at: world.moment(daysAgo: 9)))
        world.deliver(sale.receipt)
        world.deliver(sale.credit, reversal)
        return Scenario(
            "Taken back, then the refund was declined", "先扣回，苹果拒绝退款", sale.transaction.id, .paidNotCredited,
            .reversedWithoutRefund, desk: "Give the coins back. 退还金币。")
    }

    /// One of two is refunded, and both are taken back.
    private static let tooMuchTakenBack: Builder = { world in
        let sale = world.sale(.coins60, daysAgo: 6, quantity: 2)
        world.deliver(sale.order)
        world.deliver(sale.transaction, sale.refunded(at: world.moment(daysAgo: 3), percentage: 50_000))
        world.deliver(sale.receipt)
        world.deliver(sale.credit, world.reversal(of: sale.credit, at: world.moment(daysAgo: 2)))
        return Scenario(
            "Half refunded, all taken back", "部分退款却全部扣回", sale.transaction.id, .paidNotCredited, .creditedShort,
            desk: "Give one back. 退还一份。")
    }
}
