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

/// A rejected row in a report.
public struct RejectLine: Hashable, Sendable, Codable {
    /// The file's name.
    public var source: String
    public var reject: Reject

    public init(_ reject: Reject, source: String) {
        (self.reject, self.source) = (reject, source)
    }
}

/// The usable rows of a required feed on the business date, beside those of its earlier deliveries.
public struct FeedRows: Hashable, Sendable, Codable {
    public var feed: String
    public var rows: Int
    /// The row counts of up to seven earlier deliveries, ascending. Empty before the second one.
    public var usual: [Int]
}

/// Rows by what became of them. `rows = accepted + duplicates + rejected` always holds.
public struct RowCounts: Hashable, Sendable, Codable {
    public var rows = 0
    /// Rows that contributed something new.
    public var accepted = 0
    /// Rows that held nothing new.
    public var duplicates = 0
    /// Rows that could not be used.
    public var rejected = 0
    /// Whether the parts add up to the rows.
    public var balances: Bool { rows == accepted + duplicates + rejected }
}
