public import Domain
internal import Exceptions
internal import Matching

/// Look-ups in a history as the last night left it. Nothing is ever written.
public struct Inquiry {
    let history: any InquiryHistory
    let run: RunRecord
    private let feeds: [ExpectedFeed]
    /// What the last night judged by.
    let basis: Basis
    let now: Instant
    /// The rules differ from those of the last night.
    let hasNewRules: Bool
    /// The last night's input was so unusual that a person must review it first, and nobody has released it.
    let isGuarded: Bool
    private let arrivals: [String: Set<BusinessDate>]

    /// Nil where the history holds no night.
    ///
    /// - Parameter now: the real time; the answers say how old the last night is.
    public init?(_ history: some InquiryHistory, _ settings: NightSettings, now: Instant) throws {
        guard let run = try history.lastRun() else { return nil }
        let head = try history.head(asOf: run)
        self.history = history
        self.run = run
        self.now = now
        basis = Basis(settings, head, of: run)
        feeds = settings.feeds
        arrivals = head.arrivals
        isGuarded = try !head.guarded.isEmpty && !history.guardFindings(of: run).isEmpty
        hasNewRules = run.policy != basis.policyText
    }

    var policy: Policy { basis.policy }
    var horizon: Horizon { basis.horizon }
    var coverageGaps: [CoverageGap] { basis.coverageGaps }

    /// The business dates that anything is known of.
    var covers: ClosedRange<BusinessDate> {
        min(horizon.coverage.firstDate ?? run.businessDate, run.businessDate)...run.businessDate
    }

    /// The first day since `instant` whose credits are not all there; nil where none is missing.
    ///
    /// Looked at is the day before, too: clocks differ. Without a credits feed no day is there.
    func creditsMissing(since instant: Instant) -> BusinessDate? {
        let feeds = feeds.filter { $0.kind == .credits }
        if feeds.isEmpty { return run.businessDate }
        let first = max(covers.lowerBound, dayBefore(instant))
        return feeds.flatMap { $0.daysMissing(from: first, through: run.businessDate, arrivals) }.min()
    }

    /// The first day since `instant`, or the day before, on which one of the feeds that a
    /// purchase rests on is missing: a required file did not come, or a file was refused.
    func recordsMissing(since instant: Instant) -> (feed: FeedKind, date: BusinessDate)? {
        let first = dayBefore(instant)
        for kind in [FeedKind.transactions, .orders, .credits] {
            let day = (horizon.coverage.gaps[kind] ?? []).first { first <= $0 && $0 <= run.businessDate }
            if let day { return (kind, day) }
        }
        return nil
    }

    /// `file:line` of a row of a credits file since then that could not be used and mentions one of the ids, or may.
    func rejectedCredit(since instant: Instant, mentioning ids: [String]) throws -> String? {
        let rejected = RejectedCredits(try history.rejectedCredits(since: dayBefore(instant)))
        return rejected.place(mentioning: ids) ?? rejected.unreadable
    }

    /// Clocks differ.
    private func dayBefore(_ instant: Instant) -> BusinessDate { policy.zone.date(of: instant).advanced(by: -1) }

    /// Whole days between the last business date and today; negative where the clock is wrong.
    var daysSinceLastNight: Int { Int(policy.zone.date(of: now).day - run.businessDate.day) }
}
