/// The outcome of the backend's check of a receipt. Where the receipts of a subject disagree, a later case outweighs an
/// earlier one. See docs/spec/rules.md#receipt-checks.
public enum CheckOutcome: UInt8, Sendable, Comparable {
    case unverified, rejected, accepted
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
