internal import Domain
internal import Intake
internal import Ledger

/// Which days nobody could look at: what each required feed has not delivered since the first business date imported,
/// and what was refused. RULES §3 "Coverage".
struct CoverageReport {
    var coverage: Coverage
    var coverageGaps: [CoverageGap]
    /// Refused files that still lie there, and whose day was delivered since.
    var settledRefusals: [CoverageGap] = []

    /// - Parameters:
    ///   - arrivals: dates by feed pattern, tonight's among them.
    ///   - refusals: of files of feeds that are not required: those that still count.
    init(
        feeds: [Feed], arrivals: [String: Set<BusinessDate>], refusals: [CoverageGap], through date: BusinessDate
    ) {
        let first = arrivals.values.compactMap { $0.min() }.min()
        var gaps: [FeedKind: Set<BusinessDate>] = [:]
        var spots: [CoverageGap] = []
        for feed in feeds where feed.required {
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
        if !credits.contains(where: \.required) {
            let missing = credits.map { $0.daysMissing(from: first ?? date, through: date, arrivals) }
            coverage.creditsUnseen = Set(missing.joined()).sorted()
        }
        coverageGaps = spots.sorted { ($0.date, $0.feed, $0.why) < ($1.date, $1.feed, $1.why) }
    }

    /// Whether a day that the run before held to be covered lacks its credits now: an older file came late and made an
    /// earlier day the first, or was refused. Any order of that day may have been taken at its word.
    func hasNewGap(upTo date: BusinessDate, besides known: [CoverageGap]) -> Bool {
        hasNewGap(in: .credits, upTo: date, besides: known)
    }

    /// Whether a day is blind that the run before did not know of.
    func hasNewGap(in feed: FeedKind, upTo date: BusinessDate, besides known: [CoverageGap]) -> Bool {
        (coverage.gaps[feed] ?? []).contains { day in
            day <= date && !known.contains { $0.feed == feed.rawValue && $0.date == day.text }
        }
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
        arrivals: [(feed: String, date: BusinessDate)], feeds: [Feed]
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
    fileprivate func isMended(by arrivals: [(feed: String, date: BusinessDate)], _ feeds: [Feed]) -> Bool {
        guard let day = BusinessDate(date) else { return true }
        let own = feeds.filter { $0.name == path }
        return (own.isEmpty ? feeds.filter { $0.kind.rawValue == feed } : own).contains { feed in
            arrivals.contains { $0.feed == feed.name && feed.covers(day, by: $0.date) }
        }
    }
}

extension Feed {
    /// The days of which nothing came.
    func daysMissing(
        from first: BusinessDate, through last: BusinessDate, _ arrivals: [String: Set<BusinessDate>]
    ) -> [BusinessDate] {
        guard first <= last else { return [] }
        let arrived = arrivals[name] ?? []
        // Of a feed without dates the latest file tells of all days before it.
        if !path.contains("{date}") {
            let next = arrived.filter { $0 <= last }.max()?.advanced(by: 1) ?? first
            return (max(first, next).day..<max(first, next, last.advanced(by: 1)).day).map { BusinessDate(day: $0) }
        }
        return (first.day...last.day).map { BusinessDate(day: $0) }.filter { !arrived.contains($0) }
    }

    /// Whether a file of `date` holds what one of that day would have held: of a feed without dates any later one does.
    fileprivate func covers(_ day: BusinessDate, by date: BusinessDate) -> Bool {
        date == day || !path.contains("{date}") && date > day
    }
}
