/// Observations about a subject that never change its verdict. See docs/spec/rules.md#flags.
public struct Flags: OptionSet, Codable, Hashable, Sendable {
    public let rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Credited later than the configured delay after the purchase.
    public static let lateCredit = Flags(rawValue: 1 << 0)
    /// Purchase and credit fall into different months.
    public static let cutOff = Flags(rawValue: 1 << 1)
    /// Credited before the purchase by more than clocks may differ.
    public static let clockSkew = Flags(rawValue: 1 << 2)
    /// Receipts of several accounts claim one transaction.
    public static let receiptReplayed = Flags(rawValue: 1 << 3)
    /// One account claims a transaction with several receipts.
    public static let duplicateReceipt = Flags(rawValue: 1 << 4)
    /// Versions of a piece of evidence contradict each other.
    public static let conflict = Flags(rawValue: 1 << 5)
    /// A version of a transaction carries a proof that does not hold.
    public static let forgedCopy = Flags(rawValue: 1 << 6)
    /// The purchase is proven by a receipt's data alone.
    public static let receiptProof = Flags(rawValue: 1 << 7)
    public static let partialRefund = Flags(rawValue: 1 << 8)
    public static let suggestedOrder = Flags(rawValue: 1 << 9)
    /// An order could be suggested, but order and purchase are not the only match for each other, so none is.
    public static let ambiguousOrder = Flags(rawValue: 1 << 10)
    /// The customer paid nothing, which Apple's record says explicitly.
    public static let zeroPrice = Flags(rawValue: 1 << 11)
    public static let familyShared = Flags(rawValue: 1 << 12)
    /// A credit left is implicit: no credit row says what the order's status says.
    public static let statusOnly = Flags(rawValue: 1 << 13)
    /// Only a client's receipt shows Apple's refund.
    public static let refundReported = Flags(rawValue: 1 << 14)
    /// Proven records of the purchase's case disagree about what was bought and for whom.
    public static let recordsDisagree = Flags(rawValue: 1 << 15)

    /// The names that users see, in the order in which they are listed.
    public static let names: [(flag: Flags, name: String)] = [
        (.lateCredit, "late_credit"), (.cutOff, "cut_off"), (.clockSkew, "clock_skew"),
        (.receiptReplayed, "receipt_replayed"), (.duplicateReceipt, "duplicate_receipt"), (.conflict, "conflict"),
        (.forgedCopy, "forged_copy"), (.receiptProof, "receipt_proof"), (.partialRefund, "partial_refund"),
        (.suggestedOrder, "suggested_order"), (.ambiguousOrder, "ambiguous_order"), (.zeroPrice, "zero_price"),
        (.familyShared, "family_shared"), (.statusOnly, "status_only"),
        (.refundReported, "refund_reported"), (.recordsDisagree, "records_disagree"),
    ]

    /// The names of the flags set, in that order.
    public var names: [String] { Self.names.filter { contains($0.flag) }.map(\.name) }

    /// The flags with these names. Other names are ignored.
    public init(named names: [String]) {
        self = []
        for entry in Self.names where names.contains(entry.name) { insert(entry.flag) }
    }
}

/// Counts by the name of a flag.
extension [String: Int] {
    public subscript(flag: Flags) -> Int? {
        get { self[flag.names[0]] }
        set { self[flag.names[0]] = newValue }
    }
}
