internal import Domain

extension ScenarioGroup {
    /// Goods were credited, and nothing proves a payment to Apple.
    static let unprovenCredits = ScenarioGroup(
        title: "Credited and not paid 未付到账",
        scenarios: [
            otherEnvironmentCredited, refusedAndCredited, uncheckedAndCredited, foreignReceiptCredited, paidSaysWho,
        ])

    /// Receipts without a purchase.
    static let orphanReceipts = ScenarioGroup(
        title: "Receipts that lead nowhere 收据无对应交易",
        scenarios: [refusedReceipt, forgedReceipt, uncheckedReceipt, unknownReceipt, emptyReceipt])

    /// A test environment that Apple opened last week and the backend takes for production.
    private static let otherEnvironmentCredited: Builder = { world in
        var sale = world.sale(.coins300, daysAgo: 1)
        sale.transaction.environment = .other
        world.deliver(sale.order)
        world.deliver(sale.transaction)
        world.deliver(sale.credit)
        return Scenario(
            "Unknown environment credited", "未知环境到账", sale.transaction.id, .creditedNotPaid, .otherEnvironment,
            desk: "Take back; check the environment. 扣回，检查环境。")
    }

    /// The goods go out before the check's answer is in, and that is 21003.
    private static let refusedAndCredited: Builder = { world in
        unproven(status: 21003, daysAgo: 3, isCredited: true, &world) {
            Scenario(
                "Credited before the receipt was refused", "先发货后拒绝", $0.order.id, .creditedNotPaid, .receiptRejected,
                desk: "Take back. 扣回。")
        }
    }

    /// The same, and the answer never came.
    private static let uncheckedAndCredited: Builder = { world in
        unproven(status: 21005, daysAgo: 9, isCredited: true, &world) {
            Scenario(
                "Credited without an answer from Apple", "未验证即发货", $0.order.id, .creditedNotPaid, .receiptUnverified,
                desk: "Check the receipt again. 重新验证收据。")
        }
    }

    /// A client sends a made-up receipt with status 0 in place of Apple's answer, and the backend believes the client.
    /// The receipt's data says otherwise.
    private static let foreignReceiptCredited: Builder = { world in
        let sale = world.sale(.coins300, daysAgo: 3)
        world.deliver(sale.order)
        world.feeds.write(sale.receipt, data: Forgery.ownChain.jws(claiming: sale.transaction))
        world.deliver(sale.credit)
        return Scenario(
            "Credited on a receipt that lacks the purchase", "收据中无此交易仍发货", sale.order.id, .creditedNotPaid,
            .notInReceipt, desk: "Ask Apple for the transaction; take back. 向苹果查询交易，扣回。")
    }

    /// An order was set to paid by hand. Neither a client nor Apple knows of a payment.
    private static let paidSaysWho: Builder = { world in
        let sale = world.sale(.coins980, daysAgo: 9)
        world.deliver(sale.order(.paid, knowsPayment: false))
        return Scenario(
            "Order says paid, nobody else does", "订单称已付，无苹果记录", sale.order.id, .orderUnverified,
            desk: "Find out who set it. 查明操作人。")
    }

    private static let refusedReceipt: Builder = { world in
        unproven(status: 21003, daysAgo: 2, &world) {
            Scenario(
                "Made-up receipt refused", "伪造收据被拒", $0.transaction.id, .orphanReceipt, .rejected,
                desk: Scenario.noAction)
        }
    }

    /// The backend's own check accepted a receipt that Apple never signed.
    private static let forgedReceipt: Builder = { world in
        let sale = world.sale(.coins300, daysAgo: 2)
        var receipt = sale.receipt
        receipt.order = nil
        world.feeds.write(receipt, data: Forgery.ownChain.jws(claiming: sale.transaction))
        return Scenario(
            "Receipt data does not bear out its claim", "收据内容不符", receipt.transaction, .orphanReceipt, .notInReceipt,
            desk: "Escalate. 上报。")
    }

    private static let uncheckedReceipt: Builder = { world in
        unproven(status: 21009, daysAgo: 2, &world) {
            Scenario(
                "Receipt never checked", "收据未验证", $0.transaction.id, .orphanReceipt, .unverified,
                desk: "Check it again. 重新验证。")
        }
    }

    private static let unknownReceipt: Builder = { world in
        unproven(status: 0, daysAgo: 2, &world) {
            Scenario(
                "Transaction that the feed lacks", "交易未在数据源", $0.transaction.id, .orphanReceipt,
                .unknownTransaction, desk: "Ask Apple for it. 向苹果查询。")
        }
    }

    /// An old client reports a payment without a transaction id.
    private static let emptyReceipt: Builder = { world in
        var receipt = world.sale(.coins60, daysAgo: 2).receipt
        receipt.order = nil
        receipt.transaction = nil
        world.deliver(receipt)
        return Scenario(
            "Receipt without a transaction", "收据无交易号", receipt.givenID, .orphanReceipt, .noReference,
            desk: "Ask the player. 联系玩家。")
    }

    /// A client's report of a transaction that Apple's feed never confirms. A credited one has its order and credit.
    private static func unproven(
        status: Int32, daysAgo: Int, isCredited: Bool = false, _ world: inout SampleWorld,
        _ describe: (Sale) -> Scenario
    ) -> Scenario {
        var sale = world.sale(.coins300, daysAgo: daysAgo)
        sale.receipt.verifyStatus = status
        if isCredited {
            world.deliver(sale.order)
            world.deliver(sale.credit)
        } else {
            sale.receipt.order = nil
        }
        world.deliver(sale.receipt)
        return describe(sale)
    }
}
