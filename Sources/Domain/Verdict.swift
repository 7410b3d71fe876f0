/// The class of a subject. RULES §3; names are what users see.
public enum Verdict: String, Sendable, CaseIterable, Codable {
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

    /// Somebody must act on it.
    public var isException: Bool {
        switch self {
        case .outOfScope, .closed, .matched, .waiting, .undetermined: false
        default: true
        }
    }
}

/// Why a verdict holds. Of `waiting`, the cause is the verdict waited on.
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

/// Something worth knowing that never changes the verdict.
public struct Flags: OptionSet, Hashable, Sendable {
    public let rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    public static let lateCredit = Flags(rawValue: 1 << 0)
    public static let cutOff = Flags(rawValue: 1 << 1)
    public static let clockSkew = Flags(rawValue: 1 << 2)
    public static let receiptReplayed = Flags(rawValue: 1 << 3)
    public static let duplicateReceipt = Flags(rawValue: 1 << 4)
    public static let conflict = Flags(rawValue: 1 << 5)
    public static let forgedCopy = Flags(rawValue: 1 << 6)
    public static let receiptProof = Flags(rawValue: 1 << 7)
    public static let partialRefund = Flags(rawValue: 1 << 8)
    public static let suggestedOrder = Flags(rawValue: 1 << 9)
    public static let ambiguousOrder = Flags(rawValue: 1 << 10)
    public static let zeroPrice = Flags(rawValue: 1 << 11)
    public static let familyShared = Flags(rawValue: 1 << 12)

    /// As users see them, in this order.
    public static let names: [(flag: Flags, name: String)] = [
        (.lateCredit, "late_credit"), (.cutOff, "cut_off"), (.clockSkew, "clock_skew"),
        (.receiptReplayed, "receipt_replayed"), (.duplicateReceipt, "duplicate_receipt"), (.conflict, "conflict"),
        (.forgedCopy, "forged_copy"), (.receiptProof, "receipt_proof"), (.partialRefund, "partial_refund"),
        (.suggestedOrder, "suggested_order"), (.ambiguousOrder, "ambiguous_order"), (.zeroPrice, "zero_price"),
        (.familyShared, "family_shared"),
    ]

    public var names: [String] { Self.names.filter { contains($0.flag) }.map(\.name) }
}

public enum Severity: String, Sendable, CaseIterable, Comparable, Codable {
    case critical, high, medium, low

    /// Severest first.
    public static func < (left: Self, right: Self) -> Bool {
        allCases.firstIndex(of: left)! < allCases.firstIndex(of: right)!
    }
}

extension Verdict {
    /// RULES §3. Nil where nobody must act.
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

/// Who has less than is owed.
public enum ShortParty: String, Sendable, Codable {
    case nobody = ""
    case customer, company
}

/// What is to be done. RULES §5; only the first four may ever be a machine's.
public enum Action: String, Sendable, CaseIterable, Codable {
    case verifyReceipt = "verify_receipt"
    case fetchTransaction = "fetch_transaction"
    case credit
    case reverseCredit = "reverse_credit"
    case attribute, investigate, escalate
    case fixInput = "fix_input"
    case wait, none
}
