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
    /// For how many deliveries the credits left count, where their pieces decide. Nil: each row is one.
    public var deliveries: Int?

    public init() {}

    /// Net credits: deliveries less surplus reversals. Can be negative.
    public var net: Int { (deliveries ?? left.count) - surplusReversals.count }
}
