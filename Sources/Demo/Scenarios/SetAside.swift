internal import Domain

extension ScenarioGroup {
    static let outOfScope = ScenarioGroup(
        title: "No sale of ours 不在范围",
        scenarios: [family, review, developer, otherEnvironment, longAgo])

    static let closed = ScenarioGroup(
        title: "Over 已结束",
        scenarios: [failed, cancelled, refundedBeforehand, neverPaid, givenAndTakenBack, rightlyRefused])

    private static func payment(
        _ world: inout SampleWorld, daysAgo: Int = 1, _ change: (inout Transaction) -> Void
    ) -> Identifier {
        var payment = world.transaction(.noAds, of: world.newAccount(), at: world.moment(daysAgo: daysAgo))
        change(&payment)
        world.deliver(payment)
        return payment.id
    }

    /// A family member may use what another member bought.
    private static let family: Builder = { world in
        let id = payment(&world) { $0.ownership = .familyShared }
        return Scenario("Shared with the family", "家人共享", id, .outOfScope, .familyShared, desk: Scenario.noAction)
    }

    /// App Review buys in the sandbox; nothing is given in production.
    private static let review: Builder = { world in
        let id = payment(&world) { $0.environment = .sandbox }
        return Scenario("App Review's purchase", "审核人员购买", id, .outOfScope, .sandbox, desk: Scenario.noAction)
    }

    private static let developer: Builder = { world in
        let id = payment(&world) { $0.environment = .xcode }
        return Scenario("A developer's purchase", "开发者本地购买", id, .outOfScope, .xcode, desk: Scenario.noAction)
    }

    private static let otherEnvironment: Builder = { world in
        let id = payment(&world) { $0.environment = .other }
        return Scenario(
            "Unknown environment, not credited", "未知环境", id, .outOfScope, .otherEnvironment, desk: Scenario.noAction)
    }

    /// A purchase from before `historyFrom` is refunded now.
    private static let longAgo: Builder = { world in
        let sale = world.sale(.coins300, daysAgo: 70)
        world.deliver(sale.refunded(at: world.moment(daysAgo: 1)))
        return Scenario(
            "Bought before the books begin", "账期之前", sale.transaction.id, .outOfScope, .beforeHistory,
            desk: Scenario.noAction)
    }

    /// The order ends with that status, without any payment.
    private static func ended(_ world: inout SampleWorld, _ status: OrderStatus, daysAgo: Int = 1) -> Identifier {
        let sale = world.sale(.coins60, daysAgo: daysAgo)
        world.deliver(sale.order(status, knowsPayment: false))
        return sale.order.id
    }

    private static let failed: Builder = { world in
        Scenario("Payment failed", "支付失败", ended(&world, .failed), .closed, .failed, desk: Scenario.noAction)
    }

    private static let cancelled: Builder = { world in
        Scenario("Payment cancelled", "取消支付", ended(&world, .cancelled), .closed, .cancelled, desk: Scenario.noAction)
    }

    private static let refundedBeforehand: Builder = { world in
        Scenario(
            "Order marked refunded", "订单标记退款", ended(&world, .refunded), .closed, .refunded, desk: Scenario.noAction)
    }

    /// The payment sheet was opened and closed, days ago.
    private static let neverPaid: Builder = { world in
        let order = world.sale(.coins60, daysAgo: 5).openOrder
        world.deliver(order)
        return Scenario("Never paid", "从未付款", order.id, .closed, .neverPaid, desk: Scenario.noAction)
    }

    /// The desk gave by mistake and took it back.
    private static let givenAndTakenBack: Builder = { world in
        var sale = world.sale(.coins60, daysAgo: 4)
        sale.credit.transaction = nil
        sale.credit.origin = .desk
        world.deliver(sale.credit, world.reversal(of: sale.credit, at: sale.credit.creditedAt + .minutes(9)))
        return Scenario(
            "Given by mistake, taken back", "误发已扣回", sale.credit.id, .closed, .reversed, desk: Scenario.noAction)
    }

    /// Refused, never credited, and not reported again for a month.
    private static let rightlyRefused: Builder = { world in
        var receipt = world.sale(.coins60, daysAgo: 40).receipt
        receipt.order = nil
        receipt.verifyStatus = 21003
        world.deliver(receipt)
        return Scenario(
            "Rightly refused, long ago", "早已正确拒绝", receipt.transaction, .closed, .receiptRejected,
            desk: Scenario.noAction)
    }
}
