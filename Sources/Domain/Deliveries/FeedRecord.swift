/// A feed as a run knew it. Later judgements of that run use this record, so a change of the configuration does not
/// change what was missing then.
public struct FeedRecord: Hashable, Sendable, Codable {
    /// The name that identifies the feed: the configured name, or its path as configured.
    public var name: String
    public var kind: FeedKind
    /// Every business date needs a file; a day without one is a coverage gap.
    public var isRequired: Bool
    /// Each file holds the rows of one date. Otherwise each file holds all rows up to its date.
    public var isDated: Bool
    /// The first business date that needs a file. Nil: the first date that any feed delivered for.
    public var since: BusinessDate?
    /// The last business date that needs a file: another feed has replaced it. Nil for a feed that is still expected.
    public var until: BusinessDate?

    public init(name: String, kind: FeedKind, isRequired: Bool, isDated: Bool, since: BusinessDate? = nil) {
        (self.name, self.kind, self.isRequired, self.isDated, self.since) = (name, kind, isRequired, isDated, since)
    }
}
