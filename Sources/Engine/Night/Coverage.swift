/// The days for which evidence is missing: required feeds without a file since the first business date imported, and
/// refused files. See docs/spec/rules.md#coverage.
struct CoverageReport {
    /// For the rules.
    var coverage: Coverage
    /// For reports, by date, then feed.
    var coverageGaps: [CoverageGap]
    /// The days without a file of a credits feed, where none is required or another one has replaced it.
    var creditsUnseen: [FeedDay] = []

    /// - Parameters:
    ///   - arrivals: the dates on which each feed delivered, by the feed's name, tonight's included.
    ///   - refusals: refused files of feeds that are not required, and files whose command failed, as far as they still count.
    ///   - accepted: the days that people accepted. They count as delivered, without rows.
    init(
        feeds: [FeedRecord], arrivals: [String: Set<BusinessDate>], refusals: [CoverageGap],
        accepted: Set<FeedDay> = [], through date: BusinessDate
    ) {
        func missing(_ feed: FeedRecord, from first: BusinessDate?) -> [BusinessDate] {
            feed.daysMissing(from: first ?? date, through: date, given: arrivals)
                .filter { !accepted.contains(FeedDay(feed: feed.name, date: $0)) }
        }
        let first = arrivals.values.compactMap { $0.min() }.min()
        var gaps: [FeedKind: Set<BusinessDate>] = [:]
        var found: [CoverageGap] = []
        let failed = Set(refusals.filter(\.reason.isUncollected).map { FeedDay(feed: $0.reason.feed, date: $0.date) })
        for feed in feeds where feed.isRequired {
            for day in missing(feed, from: first) where !failed.contains(FeedDay(feed: feed.name, date: day)) {
                gaps[feed.kind, default: []].insert(day)
                found.append(CoverageGap(feed: feed.kind, date: day, reason: .missing(feed: feed.name)))
            }
        }
        for refusal in Set(refusals) {
            gaps[refusal.feed, default: []].insert(refusal.date)
            found.append(refusal)
        }
        coverage = Coverage(firstDate: first, gaps: gaps.mapValues { $0.ordered() })
        let credits = feeds.filter { $0.kind == .credits }
        let areRequired = credits.contains(where: \.isRequired)
        creditsUnseen = credits.filter { !areRequired || $0.until != nil }.flatMap { feed in
            missing(feed, from: first).map { FeedDay(feed: feed.name, date: $0) }
        }
        coverage.creditsUnseen = Set(creditsUnseen.map(\.date)).ordered()
        coverageGaps = found.ordered {
            ($0.date, $0.feed.rawValue, $0.reason.machineText) < ($1.date, $1.feed.rawValue, $1.reason.machineText)
        }
    }
}

/// A day of a feed, by the feed's name.
public struct FeedDay: Hashable, Sendable {
    public var feed: String
    public var date: BusinessDate
}

extension [GapDecision] {
    /// For each day that people decided about, the last decision if it accepts the gap; oldest first.
    public var accepted: [GapDecision] {
        var last: [FeedDay: Int] = [:]
        for (index, decision) in enumerated() { last[FeedDay(feed: decision.feed, date: decision.date)] = index }
        return last.values.ordered().map { self[$0] }.filter(\.isAccepted)
    }

    var acceptedDays: Set<FeedDay> { Set(accepted.map { FeedDay(feed: $0.feed, date: $0.date) }) }
}

extension [CoverageGap] {
    /// The gaps that still count after tonight although no feed's days show them: refused files, tonight's and those of the
    /// nights before, and what is still missing of feeds that are gone.
    ///
    /// A refused file counts until a file of the same name is accepted, or a person accepts the gap. Another file of
    /// its feed and date does not replace it: it may be another part of that day. A day that lacked its file stays a gap when
    /// the feed is renamed or removed, because nothing says that the new feed has that day.
    ///
    /// - Parameters:
    ///   - feeds: tonight's.
    ///   - known: the coverage gaps of the run before.
    ///   - accepted: the days that people accepted.
    init(
        refusedTonight tonight: [CoverageGap], known: [CoverageGap], arrivals: [Arrival], feeds: [FeedRecord],
        accepted: Set<FeedDay>
    ) {
        let arrived = Set(arrivals.map { [$0.feed, $0.file.withoutCompression] })
        let earlier = known.filter { gap in
            guard let file = gap.reason.file else { return gap.isOfNone(of: feeds) }
            return !arrived.contains([gap.reason.feed, file.withoutCompression])
                && !tonight.contains { $0.isSameFile(as: gap) }
        }
        self = (tonight + earlier).filter { !accepted.contains(FeedDay(feed: $0.reason.feed, date: $0.date)) }
    }
}

extension CoverageGap {
    /// A file of evidence is missing, of a feed that is not among `feeds`.
    func isOfNone(of feeds: [FeedRecord]) -> Bool {
        reason.file == nil && FeedKind.evidence.contains(feed) && !feeds.contains { $0.name == reason.feed }
    }
}

extension String {
    /// A file's name without `.gz`: a refused file may be replaced by its compressed form, and the other way round.
    fileprivate var withoutCompression: String { hasSuffix(".gz") ? String(dropLast(3)) : self }
}
