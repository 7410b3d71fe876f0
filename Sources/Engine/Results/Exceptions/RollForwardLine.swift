/// The roll-forward of exceptions for one verdict and currency: opening + new + reopened + changed in − changed out −
/// resolved − waived = closing. See docs/spec/rules.md#roll-forward.
public struct RollForwardLine: Hashable, Sendable, Codable {
    public var verdict: Verdict
    /// ISO 4217, three letters. Empty for exceptions whose worth is unknown.
    public var currency: Currency
    /// Open at the end of the run before.
    public var opening = CountAndAmount()
    /// First seen in this run.
    public var new = CountAndAmount()
    /// Resolved or waived before, and back.
    public var reopened = CountAndAmount()
    /// Open before under another verdict, cause or amount.
    public var changedIn = CountAndAmount()
    /// The same exceptions as they were before that change.
    public var changedOut = CountAndAmount()
    /// In order now.
    public var resolved = CountAndAmount()
    /// Accepted by a person.
    public var waived = CountAndAmount()
    /// Open at the end of this run.
    public var closing = CountAndAmount()

    /// What closing is more than opening.
    var moved: CountAndAmount { new + reopened + changedIn - changedOut - resolved - waived }
    /// Opening and movements less closing: zero in an intact ledger.
    public var difference: CountAndAmount { opening + moved - closing }
    public var isProven: Bool { difference == CountAndAmount() }
}
