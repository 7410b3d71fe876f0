public import Domain

/// One imported file in a report.
public struct FileLine: Hashable, Sendable, Codable {
    /// The path relative to the configuration's folder.
    public var name: String
    /// The feed kind's name.
    public var feed: String
    /// The file's SHA-256 in hexadecimal.
    public var digest: String
    /// The date in the file's name, else the business date of the run, `YYYY-MM-DD`.
    public var fileDate: String
    /// The file's rows by what became of them.
    public var counts: RowCounts
    /// Earliest instant among its rows, in milliseconds since 1970, UTC. Nil where no row was used.
    public var firstEvent: Int64?
    /// Latest instant among its rows, in the same unit.
    public var lastEvent: Int64?
    /// The sum of its amounts for each currency.
    public var amounts: [Money]
    /// The hash total of its keys, sixteen hexadecimal digits.
    public var hashTotal: String
    /// The file is dated before the run's business date, so its rows appear a night late.
    public var isLate: Bool

    public init(
        name: String, feed: String, digest: String, fileDate: String, counts: RowCounts, firstEvent: Int64?,
        lastEvent: Int64?, amounts: [Money], hashTotal: String, isLate: Bool
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
