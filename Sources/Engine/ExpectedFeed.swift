public import Domain

/// What a night expects of a feed; how its files are read is Intake's matter.
public struct ExpectedFeed: Sendable {
    /// What the feed's rows are.
    public var kind: FeedKind
    /// The path pattern as the configuration writes it. It identifies the feed.
    public var name: String
    /// Every business date needs a file; a day without one is a coverage gap.
    public var isRequired: Bool
    /// Each file holds the rows of one date. Otherwise each file holds all rows up to its date.
    public var isDated: Bool
    /// Whether a delivered file of this name belongs to the feed.
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

    /// The days from `first` to `last`, both included, that no file of the feed covers.
    /// - Parameter arrivals: the dates on which each feed delivered, by the feed's name.
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

    /// Whether a file dated `date` contains the rows that a file dated `day` should have contained.
    func covers(_ day: BusinessDate, by date: BusinessDate) -> Bool { date == day || !isDated && date > day }
}
