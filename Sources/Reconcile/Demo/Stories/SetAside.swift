internal import Domain

extension Chapter {
    static let outOfScope = Chapter(
        title: "No sale of ours 不在范围",
        stories: [family, review, developer, otherEnvironment, longAgo])

    static let closed = Chapter(
        title: "Over 已结束",
        stories: [failed, cancelled, refundedBeforehand, neverPaid, givenAndTakenBack, rightlyRefused])

    private static func payment(
        _ world: inout SampleWorld, daysAgo: Int = 1, _ change: (inout Transaction) -> Void
    ) -> Identifier {
        var payment = world.transaction(.noAds, of: world.newPlayer(), at: world.moment(daysAgo: daysAgo))
        change(&payment)
        world.deliver(payment)
        return payment.id
    }

    /// A family member may use what another one bought.
    private static let family: Teller = { world in
        let id = payment(&world) { $0.ownership = .familyShared }
        return Story("Shared with the family", "家庭共享", id, .outOfScope, .familyShared, desk: Story.nothing)
    }

    /// App Review buys in the sandbox; nothing is given in production.
    private static let review: Teller = { world in
        let id = payment(&world) { $0.environment = .sandbox }
        return Story("App Review's purchase", "审核人员购买", id, .outOfScope, .sandbox, desk: Story.nothing)
    }

    private static let developer: Teller = { world in
        let id = payment(&world) { $0.environment = .xcode }
        return Story("A developer's purchase", "开发者本地购买", id, .outOfScope, .xcode, desk: Story.nothing)
    }

    private static let otherEnvironment: Teller = { world in
        let id = payment(&world) { $0.environment = .other }
        return Story(
            "Unknown environment, not credited", "未知环境", id, .outOfScope, .otherEnvironment, desk: Story.nothing)
    }

    /// A purchase from before the books begin is refunded now.
    private static let longAgo: Teller = { world in
        let sale = world.sale(.coins300, daysAgo: 70)
        world.deliver(sale.refunded(at: world.moment(daysAgo: 1)))
        return Story(
            "Bought before the books begin", "账期之前", sale.transaction.id, .outOfScope, .beforeHistory,
            desk: Story.nothing)
    }

    /// The order ends with that status, without any payment.
    private static func ended(_ world: inout SampleWorld, _ status: OrderStatus, daysAgo: Int = 1) -> Identifier {
        let sale = world.sale(.coins60, daysAgo: daysAgo)
        world.deliver(sale.order(status, knowsPayment: false))
        return sale.order.id
    }

    private static let failed: Teller = { world in
        Story("Payment failed", "支付失败", ended(&world, .failed), .closed, .failed, desk: Story.nothing)
    }

    private static let cancelled: Teller = { world in
        Story("Payment cancelled", "取消支付", ended(&world, .cancelled), .closed, .cancelled, desk: Story.nothing)
    }

    private static let refundedBeforehand: Teller = { world in
        Story("Order marked refunded", "订单标记退款", ended(&world, .refunded), .closed, .refunded, desk: Story.nothing)
    }

    /// The payment sheet was opened and closed, days ago.
    private static let neverPaid: Teller = { world in
        let order = world.sale(.coins60, daysAgo: 5).openOrder
        world.deliver(order)
        return Story("Never paid", "从未付款", order.id, .closed, .neverPaid, desk: Story.nothing)
    }

    /// The desk gave by mistake and took it back.
    private static let givenAndTakenBack: Teller = { world in
        var sale = world.sale(.coins60, daysAgo: 4)
        sale.credit.transaction = nil
        sale.credit.origin = .desk
        world.deliver(sale.credit, world.reversal(of: sale.credit, at: sale.credit.creditedAt + .minutes(9)))
        return Story("Given by mistake, taken back", "误发已扣回", sale.credit.id, .closed, .reversed, desk: Story.nothing)
    }

    /// Refused, never credited, and nobody came back to it for a month.
    private static let rightlyRefused: Teller = { world in
        var receipt = world.sale(.coins60, daysAgo: 40).receipt
        receipt.order = nil
        receipt.verifyStatus = 21003
        world.deliver(receipt)
        return Story(
            "Rightly refused, long ago", "早已正确拒绝", receipt.transaction, .closed, .receiptRejected, desk: Story.nothing)
    }
}
