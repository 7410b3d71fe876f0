extension ScenarioGroup {
    /// Goods were credited, and nothing proves a payment to Apple.
    static let unprovenCredits = ScenarioGroup(
        title: "Credited and not paid 未付到账",
        scenarios: [
            // A test environment that Apple opened last week and the backend takes for production.
            Scenario(
                "Unknown environment credited", chinese: "未知环境到账", verdict: .creditedNotPaid, .otherEnvironment,
                desk: "Take back; check the environment. 扣回，检查环境。", selling: .coins300, daysAgo: 1
            ) { sale, _ in
                sale.transaction.environment = .other
                return [sale.order, sale.transaction, sale.credit]
            },

            // The goods go out before the check's answer is in, and that is 21003.
            Scenario(
                "Credited before the receipt was refused", chinese: "先发放后拒绝", verdict: .creditedNotPaid,
                .receiptRejected,
                desk: "Take back. 扣回。", selling: .coins300, daysAgo: 3, id: { $0.order.id }
            ) { sale, _ in
                sale.receipt.verifyStatus = 21003
                return [sale.order, sale.credit, sale.receipt]
            },

            // The same, and the answer never came.
            Scenario(
                "Credited without an answer from Apple", chinese: "未验证即发放", verdict: .creditedNotPaid,
                .receiptUnverified,
                desk: "Check the receipt again. 重新验证收据。", selling: .coins300, daysAgo: 9, id: { $0.order.id }
            ) { sale, _ in
                sale.receipt.verifyStatus = 21005
                return [sale.order, sale.credit, sale.receipt]
            },

            // A client sends a made-up receipt with status 0 in place of Apple's answer, and the backend believes the
            // client. The receipt's data says otherwise.
            Scenario(
                "Credited on a receipt that lacks the purchase", chinese: "收据中无此交易仍发放", verdict: .creditedNotPaid,
                .notInReceipt, desk: "Ask Apple for the transaction; take back. 向苹果查询交易，扣回。",
                selling: .coins300, daysAgo: 3, id: { $0.order.id }
            ) { sale, world in
                sale.receipt.write(to: world.feeds, data: Forgery.ownChain.jws(claiming: sale.transaction))
                return [sale.order, sale.credit]
            },

            // An order was set to paid by hand. Neither a client nor Apple knows of a payment.
            Scenario(
                "Order says paid, but nothing confirms it", chinese: "订单称已付，无苹果记录", verdict: .orderUnverified,
                desk: "Find out who set it. 查明操作人。", selling: .coins980, daysAgo: 9, id: { $0.order.id }
            ) { sale, _ in [sale.order(.paid, knowsPayment: false)] },
        ])

    /// Receipts without a purchase: clients' reports of transactions that Apple's feed never confirms.
    static let orphanReceipts = ScenarioGroup(
        title: "Receipts that lead nowhere 收据无对应交易",
        scenarios: [
            .orphan("Made-up receipt refused", chinese: "伪造收据被拒", status: 21003, .rejected),

            // The backend's own check accepted a receipt that Apple never signed.
            Scenario(
                "Receipt data does not bear out its claim", chinese: "收据内容不符", verdict: .orphanReceipt, .notInReceipt,
                desk: "Escalate. 上报。", selling: .coins300, daysAgo: 3
            ) { sale, world in
                sale.receipt.order = nil
                sale.receipt.write(to: world.feeds, data: Forgery.ownChain.jws(claiming: sale.transaction))
                return []
            },

            .orphan(
                "Receipt never checked", chinese: "收据未验证", status: 21009, .unverified, daysAgo: 5,
                desk: "Check it again. 重新验证。"),
            .orphan(
                "Transaction that the feed lacks", chinese: "交易未在数据源", status: 0, .unknownTransaction,
                desk: "Ask Apple for it. 向苹果查询。"),

            // An old client reports a payment without a transaction id.
            Scenario(
                "Receipt without a transaction", chinese: "收据无交易号", verdict: .orphanReceipt, .noReference,
                desk: "Ask the player. 联系玩家。", selling: .coins60, daysAgo: 4, id: { $0.receipt.givenID }
            ) { sale, _ in
                sale.receipt.order = nil
                sale.receipt.transaction = nil
                return [sale.receipt]
            },
        ])
}

extension Scenario {
    /// - Parameter status: the answer to the backend's check.
    fileprivate static func orphan(
        _ english: String, chinese: String, status: Int32, _ cause: Cause, daysAgo: Int = 2, desk: String = noAction
    ) -> Scenario {
        Scenario(
            english, chinese: chinese, verdict: .orphanReceipt, cause, desk: desk, selling: .coins300, daysAgo: daysAgo
        ) { sale, _ in
            sale.receipt.order = nil
            sale.receipt.verifyStatus = status
            return [sale.receipt]
        }
    }
}
