internal import Domain

/// One specimen for each verdict and cause of RULES §3.
extension Specimen {
    static let all = purchases + refunds + uncredited + unproven + patient

    private static let purchases: [Specimen] = [
        // Tied by a receipt alone, which a stranger's refused receipt does not change.
        Specimen("matched") {
            $0.buy(); $0.order(transaction: nil); $0.credit(transaction: nil)
            $0.receipt(0, order: "O")
            $0.receipt(21003, name: "S", order: "O", account: "B")
        },
        Specimen("order_missing") {
            $0.buy(); $0.credit(order: nil)
        },
        Specimen("invalid_transaction/bad_signature") { $0.buy { $0.forge(.badSignature) } },
        Specimen("invalid_transaction/untrusted_chain") { $0.buy { $0.forge(.untrustedChain) } },
        Specimen("invalid_transaction/wrong_bundle") { $0.buy { $0.forge(.wrongBundle) } },
        Specimen("out_of_scope/family_shared") { $0.buy { $0.ownership = .familyShared } },
        Specimen("out_of_scope/sandbox") { $0.buy { $0.environment = .sandbox } },
        Specimen("out_of_scope/xcode") { $0.buy { $0.environment = .xcode } },
        Specimen("out_of_scope/other_environment") { $0.buy { $0.environment = .other } },
        Specimen("out_of_scope/before_history") { $0.buy(hours: 24 * 365 * 8) },
        Specimen("credited_not_paid/sandbox") {
            $0.buy { $0.environment = .sandbox }; $0.credit(order: nil)
        },
        Specimen("credited_not_paid/other_environment") {
            $0.buy { $0.environment = .other }; $0.credit(order: nil)
        },
        Specimen("credited_twice/cross_account") {
            $0.buy(); $0.credit(); $0.credit("C2", account: "B")
        },
        Specimen("credited_twice/restored_as_new") {
            $0.buy { $0.type = .nonConsumable }
            let original = $0.evidence.transactions[0].id
            $0.buy("U", hours: 470) {
                $0.type = .nonConsumable; $0.original = original
            }
            $0.credit(order: nil)
            $0.credit("C2", order: nil, transaction: "U")
        },
        Specimen("credited_twice/desk_and_auto") {
            $0.buy(); $0.credit(); $0.credit("C2", origin: .desk)
        },
        Specimen("credited_twice/two_orders") {
            $0.buy(); $0.credit(); $0.credit("C2", order: "P")
        },
        Specimen("credited_twice/two_credits") {
            $0.buy(); $0.credit(); $0.credit("C2")
        },
        Specimen("credited_to_wrong_account") {
            $0.buy(); $0.order(); $0.credit(account: "B")
        },
        Specimen("value_mismatch/product") {
            $0.buy(); $0.order { $0.product = "coins_300" }; $0.credit()
        },
        Specimen("value_mismatch/quantity") {
            $0.buy(); $0.order { $0.quantity = 2 }; $0.credit()
        },
        Specimen("value_mismatch/currency") {
            $0.buy()
            $0.order { $0.amount = Money(minor: 600, currency: "USD") }
            $0.credit()
        },
        Specimen("value_mismatch/amount") {
            $0.buy()
            $0.order { $0.amount = Money(minor: 3000, currency: "CNY") }
            $0.credit()
        },
    ]

    private static let refunds: [Specimen] = [
        Specimen("refunded_not_reversed/not_reversed") {
            $0.buy(); $0.refund(); $0.order(); $0.credit()
        },
        Specimen("refunded_not_reversed/credited_after_refund") {
            $0.buy()
            $0.refund()
            $0.order()
            $0.credit(hours: 390)
        },
        Specimen("refunded_not_reversed/reversed_short") {
            $0.buy { $0.quantity = 2 }
            $0.refund(type: .refundProrated, percentage: 50_000)
            $0.order { $0.quantity = 2 }
            $0.credit(quantity: 2)
        },
        Specimen("closed/refunded") {
            $0.buy(); $0.refund(); $0.credit(); $0.credit("C2", .reversal, hours: 399)
        },
    ]

    private static let uncredited: [Specimen] = [
        Specimen("paid_not_credited/reversed_without_refund") {
            $0.buy()
            $0.order()
            $0.credit()
            $0.credit("C2", .reversal, hours: 470)
        },
        Specimen("paid_not_credited/closed_order") {
            $0.buy(); $0.order("O", .failed)
        },
        Specimen("paid_not_credited/receipt_rejected") {
            $0.buy(); $0.order(); $0.receipt(21003)
        },
        Specimen("paid_not_credited/receipt_unverified") {
            $0.buy(); $0.order(); $0.receipt(21005)
        },
        Specimen("paid_not_credited/credit_failed") {
            $0.buy(); $0.order()
        },
        Specimen("paid_not_credited/no_receipt") {
            $0.buy(); $0.order("O", .pending)
        },
        Specimen("paid_not_credited/no_order") { $0.buy() },
        Specimen("paid_not_credited/credited_short") {
            $0.buy { $0.quantity = 2 }
            $0.refund(type: .refundProrated, percentage: 50_000)
            $0.order { $0.quantity = 2 }
        },
    ]

    private static let unproven: [Specimen] = [
        Specimen("credited_not_paid/receipt_rejected") {
            $0.credit(order: nil); $0.receipt(21003)
        },
        Specimen("credited_not_paid/receipt_unverified") {
            $0.credit(order: nil); $0.receipt(21005)
        },
        Specimen("credited_not_paid/no_transaction") { $0.credit(order: nil) },
        Specimen("orphan_receipt/rejected") { $0.receipt(21003) },
        Specimen("orphan_receipt/not_in_receipt") { $0.receipt(0, proof: .lacksClaim) },
        Specimen("orphan_receipt/unverified") { $0.receipt(21005) },
        Specimen("orphan_receipt/unknown_transaction") { $0.receipt(0) },
        Specimen("orphan_receipt/no_reference") { $0.receipt(0, transaction: nil) },
        Specimen("order_unverified") { $0.order(transaction: nil) },
        Specimen("closed/failed") { $0.order("O", .failed, transaction: nil) },
        Specimen("closed/cancelled") { $0.order("O", .cancelled, transaction: nil) },
        Specimen("closed/refunded") { $0.order("O", .refunded, transaction: nil) },
        Specimen("closed/never_paid") { $0.order("O", .created, transaction: nil) },
        Specimen("closed/reversed") {
            $0.credit(order: nil); $0.credit("C2", .reversal, hours: 470, order: nil)
        },
        Specimen("closed/receipt_rejected") { $0.receipt(21003, hours: 721) },
        Specimen("undetermined/unverifiable") { $0.buy { $0.proof = .unverifiable } },
    ]

    /// What must not be accused yet, or cannot be judged.
    private static let patient: [Specimen] = [
        Specimen("waiting/refunded_not_reversed") {
            $0.buy(); $0.refund(hours: 23); $0.order(); $0.credit()
        },
        Specimen("waiting/paid_not_credited") {
            $0.buy { $0.purchasedAt = Plot.end + .minutes(-59) }
            $0.order("O", .pending)
        },
        Specimen("waiting/credited_not_paid") { $0.credit(hours: 167, order: nil) },
        Specimen("waiting/orphan_receipt") { $0.receipt(21005, hours: 23) },
        Specimen("waiting/order_unverified") { $0.order(hours: 167, transaction: nil) },
        Specimen("waiting/closed") { $0.order("O", .created, hours: 71, transaction: nil) },
        Specimen("undetermined/feed_missing", hole: .credits) {
            $0.buy(); $0.order()
        },
        Specimen("undetermined/feed_missing", hole: .transactions) { $0.credit(order: nil) },
        Specimen("undetermined/feed_missing", hole: .orders) {
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
