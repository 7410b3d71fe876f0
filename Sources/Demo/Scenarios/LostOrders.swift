internal import Domain

extension ScenarioGroup {
    /// The ways in which orders get lost that every team meets.
    static let lostOrders = ScenarioGroup(
        title: "How orders get lost 掉单",
        scenarios: [
            appKilled, cardAdded, appleTimeout, orderNumberLost, statusZeroTakenForPaid, restoreCreditedAsNew,
            deskThenAuto, refundKept, otherAccountCredited, sandboxCredited,
        ])

    /// The app dies right after Apple took the money. Apple's notification reaches the backend, which notes the
    /// transaction on the order and waits for the client to report: no receipt, no credit.
    private static let appKilled: Builder = { world in
        let sale = world.sale(.coins300, daysAgo: 0)
        world.deliver(sale.order(.pending))
        world.deliver(sale.transaction)
        return Scenario(
            "App killed after paying", "付款后应用被杀", sale.transaction.id, .paidNotCredited, .noReceipt,
            desk: Scenario.repairJob)
    }

    /// The payment fails, the app closes the order; the customer adds a card, and minutes later the same payment goes
    /// through. The client reports it for the order that is closed already.
    private static let cardAdded: Builder = { world in
        var sale = world.sale(.coins980, daysAgo: 0)
        sale.transaction.purchasedAt = sale.order.createdAt + .minutes(6)
        sale.transaction.signedAt = sale.transaction.purchasedAt + .seconds(2)
        sale.receipt.receivedAt = sale.transaction.purchasedAt + .seconds(4)
        world.deliver(sale.order(.failed, knowsPayment: false))
        world.deliver(sale.transaction)
        world.deliver(sale.receipt)
        return Scenario(
            "Payment failed, then succeeded after a card was added", "绑卡后重试成功", sale.transaction.id,
            .paidNotCredited, .closedOrder, desk: Scenario.repairJob)
    }

    /// Apple's verifyReceipt answers 21005 (unavailable), and the backend does not ask again.
    private static let appleTimeout: Builder = { world in
        var sale = world.sale(.coins60, daysAgo: 1)
        sale.receipt.verifyStatus = 21005
        world.deliver(sale.openOrder)
        world.deliver(sale.transaction)
        world.deliver(sale.receipt)
        return Scenario(
            "Receipt check answered 21005", "苹果验证超时", sale.transaction.id, .paidNotCredited, .receiptUnverified,
            desk: Scenario.repairJob)
    }

    /// StoreKit gives the transaction back without applicationUsername, and with it the order number is gone: the
    /// client's report names no order, the order stays open.
    private static let orderNumberLost: Builder = { world in
        var sale = world.sale(.seasonPass, daysAgo: 0)
        sale.receipt.order = nil
        world.deliver(sale.openOrder)
        world.deliver(sale.transaction)
        world.deliver(sale.receipt)
        return Scenario(
            "Order number lost with applicationUsername", "订单号丢失", sale.transaction.id, .paidNotCredited, .noOrder,
            desk: Scenario.repairJob)
    }

    /// A receipt of another purchase is sent in; verifyReceipt answers 0, "valid", and the backend takes that for
    /// paid. Apple has no such transaction.
    private static let statusZeroTakenForPaid: Builder = { world in
        let sale = world.sale(.coins6480, daysAgo: 9)
        world.deliver(sale.order)
        world.deliver(sale.receipt)
        world.deliver(sale.credit)
        return Scenario(
            "Status 0 taken for paid", "状态 0 误当已付款", sale.order.id, .creditedNotPaid, .noTransaction,
            desk: "Ask Apple for the transaction; take back. 向苹果查询交易，扣回。")
    }

    /// A customer restores on a new phone. The restore comes under a new transaction id, and the backend credits it
    /// like a purchase.
    private static let restoreCreditedAsNew: Builder = { world in
        let sale = world.sale(.noAds, daysAgo: 20)
        world.deliver(sale)
        var restore = world.transaction(sale.product, of: sale.account, at: world.moment(daysAgo: 0))
        restore.original = sale.transaction.id
        world.deliver(restore)
        var credit = world.another(sale.credit, at: restore.purchasedAt + .seconds(5))
        credit.order = nil
        credit.transaction = restore.id
        world.deliver(credit)
        return Scenario(
            "A restore credited as new", "恢复购买被当新购", sale.transaction.id, .creditedTwice, .restoredAsNew,
            desk: "Take the second credit back. 扣回第二次发货。")
    }

    /// First night: paid, and nothing came. The next day the desk gives the coins, and all is well. The day after
    /// that the backend's own retry gives them again.
    private static let deskThenAuto: Builder = { world in
        let sale = world.sale(.coins300, daysAgo: 2)
        world.deliver(sale.order(.paid))
        world.deliver(sale.transaction)
        world.deliver(sale.receipt)
        world.deliver(world.another(sale.credit, at: world.moment(daysAgo: 1), origin: .desk))
        world.deliver(world.another(sale.credit, at: world.moment(daysAgo: 0)))
        return Scenario(
            "Desk compensated, then credited automatically", "客服补单后自动到账", sale.transaction.id, .creditedTwice,
            .deskAndAuto, desk: "Take one credit back. 扣回一次。")
    }

    /// Apple refunds, its notification is lost, and the coins stay where they are.
    private static let refundKept: Builder = { world in
        let sale = world.sale(.coins980, daysAgo: 12)
        world.deliver(sale.order)
        world.deliver(sale.transaction, sale.refunded(at: world.moment(daysAgo: 2)))
        world.deliver(sale.receipt)
        world.deliver(sale.credit)
        return Scenario(
            "Refund kept", "退款未扣回", sale.transaction.id, .refundedNotReversed, .notReversed,
            desk: "Take the coins back. 扣回金币。")
    }

    /// The account is switched while the payment sheet is up: one account paid, the other one got the coins.
    private static let otherAccountCredited: Builder = { world in
        var sale = world.sale(.coins300, daysAgo: 1)
        sale.credit.account = world.newAccount(in: sale.account.market).id
        world.deliver(sale.order)
        world.deliver(sale.transaction)
        world.deliver(sale.credit)
        return Scenario(
            "Credited to another account", "充错账号", sale.transaction.id, .creditedToWrongAccount,
            desk: "Move the coins to the payer. 转回付款账号。")
    }

    /// A TestFlight build buys in the sandbox, where no money moves, and production delivers.
    private static let sandboxCredited: Builder = { world in
        var sale = world.sale(.coins6480, daysAgo: 1)
        sale.transaction.environment = .sandbox
        world.deliver(sale)
        return Scenario(
            "Sandbox purchase credited", "沙盒购买到账", sale.transaction.id, .creditedNotPaid, .sandbox,
            desk: "Take back; check the backend's environment. 扣回，检查环境判断。")
    }
}
