/// How well a transaction is proven, weakest first. A better proof outranks a later date.
public enum Proof: UInt8, Sendable, CaseIterable, Comparable {
    /// Its signature, certificate chain or bundle does not hold.
    case invalid
    /// It cannot be verified here. That counts against nobody.
    case unverifiable
    /// The backend states that it verified the transaction.
    case vouched
    /// We verified Apple's signature ourselves.
    case verified

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
