/// A person's decision about a coverage gap: that nothing is missing on that day, or that it is missing after all.
public struct GapDecision: Hashable, Sendable, Codable {
    /// The feed's name.
    public var feed: String
    public var date: BusinessDate
    /// True: the day counts as delivered, without rows. False: an earlier acceptance is withdrawn.
    public var isAccepted: Bool
    public var by: String
    /// When, in milliseconds since 1970, UTC.
    public var at: Int64
    public var note: String

    public init(feed: String, date: BusinessDate, isAccepted: Bool, by: String, at: Int64, note: String) {
        self.feed = feed
        self.date = date
        self.isAccepted = isAccepted
        self.by = by
        self.at = at
        self.note = note
    }
}
