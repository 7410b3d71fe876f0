/// opening + new + reopened + changed in − changed out − resolved − waived = closing. RULES §4.
public struct RollForwardLine: Hashable, Sendable, Codable {
    public var verdict: Verdict
    /// Empty for exceptions without a known worth.
    public var currency: String
    public var opening = CountAndAmount()
    public var new = CountAndAmount()
    public var reopened = CountAndAmount()
    public var changedIn = CountAndAmount()
    public var changedOut = CountAndAmount()
    public var resolved = CountAndAmount()
    public var waived = CountAndAmount()
    public var closing = CountAndAmount()

    public init(verdict: Verdict, currency: String) {
        self.verdict = verdict
        self.currency = currency
    }
}
