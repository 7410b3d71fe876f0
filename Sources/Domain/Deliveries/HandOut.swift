/// A person's record that the desk gave a purchase's goods by hand. See docs/spec/interfaces.md#given.
public struct HandOut: Hashable, Sendable {
    public var transaction: Identifier
    public var by: String
    /// When that person recorded it.
    public var at: Instant
    /// The account that a lead named; nil for the payment's owner.
    public var account: String?
    /// The second user, who confirmed it; nil if there was none.
    public var confirmedBy: String?
    /// Why; empty if that person wrote nothing.
    public var note: String

    public init(
        transaction: Identifier, by: String, at: Instant, account: String? = nil, confirmedBy: String? = nil,
        note: String = ""
    ) {
        (self.transaction, self.by, self.at) = (transaction, by, at)
        (self.account, self.confirmedBy, self.note) = (account, confirmedBy, note)
    }
}
