/// Which days nobody could look at. RULES §3 "Coverage".
public struct Coverage: Sendable, Equatable {
    /// The first business date imported: it covers everything before it.
    public var firstDate: BusinessDate?
    /// Days without a file of a required feed, or with one refused, by what the feed delivers, ascending.
    public var gaps: [FeedKind: [BusinessDate]]
    /// Days of which no credits came, ascending, where a credits feed exists and none is required: no verdict changes by
    /// them, and no machine gives anything.
    public var creditsUnseen: [BusinessDate]

    public init(
        firstDate: BusinessDate? = nil, gaps: [FeedKind: [BusinessDate]] = [:], creditsUnseen: [BusinessDate] = []
    ) {
        self.firstDate = firstDate
        self.gaps = gaps
        self.creditsUnseen = creditsUnseen
    }

    /// Whether a day of `from…through` is missing in the feed of that kind.
    public func hasGap(_ kind: FeedKind, from: BusinessDate, through: BusinessDate) -> Bool {
        guard let days = gaps[kind], !days.isEmpty else { return false }
        return days.contains { from <= $0 && $0 <= through }
    }
}
