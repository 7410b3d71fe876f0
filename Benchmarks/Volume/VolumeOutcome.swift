/// How a generated purchase ends. Most are right; each of the others has a fixed share.
enum VolumeOutcome: CaseIterable {
    case paidNotCredited, creditedTwice, orphanReceipt, creditedNotPaid, sandboxCredited, refundedNotReversed
    case valueMismatch, refundedAndReversed, matched

    /// How many of a thousand purchases end like this.
    private var share: Int {
        switch self {
        case .paidNotCredited: 6
        case .creditedTwice: 5
        case .orphanReceipt: 4
        case .creditedNotPaid: 4
        case .sandboxCredited: 2
        case .refundedNotReversed: 5
        case .valueMismatch: 4
        case .refundedAndReversed: 5
        case .matched: 965
        }
    }

    /// The verdict of an exception; nil if nothing stays open.
    var verdict: String? {
        switch self {
        case .paidNotCredited: "paid_not_credited"
        case .creditedTwice: "credited_twice"
        case .orphanReceipt: "orphan_receipt"
        case .creditedNotPaid, .sandboxCredited: "credited_not_paid"
        case .refundedNotReversed: "refunded_not_reversed"
        case .valueMismatch: "value_mismatch"
        case .refundedAndReversed, .matched: nil
        }
    }

    /// The outcome for each number from 0 to 999.
    static let table = allCases.flatMap { Array(repeating: $0, count: $0.share) }

    var isRefunded: Bool { self == .refundedNotReversed || self == .refundedAndReversed }
    /// Whether Apple has a record of the payment.
    var isPaid: Bool { self != .orphanReceipt && self != .creditedNotPaid }
    var isCredited: Bool { self != .paidNotCredited && self != .orphanReceipt }
}
