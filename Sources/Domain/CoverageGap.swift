/// A required feed's missing file, or a file refused: what nobody could look at.
public struct CoverageGap: Hashable, Sendable, Codable {
    public var feed: String
    public var date: String
    /// `missing`, or why the file was refused.
    public var why: String
    /// Of a refused file: the path of its feed as configured, and the file's name.
    public var path: String?
    public var file: String?

    public init(feed: String, date: String, why: String, path: String? = nil, file: String? = nil) {
        self.feed = feed
        self.date = date
        self.why = why
        self.path = path
        self.file = file
    }

    /// Whether both are about one refused file, whatever was wrong with it each time.
    public func isSameFile(as other: CoverageGap) -> Bool {
        (feed, date, path, file) == (other.feed, other.date, other.path, other.file)
    }
}
