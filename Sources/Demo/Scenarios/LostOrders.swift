extension ScenarioGroup {
    /// The ways in which orders get lost that every team meets.
    static let lostOrders = ScenarioGroup(
        title: "How orders get lost 掉单",
        scenarios: [
            // The app dies right after Apple took the money. Apple's notification reaches the backend, which notes the
            // transaction on the order and waits for the client to report: no receipt, no credit.
            Scenario(
                "App killed after paying", chinese: "付款后应用被杀", verdict: .paidNotCredited, .noReceipt,
                desk: Scenario.repairJob, selling: .coins300, daysAgo: 0
            ) { sale, _ in [sale.order(.pending), sale.transaction] },

            // The payment fails, the app closes the order; the customer adds a card, and minutes later the same payment
            // goes through. The client reports it for the order that is closed already.
            Scenario(
                "Payment failed, then succeeded after a card was added", chinese: "绑卡后重试成功", verdict: .paidNotCredited,
                .closedOrder, desk: Scenario.repairJob, selling: .coins980, daysAgo: 0
            ) { sale, _ in
                sale.pay(at: sale.order.createdAt + .minutes(6))
                sale.receipt.receivedAt = sale.transaction.purchasedAt + .seconds(4)
                return [sale.order(.failed, knowsPayment: false), sale.transaction, sale.receipt]
            },

            // Apple's verifyReceipt answers 21005 (unavailable), and the backend does not ask again.
            Scenario(
                "Receipt check answered 21005", chinese: "苹果验证超时", verdict: .paidNotCredited, .receiptUnverified,
                desk: Scenario.repairJob, selling: .coins60, daysAgo: 1
            ) { sale, _ in
                sale.receipt.verifyStatus = 21005
                return [sale.openOrder, sale.transaction, sale.receipt]
            },

            // StoreKit gives the transaction back without applicationUsername, and with it the order number is gone: the
            // client's report names no order, the order stays open.
            Scenario(
                "Order number lost with applicationUsername", chinese: "订单号丢失", verdict: .paidNotCredited, .noOrder,
                desk: Scenario.repairJob, selling: .seasonPass, daysAgo: 0
            ) { sale, _ in
                sale.receipt.order = nil
                return [sale.openOrder, sale.transaction, sale.receipt]
            },

            // A receipt of another purchase is sent in; verifyReceipt answers 0, "valid", and the backend takes that for
            // paid. Apple has no such transaction.
            Scenario(
                "Status 0 taken for paid", chinese: "状态 0 误当已付款", verdict: .creditedNotPaid, .noTransaction,
                desk: "Ask Apple for the transaction; take back. 向苹果查询交易，扣回。",
                selling: .coins6480, daysAgo: 9, id: { $0.order.id }
            ) { sale, _ in [sale.order, sale.receipt, sale.credit] },

            // A customer restores on a new phone. The restore comes under a new transaction id, and the backend credits
            // it like a purchase.
            Scenario(
                "A restore credited as new", chinese: "恢复购买被当新购", verdict: .creditedTwice, .restoredAsNew,
                desk: "Take the second credit back. 扣回第二次发放。", selling: .noAds, daysAgo: 20
            ) { sale, world in
                var restore = world.transaction(sale.product, of: sale.account, at: world.moment(daysAgo: 0))
                restore.original = sale.transaction.id
                var credit = world.another(sale.credit, at: restore.purchasedAt + .seconds(5))
                credit.order = nil
                credit.transaction = restore.id
                return sale.rows + [restore, credit]
            },

            // First night: paid, and nothing came. The next day the desk gives the coins, and all is well. The day after
            // that the backend's own retry gives them again.
            Scenario(
                "Desk compensated, then credited automatically", chinese: "客服补单后自动到账", verdict: .creditedTwice,
                .deskAndAuto,
                desk: "Take one credit back. 扣回一次。", selling: .coins300, daysAgo: 2
            ) { sale, world in
                [
                    sale.order(.paid), sale.transaction, sale.receipt,
                    world.another(sale.credit, at: world.moment(daysAgo: 1), origin: .desk),
                    world.another(sale.credit, at: world.moment(daysAgo: 0)),
                ]
            },

            // Apple refunds, its notification is lost, and the coins stay where they are.
            Scenario(
                "Refund kept", chinese: "退款未扣回", verdict: .refundedNotReversed, .notReversed,
                desk: "Take the coins back. 扣回金币。", selling: .coins980, daysAgo: 12
            ) { sale, world in sale.rows + [sale.refunded(at: world.moment(daysAgo: 2))] },

            // The account is switched while the payment sheet is up: one account paid, the other one got the coins.
            Scenario(
                "Credited to another account", chinese: "商品发错账号", verdict: .creditedToWrongAccount,
                desk: "Move the coins to the payer. 转回付款账号。", selling: .coins300, daysAgo: 1
            ) { sale, world in
                sale.credit.account = world.newAccount(in: sale.account.market).id
                return [sale.order, sale.transaction, sale.credit]
            },

            // A TestFlight build buys in the sandbox, where no money moves, and production delivers.
            Scenario(
                "Sandbox purchase credited", chinese: "沙盒购买到账", verdict: .creditedNotPaid, .sandbox,
                desk: "Take back; check the backend's environment. 扣回，检查环境判断。", selling: .coins6480, daysAgo: 1
            ) { sale, _ in
                sale.transaction.environment = .sandbox
                return sale.rows
            },
        ])
}
