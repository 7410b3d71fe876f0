public import Domain

/// What a night expects of a feed, without how its files are read.
public struct ExpectedFeed: Sendable {
    public var kind: FeedKind
    /// The path pattern as the configuration writes it; it identifies the feed.
    public var name: String
    /// Each business date needs a file.
    public var isRequired: Bool
    /// Each file holds one date's rows; else the latest file holds all there are.
    public var isDated: Bool
    /// Whether a delivered file of this name is the feed's.
    public var matches: @Sendable (String) -> Bool

    public init(
        kind: FeedKind, name: String, isRequired: Bool = false, isDated: Bool = true,
        matches: @escaping @Sendable (String) -> Bool = { _ in false }
    ) {
        self.kind = kind
        self.name = name
        self.isRequired = isRequired
        self.isDated = isDated
        self.matches = matches
    }

    /// The days of which nothing came.
    public func daysMissing(
        from first: BusinessDate, through last: BusinessDate, _ arrivals: [String: Set<BusinessDate>]
    ) -> [BusinessDate] {
        guard first <= last else { return [] }
        let arrived = arrivals[name] ?? []
        if !isDated {
            let next = arrived.filter { $0 <= last }.max()?.advanced(by: 1) ?? first
            return (max(first, next).day..<max(first, next, last.advanced(by: 1)).day).map { BusinessDate(day: $0) }
        }
        return (first.day...last.day).map { BusinessDate(day: $0) }.filter { !arrived.contains($0) }
    }

    /// Whether a file dated `date` holds the rows that one of `day` should have held.
    func covers(_ day: BusinessDate, by date: BusinessDate) -> Bool { date == day || !isDated && date > day }
}
