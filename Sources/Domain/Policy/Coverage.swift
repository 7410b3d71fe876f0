/// The coverage gaps: days for which evidence is missing. See docs/spec/rules.md#coverage.
public struct Coverage: Sendable, Equatable, Codable {
    /// The first business date imported. Its files count as covering everything before it. Nil before anything was imported.
    public var firstDate: BusinessDate?
    /// By feed kind, the days for which a required feed has no file or a file was refused, ascending.
    public var gaps: [FeedKind: [BusinessDate]]
    /// Days without a credits file, ascending, where a credits feed is configured but none is required. They change no
    /// verdict, but no retry entry gives goods while a purchase may be affected.
    public var creditsUnseen: [BusinessDate]

    public init(
        firstDate: BusinessDate? = nil, gaps: [FeedKind: [BusinessDate]] = [:], creditsUnseen: [BusinessDate] = []
    ) {
        (self.firstDate, self.gaps, self.creditsUnseen) = (firstDate, gaps, creditsUnseen)
    }

    /// Whether feeds of that kind have a gap on any day from `from` to `through`, both included.
    public func hasGap(_ kind: FeedKind, from: BusinessDate, through: BusinessDate) -> Bool {
        guard let days = gaps[kind], !days.isEmpty else { return false }
        return days.contains { from <= $0 && $0 <= through }
    }
}
