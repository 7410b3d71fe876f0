/// One case for each verdict and cause of docs/spec/rules.md#verdicts.
extension SelfTestCase {
    static let all = purchases + refunds + uncredited + unproven + patient

    private static let purchases: [SelfTestCase] = [
        // Linked by a receipt alone. Another account's refused receipt does not change that.
        SelfTestCase("matched") {
            $0.buy(); $0.order(transaction: nil); $0.credit(transaction: nil)
            $0.receipt(0, order: "O")
            $0.receipt(21003, name: "S", order: "O", account: "B")
        },
        SelfTestCase("order_missing") {
            $0.buy(); $0.credit(order: nil)
        },
        SelfTestCase("invalid_transaction/bad_signature") { $0.buy { $0.forge(.badSignature) } },
        SelfTestCase("invalid_transaction/untrusted_chain") { $0.buy { $0.forge(.untrustedChain) } },
        SelfTestCase("invalid_transaction/wrong_bundle") { $0.buy { $0.forge(.wrongBundle) } },
        SelfTestCase("out_of_scope/family_shared") { $0.buy { $0.ownership = .familyShared } },
        SelfTestCase("out_of_scope/sandbox") { $0.buy { $0.environment = .sandbox } },
        SelfTestCase("out_of_scope/xcode") { $0.buy { $0.environment = .xcode } },
        SelfTestCase("out_of_scope/other_environment") { $0.buy { $0.environment = .other } },
        SelfTestCase("out_of_scope/before_history") { $0.buy(hours: 24 * 365 * 8) },
        SelfTestCase("credited_not_paid/sandbox") {
            $0.buy { $0.environment = .sandbox }; $0.credit(order: nil)
        },
        SelfTestCase("credited_not_paid/other_environment") {
            $0.buy { $0.environment = .other }; $0.credit(order: nil)
        },
        SelfTestCase("credited_twice/cross_account") {
            $0.buy(); $0.credit(); $0.credit("C2", account: "B")
        },
        SelfTestCase("credited_twice/restored_as_new") {
            $0.buy { $0.type = .nonConsumable }
            let original = $0.evidence.transactions[0].id
            $0.buy("U", hours: 470) {
                $0.type = .nonConsumable; $0.original = original
            }
            $0.credit(order: nil)
            $0.credit("C2", order: nil, transaction: "U")
        },
        SelfTestCase("credited_twice/desk_and_auto") {
            $0.buy(); $0.credit(); $0.credit("C2", origin: .desk)
        },
        SelfTestCase("credited_twice/two_orders") {
            $0.buy(); $0.credit(); $0.credit("C2", order: "P")
        },
        SelfTestCase("credited_twice/two_credits") {
            $0.buy(); $0.credit(); $0.credit("C2")
        },
        SelfTestCase("credited_to_wrong_account") {
            $0.buy(); $0.order(); $0.credit(account: "B")
        },
        SelfTestCase("value_mismatch/product") {
            $0.buy(); $0.order { $0.product = "coins_300" }; $0.credit()
        },
        SelfTestCase("value_mismatch/quantity") {
            $0.buy(); $0.order { $0.quantity = 2 }; $0.credit()
        },
        SelfTestCase("value_mismatch/currency") {
            $0.buy()
            $0.order { $0.amount = Money(minor: 600, currency: "USD") }
            $0.credit()
        },
        SelfTestCase("value_mismatch/amount") {
            $0.buy()
            $0.order { $0.amount = Money(minor: 3000, currency: "CNY") }
            $0.credit()
        },
    ]

    private static let refunds: [SelfTestCase] = [
        SelfTestCase("refunded_not_reversed/not_reversed") {
            $0.buy(); $0.refund(); $0.order(); $0.credit()
        },
        SelfTestCase("refunded_not_reversed/credited_after_refund") {
            $0.buy()
            $0.refund()
            $0.order()
            $0.credit(hours: 390)
        },
        // A third, which Apple states as 33.333 %.
        SelfTestCase("refunded_not_reversed/reversed_short") {
            $0.buy { $0.quantity = 3 }
            $0.refund(type: .refundProrated, percentage: 33_333)
            $0.order { $0.quantity = 3 }
            $0.credit(quantity: 3)
        },
        SelfTestCase("closed/refunded") {
            $0.buy(); $0.refund(); $0.credit(); $0.credit("C2", .reversal, hours: 399)
        },
    ]

    private static let uncredited: [SelfTestCase] = [
        SelfTestCase("paid_not_credited/reversed_without_refund") {
            $0.buy()
            $0.order()
            $0.credit()
            $0.credit("C2", .reversal, hours: 470)
        },
        SelfTestCase("paid_not_credited/closed_order") {
            $0.buy(); $0.order(status: .failed)
        },
        SelfTestCase("paid_not_credited/crossed_order", others: ["matched"]) {
            $0.buy()
            $0.buy("U", hours: 470)
            $0.order("P", hours: 471, transaction: "U")
            $0.credit(hours: 470, order: "P", transaction: "U")
            $0.receipt(0, order: "P")
        },
        SelfTestCase("paid_not_credited/paid_twice", others: ["matched"]) {
            $0.buy()
            $0.buy("U", hours: 470)
            $0.order(transaction: nil)
            $0.credit(hours: 469, transaction: nil)
            $0.receipt(0, order: "O")
            $0.receipt(0, name: "S", order: "O", transaction: "U")
        },
        SelfTestCase("paid_not_credited/receipt_rejected") {
            $0.buy(); $0.order(); $0.receipt(21003)
        },
        SelfTestCase("paid_not_credited/receipt_unverified") {
            $0.buy(); $0.order(); $0.receipt(21005)
        },
        SelfTestCase("paid_not_credited/credit_failed") {
            $0.buy(); $0.order()
        },
        SelfTestCase("paid_not_credited/no_receipt") {
            $0.buy(); $0.order(status: .pending)
        },
        SelfTestCase("paid_not_credited/no_order") { $0.buy() },
        SelfTestCase("paid_not_credited/credited_short") {
            $0.buy { $0.quantity = 2 }
            $0.refund(type: .refundProrated, percentage: 50_000)
            $0.order { $0.quantity = 2 }
        },
    ]

    private static let unproven: [SelfTestCase] = [
        SelfTestCase("credited_not_paid/receipt_rejected") {
            $0.credit(order: nil); $0.receipt(21003)
        },
        SelfTestCase("credited_not_paid/receipt_unverified") {
            $0.credit(order: nil); $0.receipt(21005)
        },
        SelfTestCase("credited_not_paid/not_in_receipt") {
            $0.credit(order: nil); $0.receipt(0, proof: .lacksClaim)
        },
        SelfTestCase("credited_not_paid/no_transaction") { $0.credit(order: nil) },
        SelfTestCase("orphan_receipt/rejected") { $0.receipt(21003) },
        SelfTestCase("orphan_receipt/not_in_receipt") { $0.receipt(0, proof: .lacksClaim) },
        SelfTestCase("orphan_receipt/unverified") { $0.receipt(21005) },
        SelfTestCase("orphan_receipt/unknown_transaction") { $0.receipt(0) },
        SelfTestCase("orphan_receipt/no_reference") { $0.receipt(0, transaction: nil) },
        SelfTestCase("order_unverified") { $0.order(transaction: nil) },
        SelfTestCase("closed/failed") { $0.order(status: .failed, transaction: nil) },
        SelfTestCase("closed/cancelled") { $0.order(status: .cancelled, transaction: nil) },
        SelfTestCase("closed/refunded") { $0.order(status: .refunded, transaction: nil) },
        SelfTestCase("closed/never_paid") { $0.order(status: .created, transaction: nil) },
        SelfTestCase("closed/reversed") {
            $0.credit(order: nil); $0.credit("C2", .reversal, hours: 470, order: nil)
        },
        SelfTestCase("closed/receipt_rejected") { $0.receipt(21003, hours: 721) },
        SelfTestCase("undetermined/unverifiable") { $0.buy { $0.proof = .unverifiable } },
    ]

    /// Cases that are too early to judge, or that cannot be judged.
    private static let patient: [SelfTestCase] = [
        SelfTestCase("waiting/refunded_not_reversed") {
            $0.buy(); $0.refund(hours: 23); $0.order(); $0.credit()
        },
        SelfTestCase("waiting/paid_not_credited") {
            $0.buy { $0.purchasedAt = Fixture.end + .minutes(-59) }
            $0.order(status: .pending)
        },
        SelfTestCase("waiting/credited_not_paid") { $0.credit(hours: 167, order: nil) },
        SelfTestCase("waiting/orphan_receipt") { $0.receipt(21005, hours: 23) },
        SelfTestCase("waiting/order_unverified") { $0.order(hours: 167, transaction: nil) },
        SelfTestCase("waiting/closed") { $0.order(status: .created, hours: 71, transaction: nil) },
        SelfTestCase("undetermined/feed_missing", gap: .credits) {
            $0.buy(); $0.order()
        },
        SelfTestCase("undetermined/feed_missing", gap: .transactions) { $0.credit(order: nil) },
        SelfTestCase("undetermined/feed_missing", gap: .orders) {
            $0.buy(); $0.credit(order: nil)
        },
    ]
}

extension Transaction {
    fileprivate mutating func forge(_ failure: ProofFailure) {
        proof = .invalid
        self.failure = failure
    }
}
