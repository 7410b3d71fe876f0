extension Scenario {
    /// A payment made yesterday that is not one of the shop's sales.
    private static func payment(
        _ english: String, chinese: String, cause: Cause, _ change: @escaping @Sendable (inout Transaction) -> Void
    ) -> Scenario {
        Scenario(english, chinese: chinese, verdict: .outOfScope, cause) { world in
            var payment = world.transaction(.noAds, of: world.newAccount(), at: world.moment(daysAgo: 1))
            change(&payment)
            world.deliver(payment)
            return payment.id
        }
    }

    /// An order placed yesterday that ends with this status and was never paid.
    private static func ended(_ status: OrderStatus, _ english: String, chinese: String, cause: Cause) -> Scenario {
        Scenario(english, chinese: chinese, verdict: .closed, cause, selling: .coins60, daysAgo: 1, id: { $0.order.id })
        {
            sale, _ in [sale.order(status, knowsPayment: false)]
        }
    }

    fileprivate static let outOfScope = [
        // A family member may use what another member bought.
        payment("Shared with the family", chinese: "家人共享", cause: .familyShared) { $0.ownership = .familyShared },
        // App Review buys in the sandbox; nothing is given in production.
        payment("App Review's purchase", chinese: "审核人员购买", cause: .sandbox) { $0.environment = .sandbox },
        payment("A developer's purchase", chinese: "开发者本地购买", cause: .xcode) { $0.environment = .xcode },
        payment("Unknown environment, not credited", chinese: "未知环境", cause: .otherEnvironment) {
            $0.environment = .other
        },

        // A purchase from before `historyFrom` is refunded now.
        Scenario(
            "Bought before the books begin", chinese: "账期之前", verdict: .outOfScope, .beforeHistory,
            selling: .coins300, daysAgo: 70
        ) { sale, world in [sale.refunded(at: world.moment(daysAgo: 1))] },
    ]

    fileprivate static let closed = [
        ended(.failed, "Payment failed", chinese: "支付失败", cause: .failed),
        ended(.cancelled, "Payment cancelled", chinese: "取消支付", cause: .cancelled),
        ended(.refunded, "Order marked refunded", chinese: "订单标记退款", cause: .refunded),

        // The payment sheet was opened and closed, days ago.
        Scenario(
            "Never paid", chinese: "从未付款", verdict: .closed, .neverPaid, selling: .coins60, daysAgo: 5,
            id: { $0.order.id }
        ) { sale, _ in [sale.openOrder] },

        // The desk gave by mistake and took it back.
        Scenario(
            "Given by mistake, taken back", chinese: "误发已扣回", verdict: .closed, .reversed,
            selling: .coins60, daysAgo: 4, id: { $0.credit.id }
        ) { sale, world in
            sale.credit.transaction = nil
            sale.credit.origin = .desk
            return [sale.credit, world.reversal(of: sale.credit, at: sale.credit.creditedAt + .minutes(9))]
        },

        // Refused, never credited, and not reported again for a month.
        Scenario(
            "Rightly refused, long ago", chinese: "早已正确拒绝", verdict: .closed, .receiptRejected,
            selling: .coins60, daysAgo: 40
        ) { sale, _ in
            sale.receipt.order = nil
            sale.receipt.verifyStatus = 21003
            return [sale.receipt]
        },
    ]
}

extension ScenarioGroup {
    static let outOfScope = ScenarioGroup(title: "No sale of ours 不在范围", scenarios: Scenario.outOfScope)
    static let closed = ScenarioGroup(title: "Over 已结束", scenarios: Scenario.closed)
}
