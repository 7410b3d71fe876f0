/// What stands behind a transaction, weakest first: proof outranks date.
public enum Proof: UInt8, Sendable, CaseIterable, Comparable {
    /// Its signature, chain or bundle does not hold.
    case invalid
    /// It cannot be judged here; accuses nobody.
    case unverifiable
    /// The backend says that it checked.
    case vouched
    /// Verified by us from Apple's signature.
    case verified

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
