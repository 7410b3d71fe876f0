/// The usable rows of a required feed on the business date, beside those of its earlier deliveries.
public struct FeedRows: Hashable, Sendable, Codable {
    public var feed: String
    public var rows: Int
    /// The row counts of up to seven earlier deliveries, ascending. Empty before the second one.
    public var usual: [Int]
}
