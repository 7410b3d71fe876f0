internal import Domain

/// Which days nobody could look at: what each required feed has not delivered since the first business date imported,
/// and what was refused. RULES §3 "Coverage".
struct CoverageReport {
    var coverage: Coverage
    var coverageGaps: [CoverageGap]
    /// - Parameters:
    ///   - arrivals: dates by feed pattern, tonight's among them.
    ///   - refusals: of files of feeds that are not required: those that still count.
    init(
        feeds: [ExpectedFeed], arrivals: [String: Set<BusinessDate>], refusals: [CoverageGap],
        through date: BusinessDate
    ) {
        let first = arrivals.values.compactMap { $0.min() }.min()
        var gaps: [FeedKind: Set<BusinessDate>] = [:]
        var spots: [CoverageGap] = []
        for feed in feeds where feed.isRequired {
            for day in feed.daysMissing(from: first ?? date, through: date, arrivals) {
                gaps[feed.kind, default: []].insert(day)
                spots.append(
                    CoverageGap(feed: feed.kind.rawValue, date: day.text, why: CoverageGap.missing + feed.name))
            }
        }
        for refusal in Set(refusals) {
            guard let kind = FeedKind(rawValue: refusal.feed), let day = BusinessDate(refusal.date) else { continue }
            gaps[kind, default: []].insert(day)
            spots.append(refusal)
        }
        coverage = Coverage(firstDate: first, gaps: gaps.mapValues { $0.sorted() })
        let credits = feeds.filter { $0.kind == .credits }
        if !credits.contains(where: \.isRequired) {
            let missing = credits.map { $0.daysMissing(from: first ?? date, through: date, arrivals) }
            coverage.creditsUnseen = Set(missing.joined()).sorted()
        }
        coverageGaps = spots.sorted { ($0.date, $0.feed, $0.why) < ($1.date, $1.feed, $1.why) }
    }
}

/// Files of feeds that are not required, refused tonight or before.
struct Refusals {
    /// Those whose day was not delivered since.
    private(set) var current: [CoverageGap] = []
    /// Those that lie there still, and whose day was delivered since.
    private(set) var settled: [CoverageGap] = []

    /// A refused file counts until a file of its feed and date is accepted in a later night. One that was accepted beside
    /// it is another part of that day's, and one of another feed tells nothing of what it held.
    ///
    /// - Parameters:
    ///   - known: the blind spots of the run before, and what it had settled.
    ///   - arrivals: tonight's.
    init(
        tonight: [CoverageGap], known: [CoverageGap], settled before: [CoverageGap],
        arrivals: [(feed: String, date: BusinessDate)], feeds: [ExpectedFeed]
    ) {
        let refused = known.filter { !$0.isMissing }
        for refusal in tonight {
            let isSettled = before.contains { $0.isSameFile(as: refusal) }
            let isKnown = refused.contains { $0.isSameFile(as: refusal) }
            if isSettled || isKnown && refusal.isMended(by: arrivals, feeds) {
                settled.append(refusal)
            } else {
                current.append(refusal)
            }
        }
        for refusal in refused where !tonight.contains(where: { $0.isSameFile(as: refusal) }) {
            if !refusal.isMended(by: arrivals, feeds) { current.append(refusal) }
        }
    }
}

extension CoverageGap {
    fileprivate static let missing = "missing: "

    /// A required feed's file is not there; else one was refused.
    var isMissing: Bool { why.hasPrefix(Self.missing) }

    /// Whether a file came that holds what the refused one should have held. Where the feed is no longer configured, or
    /// the record does not name it, any feed of its kind.
    fileprivate func isMended(by arrivals: [(feed: String, date: BusinessDate)], _ feeds: [ExpectedFeed]) -> Bool {
        guard let day = BusinessDate(date) else { return true }
        let own = feeds.filter { $0.name == path }
        return (own.isEmpty ? feeds.filter { $0.kind.rawValue == feed } : own).contains { feed in
            arrivals.contains { $0.feed == feed.name && feed.covers(day, by: $0.date) }
        }
    }
}
