internal import Domain
internal import ReportData

/// The days for which evidence is missing: required feeds without a file since the first business date imported, and
/// refused files. See docs/spec/rules.md#coverage.
struct CoverageReport {
    /// For the rules.
    var coverage: Coverage
    /// For reports, by date, then feed.
    var coverageGaps: [CoverageGap]
    /// - Parameters:
    ///   - arrivals: the dates on which each feed delivered, by the feed's name, tonight's included.
    ///   - refusals: refused files of feeds that are not required, as far as they still count.
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
                spots.append(CoverageGap(feed: feed.kind, date: day, reason: .missing(feed: feed.name)))
            }
        }
        for refusal in Set(refusals) {
            gaps[refusal.feed, default: []].insert(refusal.date)
            spots.append(refusal)
        }
        coverage = Coverage(firstDate: first, gaps: gaps.mapValues { $0.sorted() })
        let credits = feeds.filter { $0.kind == .credits }
        if !credits.contains(where: \.isRequired) {
            let missing = credits.map { $0.daysMissing(from: first ?? date, through: date, arrivals) }
            coverage.creditsUnseen = Set(missing.joined()).sorted()
        }
        coverageGaps = spots.sorted {
            ($0.date, $0.feed.rawValue, $0.reason.machineText) < ($1.date, $1.feed.rawValue, $1.reason.machineText)
        }
    }
}

/// Refused files of feeds that are not required, of tonight and of earlier nights.
struct Refusals {
    /// Files whose day has not been delivered since.
    private(set) var current: [CoverageGap] = []
    /// Files that are still in the folder although their day has been delivered since.
    private(set) var settled: [CoverageGap] = []

    /// A refused file counts until a later night accepts a file of the same feed and date. A file that is accepted in
    /// the same night as the refusal does not count as a replacement: it is another part of that day. Neither does a
    /// file of another feed, which says nothing about the contents of the refused one.
    ///
    /// - Parameters:
    ///   - tonight: the files refused tonight.
    ///   - known: the coverage gaps of the run before.
    ///   - before: the refusals that the run before knew to be settled.
    ///   - arrivals: the feeds that delivered tonight, and for which dates.
    init(
        tonight: [CoverageGap], known: [CoverageGap], settled before: [CoverageGap],
        arrivals: [(feed: String, date: BusinessDate)], feeds: [ExpectedFeed]
    ) {
        let refused = known.filter { !$0.reason.isMissing }
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
    /// Whether a file arrived that should hold the rows of the refused one. Where its feed is no longer configured, any
    /// feed of its kind will do.
    fileprivate func isMended(by arrivals: [(feed: String, date: BusinessDate)], _ feeds: [ExpectedFeed]) -> Bool {
        guard case .refused(_, let path, _) = reason else { return false }
        let own = feeds.filter { $0.name == path }
        return (own.isEmpty ? feeds.filter { $0.kind == feed } : own).contains { feed in
            arrivals.contains { $0.feed == feed.name && feed.covers(date, by: $0.date) }
        }
    }
}
