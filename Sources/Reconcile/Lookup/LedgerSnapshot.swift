internal import Domain
internal import Engine
internal import Exceptions
internal import Foundation
internal import Intake
internal import Ledger
internal import Matching
internal import Reports

/// The ledger as the last night left it, opened for questions. Nothing is ever written.
struct LedgerSnapshot {
    let ledger: Ledger
    /// The last run.
    let run: RunRecord
    let configuration: Configuration
    /// What the last night judged by.
    let basis: Basis
    let now: Instant
    /// The rules have changed since the last night.
    let hasNewRules: Bool
    /// The guard found the last night's input unusual, and no person has released its findings.
    let isGuarded: Bool
    private let arrivals: [String: Set<BusinessDate>]

    /// - Throws: `Failure` with `noInput` if there is no ledger or it contains no night; `LedgerError`, `SQLiteError`.
    init(_ configuration: Configuration, now: Instant) throws {
        guard access(configuration.ledger, F_OK) == 0 else { throw Self.noNight(configuration) }
        try self.init(Ledger.reading(path: configuration.ledger), configuration, now: now)
    }

    init(_ ledger: Ledger, _ configuration: Configuration, now: Instant) throws {
        try ledger.beginReading()
        self.ledger = ledger
        guard try !ledger.isEmpty, let run = try ledger.lastRun() else { throw Self.noNight(configuration) }
        let head = try ledger.head(asOf: run)
        basis = Basis(configuration.nightSettings, head, of: run)
        self.run = run
        self.configuration = configuration
        self.now = now
        arrivals = head.arrivals
        isGuarded = try !head.guarded.isEmpty && !ledger.guardFindings(of: run).isEmpty
        hasNewRules = run.policy != basis.policyText
    }

    var policy: Policy { basis.policy }
    var horizon: Horizon { basis.horizon }
    var coverageGaps: [CoverageGap] { basis.coverageGaps }

    private static func noNight(_ configuration: Configuration) -> Failure {
        Failure(
            .noInput, "the ledger \(quoted(configuration.ledger)) contains no night yet",
            remedy: "Run 'reconcile nightly' first, or name the ledger with --ledger.")
    }

    /// The business dates for which there is evidence.
    var covers: ClosedRange<BusinessDate> {
        min(horizon.coverage.firstDate ?? run.businessDate, run.businessDate)...run.businessDate
    }

    /// The first day since `instant` for which a credits file is missing. Nil if none is.
    ///
    /// The day before `instant` is included, because clocks differ. If no credits feed is configured, every day is
    /// missing.
    func creditsMissing(since instant: Instant) -> BusinessDate? {
        let feeds = configuration.nightSettings.feeds.filter { $0.kind == .credits }
        if feeds.isEmpty { return run.businessDate }
        let first = max(covers.lowerBound, dayBefore(instant))
        return feeds.flatMap { $0.daysMissing(from: first, through: run.businessDate, arrivals) }.min()
    }

    /// The first day since `instant` with a gap in a feed that a purchase rests on, because a required file is missing
    /// or a file was refused. The day before `instant` is included. Nil if there is none.
    func recordsMissing(since instant: Instant) -> (feed: FeedKind, date: BusinessDate)? {
        let first = dayBefore(instant)
        for kind in [FeedKind.transactions, .orders, .credits] {
            let day = (horizon.coverage.gaps[kind] ?? []).first { first <= $0 && $0 <= run.businessDate }
            if let day { return (kind, day) }
        }
        return nil
    }

    /// `file:line` of a rejected row of a credits file since the day before `instant` that mentions one of the ids, or
    /// that cannot be searched. Nil if there is none.
    func rejectedCredit(since instant: Instant, mentioning ids: [String]) throws -> String? {
        let rejected = RejectedCredits(try ledger.rejectedCredits(since: dayBefore(instant)))
        return rejected.place(mentioning: ids) ?? rejected.unreadable
    }

    /// A day is added because clocks differ.
    private func dayBefore(_ instant: Instant) -> BusinessDate { policy.zone.date(of: instant).advanced(by: -1) }

    /// Whole days from the last business date to today. Negative if the clock is wrong.
    var daysSinceLastNight: Int { Int(policy.zone.date(of: now).day - run.businessDate.day) }
}
