extension ScenarioGroup {
    static let refunds = ScenarioGroup(
        title: "Refunded 退款",
        scenarios: [
            // The credit waits in a queue; the customer asks for a refund and gets it; then the queue moves.
            Scenario(
                "Credited after the refund", chinese: "退款后才到账", verdict: .refundedNotReversed, .creditedAfterRefund,
                desk: "Take the coins back. 扣回金币。", selling: .coins300, daysAgo: 2, hours: 8..<12
            ) { sale, _ in
                sale.credit(at: sale.transaction.purchasedAt + .hours(5))
                return sale.rows + [sale.refunded(at: sale.transaction.purchasedAt + .hours(3))]
            },

            // One of four is refunded, and none is taken back.
            Scenario(
                "One of four refunded, none taken back", chinese: "部分退款未扣回", verdict: .refundedNotReversed,
                .reversedShort,
                desk: "Take one back. 扣回一份。", selling: .coins60, quantity: 4, daysAgo: 5
            ) { sale, world in sale.rows + [sale.refunded(at: world.moment(daysAgo: 2), percentage: 25_000)] },

            // One of three is refunded, which Apple states as 33.333 %, and none is taken back.
            Scenario(
                "One of three refunded (33.333 %), none taken back", chinese: "三份退一份（33.333 %）未扣回",
                verdict: .refundedNotReversed, .reversedShort, desk: "Take one back. 扣回一份。",
                selling: .coins60, quantity: 3, daysAgo: 5
            ) { sale, world in sale.rows + [sale.refunded(at: world.moment(daysAgo: 2), percentage: 33_333)] },

            // As it should be: money back, coins back.
            Scenario(
                "Refunded and taken back", chinese: "退款并已扣回", verdict: .closed, .refunded, selling: .coins300,
                daysAgo: 4
            ) { sale, world in
                let moment = world.moment(daysAgo: 1)
                let reversal = world.reversal(of: sale.credit, at: moment + .minutes(2))
                return sale.rows + [sale.refunded(at: moment), reversal]
            },
        ])
}
