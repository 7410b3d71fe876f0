/// A file as the reports list it.
public struct FileLine: Hashable, Sendable, Codable {
    public var name: String
    public var feed: String
    /// SHA-256, hexadecimal.
    public var digest: String
    public var fileDate: String
    public var counts: RowCounts
    /// Milliseconds since 1970, UTC.
    public var firstEvent: Int64?
    public var lastEvent: Int64?
    public var amounts: [Amount]
    /// Sixteen hexadecimal digits.
    public var hashTotal: String
    /// Dated before the run's business date, and so reported a night late.
    public var isLate: Bool

    public init(
        name: String, feed: String, digest: String, fileDate: String, counts: RowCounts, firstEvent: Int64?,
        lastEvent: Int64?, amounts: [Amount], hashTotal: String, isLate: Bool
    ) {
        self.name = name
        self.feed = feed
        self.digest = digest
        self.fileDate = fileDate
        self.counts = counts
        self.firstEvent = firstEvent
        self.lastEvent = lastEvent
        self.amounts = amounts
        self.hashTotal = hashTotal
        self.isLate = isLate
    }
}
