/// The credits of one subject, and which of them are left after its reversals. See docs/spec/rules.md#net-credits.
public struct CreditPosition: Sendable {
    /// All credits by time, then id, including implicit ones.
    public var credits: [Credit] = []
    /// The credits that no reversal cancelled.
    public var left: [Credit] = []
    /// All reversals by time, then id.
    public var reversals: [Credit] = []
    /// The reversals that found no credit to cancel.
    public var surplusReversals: [Credit] = []
    /// The quantities of the credits left add up exactly to the purchase's quantity, so they count as one delivery.
    public var countsAsOne = false

    public init() {}

    /// Net credits: credits left (one, where they count as one) less surplus reversals. Can be negative.
    public var net: Int { (countsAsOne ? 1 : left.count) - surplusReversals.count }
}
