/// What a night expects of a feed; how its files are read is Intake's matter.
public struct ExpectedFeed: Sendable {
    /// The feed as the run's record keeps it. In the configuration, `since` may be nil because it follows from the
    /// history; see `Basis`.
    public var record: FeedRecord
    /// Whether a delivered file of this name belongs to the feed.
    public var matches: @Sendable (String) -> Bool
    /// What the files of one part of the feed have in common: the name without its date. Nil if a date has one file only.
    public var part: @Sendable (_ file: String, _ date: BusinessDate) -> String?
    /// The columns that the configuration does not read.
    public var unread: Set<String>

    public init(
        _ record: FeedRecord, unread: Set<String> = [],
        part: @escaping @Sendable (_ file: String, _ date: BusinessDate) -> String? = { _, _ in nil },
        matches: @escaping @Sendable (String) -> Bool
    ) {
        (self.record, self.unread, self.part, self.matches) = (record, unread, part, matches)
    }
}

extension FeedRecord {
    /// The days from `first` to `last`, both included, that no file of the feed covers.
    /// - Parameter arrivals: the dates on which each feed delivered, by the feed's name.
    func daysMissing(
        from first: BusinessDate, through last: BusinessDate, given arrivals: [String: Set<BusinessDate>]
    ) -> [BusinessDate] {
        let (first, last) = (max(first, since ?? first), min(last, until ?? last))
        guard first <= last else { return [] }
        let arrived = arrivals[name] ?? []
        if !isDated {
            let next = arrived.filter { $0 <= last }.max()?.advanced(by: 1) ?? first
            return (max(first, next).day..<max(first, next, last.advanced(by: 1)).day).map { BusinessDate(day: $0) }
        }
        return (first.day...last.day).map { BusinessDate(day: $0) }.filter { !arrived.contains($0) }
    }
}

extension [FeedRecord] {
    /// Tonight's feeds with the date since which each is expected. A feed that the first night knew is expected from the
    /// beginning; any other from the night that first knew it, and one that becomes required from that night. `since` in
    /// the configuration goes before all of these.
    /// Feeds that the configuration has lost are still expected (`feedsLost`), or for what they lack (`creditsReplaced`).
    func resolved(after head: HistoryHead, on date: BusinessDate) -> [FeedRecord] {
        guard head.lastRun != nil else { return self }
        return map { feed in
            if feed.since != nil { return feed }
            var feed = feed
            let known = head.feeds.first {
                $0.name == feed.name && $0.until == nil && ($0.isRequired || !feed.isRequired)
            }
            feed.since = known.map(\.since) ?? date
            return feed
        } + head.feedsLost(by: self) + head.creditsReplaced(by: self)
    }
}

extension HistoryHead {
    /// The feeds that the last run expected and that `feeds` neither contains nor replaces. Evidence from them can no longer
    /// show that goods were paid for, given or refunded.
    ///
    /// A required feed of evidence is lost if fewer feeds of its kind are required now. Otherwise another feed replaces it. The
    /// last feed of credits is lost even if it was optional.
    public func feedsLost(by feeds: [FeedRecord]) -> [FeedRecord] {
        func required(_ kind: FeedKind, in feeds: [FeedRecord]) -> Int {
            feeds.count { $0.kind == kind && $0.isRequired }
        }
        return self.feeds.filter { known in
            if feeds.contains(where: { $0.name == known.name }) { return false }
            if known.isRequired, FeedKind.evidence.contains(known.kind) {
                return required(known.kind, in: feeds) < required(known.kind, in: self.feeds)
            }
            return known.kind == .credits && !feeds.contains { $0.kind == .credits }
        }
    }

    /// The credits feeds that were not required and that others in `feeds` have replaced, as far as they lack days up to the
    /// last night: nothing says that the new feed has those days, unless it takes the former one's name and they are delivered.
    fileprivate func creditsReplaced(by feeds: [FeedRecord]) -> [FeedRecord] {
        guard let last = lastRun?.businessDate, let first = arrivals.values.compactMap({ $0.min() }).min(),
            feeds.contains(where: { $0.kind == .credits })
        else { return [] }
        return self.feeds.compactMap { known in
            let isReplaced = known.until != nil || !feeds.contains { $0.name == known.name }
            guard known.kind == .credits, !known.isRequired, isReplaced else { return nil }
            var known = known
            known.until = known.until ?? last
            return known.daysMissing(from: first, through: last, given: arrivals).isEmpty ? nil : known
        }
    }
}
