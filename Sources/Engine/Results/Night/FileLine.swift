/// One imported file in a report.
public struct FileLine: Hashable, Sendable, Codable {
    /// The path relative to the configuration's folder.
    public var name: String
    public var feed: FeedKind
    /// The file's SHA-256 in hexadecimal.
    public var digest: String
    /// The date in the file's name, else the business date of the run.
    public var fileDate: BusinessDate
    /// The file's rows by what became of them.
    public var counts: RowCounts
    /// Earliest instant among its rows. Nil if no row was used.
    public var firstEvent: Instant?
    /// Latest instant among its rows.
    public var lastEvent: Instant?
    /// The sum of its amounts for each currency.
    public var amounts: [Money]
    /// The hash total of its keys, sixteen hexadecimal digits.
    public var hashTotal: String
    /// The file is dated before the run's business date, so its rows appear a night late.
    public var isLate: Bool
}
