internal import Domain

extension ScenarioGroup {
    static let refunds = ScenarioGroup(
        title: "Refunded 退款", scenarios: [creditedAfterRefund, halfForgotten, thirdForgotten, wellRefunded])

    /// The credit waits in a queue; the customer asks for a refund and gets it; then the queue moves.
    private static let creditedAfterRefund: Builder = { world in
        var sale = world.sale(.coins300, daysAgo: 2, hours: 8..<12)
        sale.credit.creditedAt = sale.transaction.purchasedAt + .hours(5)
        sale.order.updatedAt = sale.credit.creditedAt
        world.deliver(sale.order)
        world.deliver(sale.transaction, sale.refunded(at: sale.transaction.purchasedAt + .hours(3)))
        world.deliver(sale.receipt)
        world.deliver(sale.credit)
        return Scenario(
            "Credited after the refund", "退款后才到账", sale.transaction.id, .refundedNotReversed, .creditedAfterRefund,
            desk: "Take the coins back. 扣回金币。")
    }

    /// One of four is refunded, and none is taken back.
    private static let halfForgotten: Builder = { world in
        let sale = world.sale(.coins60, daysAgo: 5, quantity: 4)
        world.deliver(sale.order)
        world.deliver(sale.transaction, sale.refunded(at: world.moment(daysAgo: 2), percentage: 25_000))
        world.deliver(sale.receipt)
        world.deliver(sale.credit)
        return Scenario(
            "One of four refunded, none taken back", "部分退款未扣回", sale.transaction.id, .refundedNotReversed,
            .reversedShort, desk: "Take one back. 扣回一份。")
    }

    /// One of three is refunded, which Apple states as 33.333 %, and none is taken back.
    private static let thirdForgotten: Builder = { world in
        let sale = world.sale(.coins60, daysAgo: 5, quantity: 3)
        world.deliver(sale.order)
        world.deliver(sale.transaction, sale.refunded(at: world.moment(daysAgo: 2), percentage: 33_333))
        world.deliver(sale.receipt)
        world.deliver(sale.credit)
        return Scenario(
            "One of three refunded (33.333 %), none taken back", "三份退一份（33.333 %）未扣回", sale.transaction.id,
            .refundedNotReversed, .reversedShort, desk: "Take one back. 扣回一份。")
    }

    /// As it should be: money back, coins back.
    private static let wellRefunded: Builder = { world in
        let sale = world.sale(.coins300, daysAgo: 4)
        let moment = world.moment(daysAgo: 1)
        world.deliver(sale.order)
        world.deliver(sale.transaction, sale.refunded(at: moment))
        world.deliver(sale.receipt)
        world.deliver(sale.credit, world.reversal(of: sale.credit, at: moment + .minutes(2)))
        return Scenario(
            "Refunded and taken back", "退款并已扣回", sale.transaction.id, .closed, .refunded, desk: Scenario.noAction)
    }
}
