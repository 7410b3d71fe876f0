/// A person's record that the desk gave a purchase's goods by hand. See docs/spec/interfaces.md#given.
public struct HandOut: Hashable, Sendable {
    public var transaction: Identifier
    public var by: String
    /// When that person recorded it.
    public var at: Instant
    /// That person's note; nil if absent.
    public var note: String?
    /// How the note begins where a second person confirmed it.
    public static let confirmedBy = "confirmed by "

    public init(transaction: Identifier, by: String, at: Instant, note: String? = nil) {
        self.transaction = transaction
        self.by = by
        self.at = at
        self.note = note
    }
}
