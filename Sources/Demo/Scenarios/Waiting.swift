internal import Domain

extension ScenarioGroup {
    /// Too early to judge.
    static let waiting = ScenarioGroup(
        title: "Waiting 等待中",
        scenarios: [justRefunded, beforeMidnight, creditedEarly, justReported, justSetToPaid, justOpened])

    private static let wait = "Wait. 等待。"

    private static let justRefunded: Builder = { world in
        let sale = world.sale(.coins300, daysAgo: 6)
        world.deliver(sale.order)
        world.deliver(sale.transaction, sale.refunded(at: world.moment(daysAgo: 0)))
        world.deliver(sale.credit)
        return Scenario(
            "Refunded today", "今日退款", sale.transaction.id, .waiting, .waitsRefundedNotReversed, desk: wait)
    }

    /// Paid in the last hour of the day; the credit is in tomorrow's file.
    private static let beforeMidnight: Builder = { world in
        let sale = world.sale(.coins60, daysAgo: 0, hours: 23..<24)
        world.deliver(sale.openOrder)
        world.deliver(sale.transaction)
        return Scenario(
            "Paid just before midnight", "临近零点付款", sale.transaction.id, .waiting, .waitsPaidNotCredited, desk: wait)
    }

    /// Credited on the client's report. Apple's record may take a week.
    private static let creditedEarly: Builder = { world in
        let sale = world.sale(.coins300, daysAgo: 3)
        world.deliver(sale.order)
        world.deliver(sale.receipt)
        world.deliver(sale.credit)
        return Scenario(
            "Credited, Apple's record still out", "已发货待苹果记录", sale.order.id, .waiting, .waitsCreditedNotPaid,
            desk: wait)
    }

    private static let justReported: Builder = { world in
        var receipt = world.sale(.coins300, daysAgo: 0).receipt
        receipt.order = nil
        world.deliver(receipt)
        return Scenario("Reported today", "今日上报", receipt.transaction, .waiting, .waitsOrphanReceipt, desk: wait)
    }

    private static let justSetToPaid: Builder = { world in
        let sale = world.sale(.coins300, daysAgo: 1)
        world.deliver(sale.order(.paid, knowsPayment: false))
        return Scenario("Set to paid yesterday", "昨日标记已付", sale.order.id, .waiting, .waitsOrderUnverified, desk: wait)
    }

    private static let justOpened: Builder = { world in
        let order = world.sale(.coins60, daysAgo: 0).openOrder
        world.deliver(order)
        return Scenario("Opened today", "今日下单", order.id, .waiting, .waitsClosed, desk: wait)
    }
}

extension ScenarioGroup {
    /// Purchases that looked wrong, or still do, and are right.
    static let matched = ScenarioGroup(
        title: "All right after all 最终正常", scenarios: [lateExport, lateCredit, monthsEnd, freeByCode])

    /// Japan's orders of the second day come a day late: for one night it is unknown whether there is an order.
    private static let lateExport: Builder = { world in
        let sale = world.sale(.coins300, to: world.newAccount(in: .japan), at: world.moment(daysAgo: 1))
        world.deliver(sale)
        return Scenario("Order export a day late", "订单文件迟到一天", sale.transaction.id, .matched, desk: Scenario.noAction)
    }

    /// Not credited when the night looked; credited the next morning.
    private static let lateCredit: Builder = { world in
        var sale = world.sale(.coins980, daysAgo: 1)
        world.deliver(sale.order(.paid))
        sale.credit.creditedAt = world.moment(daysAgo: 0)
        sale.order.updatedAt = sale.credit.creditedAt
        world.deliver(sale)
        return Scenario("Credited a day late", "迟到账", sale.transaction.id, .matched, desk: Scenario.noAction)
    }

    /// Paid in October and credited in November: right, and in the books of both months.
    private static let monthsEnd: Builder = { world in
        var sale = world.sale(.coins300, daysAgo: 18, hours: 23..<24)
        sale.credit.creditedAt = world.moment(daysAgo: 17, hours: 0..<1)
        sale.order.updatedAt = sale.credit.creditedAt
        world.deliver(sale)
        return Scenario("Across the end of the month", "跨月到账", sale.transaction.id, .matched, desk: Scenario.noAction)
    }

    /// An offer code makes the month free: 0 is a price.
    private static let freeByCode: Builder = { world in
        var sale = world.sale(.monthlyCard, daysAgo: 1)
        sale.order.amount?.minor = 0
        sale.transaction.price?.thousandths = 0
        world.deliver(sale)
        return Scenario("Free by offer code", "兑换码免费", sale.transaction.id, .matched, desk: Scenario.noAction)
    }
}
