/// Whether the account bought the product or a family member shared it.
public enum Ownership: UInt8, Sendable, CaseIterable {
    case purchased, familyShared, other
}
