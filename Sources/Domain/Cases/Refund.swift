/// What a revocation means for the goods. See docs/spec/rules.md#refunds.
public enum Refund: Hashable, Sendable {
    case none
    /// The whole purchase was refunded: all goods are to be taken back.
    case full
    /// A part was refunded that is a whole number of pieces. `expected`: the quantity that the customer keeps.
    case partial(expected: Int64)
    /// A part was refunded that is not a whole number of pieces, or is unknown. The purchase is judged as if not
    /// revoked.
    case uncountable
}
