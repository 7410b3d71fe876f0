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
