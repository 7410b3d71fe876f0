public enum Ownership: UInt8, Sendable, CaseIterable {
    case purchased, familyShared, other
}
