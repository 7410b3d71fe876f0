/// What the check of a receipt ended in; where receipts disagree, the later case outweighs the earlier. RULES §3.
public enum CheckOutcome: UInt8, Sendable, Comparable {
    case unverified, rejected, accepted
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
