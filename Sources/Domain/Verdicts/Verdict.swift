/// The class of a subject. The raw values are what users see. See docs/spec/rules.md#verdicts. Each verdict is
/// documented at its rule in `Sources/Rules`.
public enum Verdict: String, Sendable, OrderedCases, Codable {
    case invalidTransaction = "invalid_transaction"
    case outOfScope = "out_of_scope"
    case creditedNotPaid = "credited_not_paid"
    case refundedNotReversed = "refunded_not_reversed"
    case closed
    case creditedTwice = "credited_twice"
    case creditedToWrongAccount = "credited_to_wrong_account"
    case paidNotCredited = "paid_not_credited"
    case valueMismatch = "value_mismatch"
    case orderMissing = "order_missing"
    case matched
    case orphanReceipt = "orphan_receipt"
    case orderUnverified = "order_unverified"
    case waiting
    case undetermined

    /// A person or machine must act on it.
    public var isException: Bool {
        switch self {
        case .outOfScope, .closed, .matched, .waiting, .undetermined: false
        default: true
        }
    }

    /// It does not wait for time to pass or for further evidence.
    public var isFinal: Bool { self != .waiting && self != .undetermined }
}

extension Verdict {
    /// How urgent the verdict is. See docs/spec/rules.md#severity. Nil if it is not an exception.
    public func severity(cause: Cause) -> Severity? {
        switch self {
        case .creditedToWrongAccount, .paidNotCredited: .critical
        case .invalidTransaction, .creditedNotPaid, .refundedNotReversed, .creditedTwice: .high
        case .orphanReceipt: cause == .rejected ? .low : .medium
        case .valueMismatch, .orderUnverified: .medium
        case .orderMissing: .low
        case .outOfScope, .closed, .matched, .waiting, .undetermined: nil
        }
    }
}
