internal import Domain
internal import Engine
internal import Exceptions
internal import Foundation
internal import Intake
internal import Ledger
internal import Matching
internal import Reports

/// The ledger as the last night left it, opened to be asked. Nothing is ever written.
struct LedgerSnapshot {
    let ledger: Ledger
    let run: RunRecord
    let configuration: Configuration
    /// What the last night judged by.
    let basis: Basis
    let now: Instant
    /// The rules are other than those of the last night.
    let hasNewRules: Bool
    /// The last night's input was so far from the usual that a person must look first, and it has not been released.
    let isGuarded: Bool
    private let arrivals: [String: Set<BusinessDate>]

    /// - Throws: `Failure` with `noInput` where there is no ledger, or no night in it; `LedgerError`, `SQLiteError`.
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

    /// The business dates that anything is known of.
    var covers: ClosedRange<BusinessDate> {
        min(horizon.coverage.firstDate ?? run.businessDate, run.businessDate)...run.businessDate
    }

    /// The first day since `instant` whose credits are not all there; nil where none is missing.
    ///
    /// Looked at is the day before, too: clocks differ. Without a credits feed no day is there.
    func creditsMissing(since instant: Instant) -> BusinessDate? {
        let feeds = configuration.nightSettings.feeds.filter { $0.kind == .credits }
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
        let rejected = RejectedCredits(try ledger.rejectedCredits(since: dayBefore(instant)))
        return rejected.place(mentioning: ids) ?? rejected.unreadable
    }

    /// Clocks differ.
    private func dayBefore(_ instant: Instant) -> BusinessDate { policy.zone.date(of: instant).advanced(by: -1) }

    /// Whole days between the last business date and today; negative where the clock is wrong.
    var daysSinceLastNight: Int { Int(policy.zone.date(of: now).day - run.businessDate.day) }
}
