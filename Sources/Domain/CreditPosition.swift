/// The credits of one subject, and which of them its reversals have cancelled. RULES §2 "net credits".
public struct CreditPosition: Sendable {
    /// All credits by time, then id; implicit ones among them.
    public var credits: [Credit] = []
    /// Those that no reversal cancelled.
    public var left: [Credit] = []
    /// All reversals, by time, then id.
    public var reversals: [Credit] = []
    /// Reversals that found no credit to cancel.
    public var surplusReversals: [Credit] = []
    /// The credits left add up exactly to the purchase's quantity, and so count as one.
    public var countsAsOne = false

    public init() {}

    public var net: Int { (countsAsOne ? 1 : left.count) - surplusReversals.count }
}
