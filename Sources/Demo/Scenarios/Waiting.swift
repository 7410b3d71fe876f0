private let wait = "Wait. 等待。"

extension ScenarioGroup {
    /// Too early to judge.
    static let waiting = ScenarioGroup(
        title: "Waiting 等待中",
        scenarios: [
            Scenario(
                "Refunded today", chinese: "今日退款", verdict: .waiting, .waitsRefundedNotReversed, desk: wait,
                selling: .coins300, daysAgo: 6
            ) { sale, world in
                [sale.order, sale.transaction, sale.refunded(at: world.moment(daysAgo: 0)), sale.credit]
            },

            // Paid in the last hour of the day; the credit is in tomorrow's file.
            Scenario(
                "Paid just before midnight", chinese: "临近零点付款", verdict: .waiting, .waitsPaidNotCredited, desk: wait,
                selling: .coins60, daysAgo: 0, hours: 23..<24
            ) { sale, _ in [sale.openOrder, sale.transaction] },

            // Credited on the client's report. Apple's record may take a week.
            Scenario(
                "Credited, Apple's record still out", chinese: "已发放待苹果记录", verdict: .waiting, .waitsCreditedNotPaid,
                desk: wait, selling: .coins300, daysAgo: 3, id: { $0.order.id }
            ) { sale, _ in [sale.order, sale.receipt, sale.credit] },

            Scenario(
                "Reported today", chinese: "今日上报", verdict: .waiting, .waitsOrphanReceipt, desk: wait,
                selling: .coins300, daysAgo: 0
            ) { sale, _ in
                sale.receipt.order = nil
                return [sale.receipt]
            },

            Scenario(
                "Set to paid yesterday", chinese: "昨日标记已付", verdict: .waiting, .waitsOrderUnverified, desk: wait,
                selling: .coins300, daysAgo: 1, id: { $0.order.id }
            ) { sale, _ in [sale.order(.paid, knowsPayment: false)] },

            Scenario(
                "Opened today", chinese: "今日下单", verdict: .waiting, .waitsClosed, desk: wait,
                selling: .coins60, daysAgo: 0, id: { $0.order.id }
            ) { sale, _ in [sale.openOrder] },
        ])

    /// Purchases that looked wrong, or still do, and are right.
    static let matched = ScenarioGroup(
        title: "All right after all 最终正常",
        scenarios: [
            // Japan's orders of the second day come a day late: for one night it is unknown whether there is an order.
            Scenario(
                "Order export a day late", chinese: "订单文件迟到一天", verdict: .matched, selling: .coins300, in: .japan,
                daysAgo: 1
            ) { sale, _ in sale.rows },

            // Not credited when the night looked; credited the next morning.
            Scenario("Credited a day late", chinese: "迟到账", verdict: .matched, selling: .coins980, daysAgo: 1) {
                sale, world in
                let paid = sale.order(.paid)
                sale.credit(at: world.moment(daysAgo: 0))
                return [paid] + sale.rows
            },

            // Paid in October and credited in November: right, and in the books of both months.
            Scenario(
                "Across the end of the month", chinese: "跨月到账", verdict: .matched,
                selling: .coins300, daysAgo: 18, hours: 23..<24
            ) { sale, world in
                sale.credit(at: world.moment(daysAgo: 17, hours: 0..<1))
                return sale.rows
            },

            // An offer code makes the month free: 0 is a price.
            Scenario("Free by offer code", chinese: "兑换码免费", verdict: .matched, selling: .monthlyCard, daysAgo: 1) {
                sale, _ in
                sale.order.amount?.minor = 0
                sale.transaction.price?.thousandths = 0
                return sale.rows
            },
        ])
}
