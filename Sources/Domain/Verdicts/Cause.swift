/// Why a verdict holds. The raw values are what users see. `Verdict.causes` lists the causes of each verdict. The cause
/// of `waiting` is the verdict that the subject waits for; those cases share their raw value with that verdict.
public enum Cause: String, Sendable, CaseIterable, Codable {
    case none = ""
    // invalid_transaction
    case badSignature = "bad_signature"
    case untrustedChain = "untrusted_chain"
    case wrongBundle = "wrong_bundle"
    // out_of_scope, credited_not_paid
    case familyShared = "family_shared"
    case sandbox
    case xcode
    case otherEnvironment = "other_environment"
    case beforeHistory = "before_history"
    // refunded_not_reversed
    case creditedAfterRefund = "credited_after_refund"
    case notReversed = "not_reversed"
    case reversedShort = "reversed_short"
    // credited_twice
    case crossAccount = "cross_account"
    case restoredAsNew = "restored_as_new"
    case deskAndAuto = "desk_and_auto"
    case twoOrders = "two_orders"
    case twoCredits = "two_credits"
    // paid_not_credited
    case reversedWithoutRefund = "reversed_without_refund"
    case closedOrder = "closed_order"
    case crossedOrder = "crossed_order"
    case paidTwice = "paid_twice"
    case receiptRejected = "receipt_rejected"
    case receiptUnverified = "receipt_unverified"
    case creditFailed = "credit_failed"
    case noReceipt = "no_receipt"
    case noOrder = "no_order"
    case creditedShort = "credited_short"
    // value_mismatch
    case product, quantity, currency, amount
    // credited_not_paid
    case noTransaction = "no_transaction"
    // orphan_receipt
    case rejected
    case notInReceipt = "not_in_receipt"
    case unverified
    case unknownTransaction = "unknown_transaction"
    case noReference = "no_reference"
    // closed
    case refunded, failed, cancelled, reversed
    case neverPaid = "never_paid"
    // undetermined
    case feedMissing = "feed_missing"
    case unverifiable
    // waiting on
    case waitsRefundedNotReversed = "refunded_not_reversed"
    case waitsPaidNotCredited = "paid_not_credited"
    case waitsCreditedNotPaid = "credited_not_paid"
    case waitsOrphanReceipt = "orphan_receipt"
    case waitsOrderUnverified = "order_unverified"
    case waitsClosed = "closed"
}

extension Verdict {
    /// The causes that the verdict can have, in the order in which its rules try them; `none` alone where it has none.
    ///
    /// The only list of causes. `CauseTests` fails for one that lacks a specimen, a scenario, texts, a story of the demo or
    /// a sentence of the specification, and writes the list in docs/use/rules.md.
    public var causes: [Cause] {
        switch self {
        case .invalidTransaction: [.badSignature, .untrustedChain, .wrongBundle]
        case .outOfScope: [.familyShared, .sandbox, .xcode, .otherEnvironment, .beforeHistory]
        case .creditedNotPaid:
            [.sandbox, .otherEnvironment, .receiptRejected, .receiptUnverified, .notInReceipt, .noTransaction]
        case .refundedNotReversed: [.creditedAfterRefund, .notReversed, .reversedShort]
        case .creditedTwice: [.crossAccount, .restoredAsNew, .deskAndAuto, .twoOrders, .twoCredits]
        case .paidNotCredited:
            [
                .creditedShort, .reversedWithoutRefund, .closedOrder, .crossedOrder, .paidTwice,
                .receiptRejected, .receiptUnverified, .noOrder, .noReceipt, .creditFailed,
            ]
        case .valueMismatch: [.product, .quantity, .currency, .amount]
        case .orphanReceipt: [.rejected, .notInReceipt, .unverified, .noReference, .unknownTransaction]
        case .closed: [.refunded, .failed, .cancelled, .neverPaid, .reversed, .receiptRejected]
        case .waiting:
            [
                .waitsRefundedNotReversed, .waitsPaidNotCredited, .waitsCreditedNotPaid, .waitsOrphanReceipt,
                .waitsOrderUnverified, .waitsClosed,
            ]
        case .undetermined: [.unverifiable, .feedMissing]
        case .creditedToWrongAccount, .orderMissing, .matched, .orderUnverified: [.none]
        }
    }

    /// The verdict with one of its causes as people write it: `paid_not_credited/no_order`, or `matched`.
    public func ruling(_ cause: Cause) -> String { cause == .none ? rawValue : rawValue + "/" + cause.rawValue }
}
