/// One missing or refused file, as reports list it.
public struct CoverageGap: Hashable, Sendable, Codable {
    /// The feed kind's name.
    public var feed: String
    /// The business date that lacks the file, `YYYY-MM-DD`.
    public var date: String
    /// `missing: ` and the feed's file pattern, or the reason why the file was refused.
    public var why: String
    /// For a refused file: its feed's path as configured. Nil for a missing one.
    public var path: String?
    /// For a refused file: its name. Nil for a missing one.
    public var file: String?

    public init(feed: String, date: String, why: String, path: String? = nil, file: String? = nil) {
        self.feed = feed
        self.date = date
        self.why = why
        self.path = path
        self.file = file
    }

    /// Whether both describe the same refused file, even if it was refused for different reasons.
    public func isSameFile(as other: CoverageGap) -> Bool {
        (feed, date, path, file) == (other.feed, other.date, other.path, other.file)
    }
}
