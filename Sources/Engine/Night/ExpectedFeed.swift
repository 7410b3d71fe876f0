public import Domain

/// What a night expects of a feed; how its files are read is Intake's matter.
public struct ExpectedFeed: Sendable {
    /// What the feed's rows are.
    public var kind: FeedKind
    /// Identifies the feed: its configured name, or its path pattern as the configuration writes it.
    public var name: String
    /// Every business date needs a file; a day without one is a coverage gap.
    public var isRequired: Bool
    /// Each file holds the rows of one date. Otherwise each file holds all rows up to its date.
    public var isDated: Bool
    /// The first business date that needs a file. Nil in the configuration: it follows from the history, see
    /// `Basis`. Nil otherwise: the first date that any feed delivered for.
    public var since: BusinessDate?
    /// Whether a delivered file of this name belongs to the feed.
    public var matches: @Sendable (String) -> Bool

    public init(
        kind: FeedKind, name: String, isRequired: Bool = false, isDated: Bool = true, since: BusinessDate? = nil,
        matches: @escaping @Sendable (String) -> Bool = { _ in false }
    ) {
        self.kind = kind
        self.name = name
        self.isRequired = isRequired
        self.isDated = isDated
        self.since = since
        self.matches = matches
    }

    /// The days from `first` to `last`, both included, that no file of the feed covers.
    /// - Parameter arrivals: the dates on which each feed delivered, by the feed's name.
    public func daysMissing(
        from first: BusinessDate, through last: BusinessDate, _ arrivals: [String: Set<BusinessDate>]
    ) -> [BusinessDate] {
        let first = max(first, since ?? first)
        guard first <= last else { return [] }
        let arrived = arrivals[name] ?? []
        if !isDated {
            let next = arrived.filter { $0 <= last }.max()?.advanced(by: 1) ?? first
            return (max(first, next).day..<max(first, next, last.advanced(by: 1)).day).map { BusinessDate(day: $0) }
        }
        return (first.day...last.day).map { BusinessDate(day: $0) }.filter { !arrived.contains($0) }
    }

    /// The feed as the run's record keeps it.
    var record: FeedRecord {
        FeedRecord(name: name, kind: kind, isRequired: isRequired, isDated: isDated, since: since)
    }
}

extension ExpectedFeed {
    /// The feed as a run knew it. It matches no file.
    init(_ record: FeedRecord) {
        self.init(
            kind: record.kind, name: record.name, isRequired: record.isRequired, isDated: record.isDated,
            since: record.since)
    }
}

extension [ExpectedFeed] {
    /// Tonight's feeds with the date since which each is expected. A feed that the first night knew is expected from the
    /// beginning; any other from the night that first knew it, and one that becomes required from that night. `since` in
    /// the configuration goes before all of these.
    func resolved(after head: HistoryHead, on date: BusinessDate) -> [ExpectedFeed] {
        guard head.lastRun != nil else { return self }
        return map { feed in
            if feed.since != nil { return feed }
            var feed = feed
            let known = head.feeds.first { $0.name == feed.name && ($0.isRequired || !feed.isRequired) }
            feed.since = known.map(\.since) ?? date
            return feed
        }
    }
}
