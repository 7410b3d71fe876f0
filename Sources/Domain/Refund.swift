/// What a revocation means for the goods. RULES §3 "Partial refunds".
public enum Refund: Hashable, Sendable {
    case none
    case full
    /// The quantity that the customer may keep.
    case partial(expected: Int64)
    /// Partial, of a share that is no whole quantity or is unknown: judged as if not revoked.
    case uncountable
}
