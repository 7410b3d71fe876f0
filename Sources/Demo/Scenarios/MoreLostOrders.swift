extension ScenarioGroup {
    /// Paid, and nothing came, for rarer reasons.
    static let moreLostOrders = ScenarioGroup(
        title: "Paid and not credited, rarer 其他已付未到账",
        scenarios: [
            // The receipt is checked, the order says paid, and the goods server answers with an error.
            Scenario(
                "Goods server down", chinese: "发放服务故障", verdict: .paidNotCredited, .creditFailed,
                desk: Scenario.repairJob,
                selling: .coins60, daysAgo: 0
            ) { sale, _ in [sale.order(.paid), sale.transaction, sale.receipt] },

            // The client uploads a receipt cut short; the check says 21003 for a purchase that Apple knows.
            Scenario(
                "Damaged receipt refused", chinese: "收据损坏被拒", verdict: .paidNotCredited, .receiptRejected,
                desk: Scenario.repairJob, selling: .coins60, daysAgo: 0
            ) { sale, _ in
                sale.receipt.verifyStatus = 21003
                return [sale.openOrder, sale.transaction, sale.receipt]
            },

            // A promoted purchase starts on the App Store's page: no order, and a token that no order carries.
            Scenario(
                "Bought on the App Store's page, owner unknown", chinese: "App Store 推广购买，无主",
                verdict: .paidNotCredited,
                .noOrder, desk: "Find the account, then credit. 查明账号后补单。"
            ) { world in
                let account = world.newAccount()
                let payment = world.transaction(.coins300, of: account, at: world.moment(daysAgo: 1))
                world.deliver(payment)
                return payment.id
            },

            // The customer orders twice, pays once, and the order number is lost: either order would do.
            Scenario(
                "Ordered twice, paid once, order number lost", chinese: "下单两次付款一次", verdict: .paidNotCredited, .noOrder,
                desk: "Credit once, either order. 任一订单补一次。"
            ) { world in
                let moment = world.moment(daysAgo: 0)
                let first = world.sale(.monthlyCard, daysAgo: 0)
                var second = world.sale(.monthlyCard, to: first.account, at: moment)
                second.pay(at: max(moment, first.order.createdAt) + .minutes(1))
                world.deliver(first.openOrder, second.openOrder, second.transaction)
                return second.transaction.id
            },

            // The customer buys twice within minutes. The app mixes the two up and reports the second payment with the
            // first order's number. The backend has given that order's coins already and gives nothing more.
            Scenario(
                "Two purchases, the second reported with the first one's order", chinese: "连买两笔，第二笔串到第一笔的订单",
                verdict: .paidNotCredited, .crossedOrder,
                desk: "Find out which payment the coins were for, then give the rest. 查明金币对应哪笔付款，再补发另一笔。"
            ) { world in
                let first = world.sale(.coins60, daysAgo: 1)
                var second = world.sale(.coins300, to: first.account, at: first.transaction.purchasedAt + .minutes(2))
                second.receipt.order = first.order.id
                world.deliver(first)
                world.deliver(second.openOrder, second.transaction, second.receipt)
                return second.transaction.id
            },

            // The first payment seems to fail, and the app pays again under the same order number. The backend gives the
            // coins of the order once.
            Scenario(
                "One order paid twice, delivered once", chinese: "同一订单重复支付，只到账一次", verdict: .paidNotCredited,
                .paidTwice,
                desk: "Give once more, or let Apple refund one payment. 再发一次，或让用户向苹果退款。"
            ) { world in
                var first = world.sale(.coins60, daysAgo: 1)
                var second = world.sale(.coins60, to: first.account, at: first.transaction.purchasedAt + .minutes(2))
                (first.order.transaction, first.credit.transaction) = (nil, nil)
                second.receipt.order = first.order.id
                world.deliver(first)
                world.deliver(second.transaction, second.receipt)
                return second.transaction.id
            },

            // A refund is asked for and the coins are taken back at once. Apple declines: its record, signed again,
            // shows no refund. The coins are not returned.
            Scenario(
                "Taken back, then the refund was declined", chinese: "先扣回，苹果拒绝退款", verdict: .paidNotCredited,
                .reversedWithoutRefund, desk: "Give the coins back. 退还金币。", selling: .coins980, daysAgo: 14
            ) { sale, world in
                let reversal = world.reversal(of: sale.credit, at: world.moment(daysAgo: 10))
                return sale.rows + [reversal, sale.signedAgain(at: world.moment(daysAgo: 9))]
            },

            // One of two is refunded, and both are taken back.
            Scenario(
                "Half refunded, all taken back", chinese: "部分退款却全部扣回", verdict: .paidNotCredited, .creditedShort,
                desk: "Give one back. 退还一份。", selling: .coins60, quantity: 2, daysAgo: 6
            ) { sale, world in
                let refund = sale.refunded(at: world.moment(daysAgo: 3), percentage: 50_000)
                return sale.rows + [refund, world.reversal(of: sale.credit, at: world.moment(daysAgo: 2))]
            },
        ])
}
