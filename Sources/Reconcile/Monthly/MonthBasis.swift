internal import Domain
internal import Finance
internal import Foundation
internal import Intake
internal import Ledger

/// The ledger as a month is made from it: as it was known at some "now".
struct MonthBasis {
    let ledger: Ledger
    let configuration: Configuration
    /// The last run that was known then.
    let run: RunRecord
    let isLatest: Bool
    /// Months closed by the request's calendar, in order of closing.
    let seals: [MonthSeal]

    /// - Parameter asOf: nil: everything that the ledger knows.
    /// - Throws: `Failure` with `noInput` where no night had been run by then.
    init(_ ledger: Ledger, _ configuration: Configuration, asOf: Instant?, isFiscal: Bool) throws {
        guard try !ledger.isEmpty, let last = try ledger.lastRun(),
            let run = try asOf.map({ try ledger.lastRun(knownAt: $0) }) ?? last
        else { throw Self.noNight(configuration) }
        self.ledger = ledger
        self.configuration = configuration
        self.run = run
        isLatest = run.id == last.id
        seals = try ledger.monthSeals().filter { $0.isFiscal == isFiscal && $0.run <= run.id }
    }

    static func noNight(_ configuration: Configuration) -> Failure {
        Failure(
            .noInput, "the ledger \(quoted(configuration.ledger)) contains no night that was run by then",
            remedy: "Run 'reconcile nightly' first, or name the ledger with --ledger.")
    }

    /// The month's report, from all evidence known, beside Apple's reports.
    /// - Throws: `Failure` with `internalError` where the figures do not add up.
    func report(
        _ request: MonthlyRequest, _ apple: AppleReports, asOf: Instant, threads: Int, clock: StageClock
    ) throws -> MonthReport {
        let policy = try self.policy
        let zone = policy.zone
        let closed = closedMonths(besides: request.period, zone: zone)
        let windows = BridgeWindows(apple.reports, zone: zone)
        let scope = MonthScope(
            request.period, calendar: request.calendar, policy: policy,
            windows: closed.map(\.window) + windows.all)
        let coverage = try coverage
        let sum = try clock.time("judge", of: "cases") { work in
            let pass = MonthPass(
                stream: CaseStream(
                    path: configuration.ledger, pieces: try ledger.pieces(ofCases: CaseStream.pieceSize),
                    lastDelivery: try ledger.lastDelivery(through: run.id), threads: threads, work: work),
                scope: scope,
                horizon: Horizon(instant: run.horizon, businessDate: run.businessDate, coverage: coverage.coverage),
                reportedDelivery: try closed.isEmpty
                    ? nil : seals.last.map { try ledger.lastDelivery(through: $0.run) },
                closed: closed)
            return try pass.run(ledger, isLatest: isLatest)
        }

        var report = MonthReport(
            request.period, timeZone: zone.name, asOf: asOf.milliseconds, run: Int(run.id),
            lastNight: run.businessDate.text, version: version)
        sum.tally.fill(&report)
        for line in report.money where !line.isProven {
            throw Failure(
                .internalError, "the month's differences in \(line.currency) do not add up subject by subject",
                remedy: "Nothing was changed. Please report this line.")
        }
        report.coverageGaps = coverage.coverageGaps.filter {
            BusinessDate($0.date).map(request.period.contains) == true
        }
        report.take(try MonthExceptions(ledger, request.period, last: run))
        report.restated = restated(sum.tally.windows, closed.map(\.name))
        report.restatedSubjects = sum.changes.lines(months: closed.map(\.name))
        if !apple.reports.isEmpty {
            let products = sum.tally.products.union(try ledger.products().map(\.id))
            report.apple = AppleBridge(
                files: apple.files,
                lines: bridgeLines(
                    month: sum.tally.sales, tables: sum.tally.windows[closed.count...], windows: windows,
                    reports: apple.reports, known: products))
        }
        return report
    }

    private var policy: Policy {
        get throws {
            var policy = configuration.policy
            policy.products = ProductList(try ledger.products())
            policy.facts = try ledger.facts()
            return policy
        }
    }

    /// What nobody could look at, as of the run.
    private var coverage: CoverageReport {
        get throws {
            CoverageReport(
                feeds: configuration.feeds, arrivals: try ledger.arrivals(through: run.id),
                refusals: try ledger.outline(of: run).coverageGaps.filter { !$0.isMissing }, through: run.businessDate)
        }
    }

    /// Closed months other than this one, by name.
    private func closedMonths(besides period: Period, zone: Zone) -> [(window: Range<Instant>, name: String)] {
        seals.map(\.period).filter { $0 != period.name }.sorted().compactMap { name in
            let month = period.isFiscal ? FiscalCalendar.month(name) : Period(calendarMonth: name)
            return month.map { ($0.span(in: zone), name) }
        }
    }

    /// Closed months whose figures are others now than when they were last reported.
    private func restated(_ tables: [SalesTable], _ names: [String]) -> [RestatedLine] {
        let known = seals.reduce(into: [String: MonthSeal.Figures]()) { $0.merge($1.known) { $1 } }
        return zip(names, tables).flatMap { name, table in
            let now = table.figures
            let before = known[name] ?? [:]
            return Set(now.keys).union(before.keys).sorted().map { currency in
                RestatedLine(
                    period: name, currency: currency, reported: before[currency] ?? Movements(),
                    now: now[currency] ?? Movements())
            }.filter { $0.change != Movements() }
        }
    }
}

extension SalesTable {
    /// Movements by currency, as a seal keeps them.
    fileprivate var figures: MonthSeal.Figures {
        MonthSeal.Figures(uniqueKeysWithValues: movements.map { ($0.key.text, $0.value) })
    }
}

extension MonthReport {
    mutating func take(_ exceptions: MonthExceptions) {
        rollForward = exceptions.rollForward
        nights = exceptions.nights
        open = exceptions.open
        cleared = exceptions.cleared
        sources = exceptions.sources
    }

    /// What a seal keeps as this month's figures.
    var figures: MonthSeal.Figures {
        Dictionary(uniqueKeysWithValues: money.map { ($0.currency, $0.movements) })
    }
}
