internal import Domain
internal import Exceptions
internal import ReportData

/// What a night's report is made from.
struct NightFindings: Sendable {
    var run: RunRecord
    var zone: Zone
    var delivered: Delivered
    /// Tonight's deliveries, with their accepted and duplicate rows counted.
    var deliveries: [Delivery]
    /// The number of cases matched tonight, neighbours not included.
    var cases: Int
    var verdicts: Verdicts
    var tally: Tally
    var transitions: [ExceptionTransition]
    var clearedToday: [ExceptionRow]
    var rollForward: [RollForwardLine]
    var basis: Basis
}

extension NightReport {
    /// The report of a night, proven to add up.
    /// - Throws: `EngineError.unproven` where a case has no verdict or the roll-forward does not add up.
    init(_ night: NightFindings) throws(EngineError) {
        let run = night.run
        self.init(
            businessDate: run.businessDate, asOf: run.asOf, horizon: run.horizon,
            timeZone: night.zone.name, run: run.id, version: run.version)
        files = night.deliveries.map { FileLine($0, businessDate: run.businessDate) }
            .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        for delivery in night.deliveries { conservation[delivery.kind, default: RowCounts()].add(delivery) }
        filesSkipped = night.delivered.filesSkipped
        coverageGaps = night.basis.coverageGaps
        acceptedGaps = night.basis.acceptedGaps.isEmpty ? nil : night.basis.acceptedGaps
        feeds = night.basis.feeds
        verdicts = night.tally.lines
        judged = night.verdicts.all.count
        flags = night.verdicts.flagCounts
        exceptions = (night.transitions.compactMap(\.row) + night.clearedToday).inReportOrder()
        rollForward = night.rollForward
        refunds = night.verdicts.refunds.sorted { ($0.revokedAt, $0.transaction) < ($1.revokedAt, $1.transaction) }
        rejects = night.delivered.rejects
        try prove(night)
    }

    /// Adds the night's retry entries, and the answers to them.
    mutating func add(_ retries: RetryRegister, _ answers: [Acknowledgement]) {
        retry = retries.counts
        retryAnswers = answers.reduce(into: [:]) { $0[$1.outcome.rawValue, default: 0] += 1 }
        retryLists = retries.lists
    }

    private func prove(_ night: NightFindings) throws(EngineError) {
        var isJudged = [Bool](repeating: false, count: night.cases)
        for verdict in night.verdicts.all where Int(verdict.caseIndex) < night.cases {
            isJudged[Int(verdict.caseIndex)] = true
        }
        let judged = isJudged.count { $0 }
        guard judged == night.cases else {
            throw .unproven("\(night.cases) cases, but verdicts for \(judged)")
        }
        for line in rollForward where !line.isProven {
            throw .unproven("the roll-forward of \(line.verdict.rawValue) \(line.currency) does not add up")
        }
    }
}

extension RowCounts {
    fileprivate mutating func add(_ delivery: Delivery) {
        rows += delivery.totals.rows
        accepted += delivery.accepted
        duplicates += delivery.duplicates
        rejected += delivery.totals.rejected
    }
}

extension FileLine {
    fileprivate init(_ delivery: Delivery, businessDate: BusinessDate) {
        var counts = RowCounts()
        counts.add(delivery)
        let totals = delivery.totals
        self.init(
            name: delivery.name, feed: delivery.kind, digest: delivery.digest.hex,
            fileDate: delivery.fileDate, counts: counts, firstEvent: totals.firstEvent,
            lastEvent: totals.lastEvent,
            amounts: totals.amounts.sorted { $0.key < $1.key }.map {
                Money(minor: $0.value, currency: $0.key)
            },
            hashTotal: hexadecimal(totals.hashTotal), isLate: delivery.fileDate < businessDate)
    }
}

/// 16 digits, with leading zeros.
private func hexadecimal(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
}
