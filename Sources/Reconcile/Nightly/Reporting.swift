internal import Domain
internal import Ledger
internal import Matching

extension NightReport {
    /// What the night found, proven to add up.
    /// - Throws: `Failure` with `internalError` where conservation or the roll-forward is not proven.
    init(
        _ run: RunRecord, configuration: Configuration, delivered: Delivered, prior: StoredEvidence, book: CaseSet,
        verdicts: Verdicts, tally: Tally, moves: [ExceptionTransition], rollForward: [RollForwardLine],
        coverage: CoverageReport,
        answers: Answers
    ) throws {
        self.init(
            businessDate: run.businessDate.text, asOf: run.asOf.milliseconds, horizon: run.horizon.milliseconds,
            timeZone: configuration.policy.zone.name, run: Int(run.id), version: run.version)
        let conservation = Conservation(book, delivered, prior: prior, answers)
        let deliveries = try delivered.deliveries.map { try conservation.counted($0) }
        files = deliveries.map { FileLine($0, businessDate: run.businessDate) }
            .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        for delivery in deliveries { self.conservation[delivery.kind.rawValue, default: RowCounts()].add(delivery) }
        filesSkipped = delivered.filesSkipped
        coverageGaps = coverage.coverageGaps
        settledRefusals = coverage.settledRefusals.isEmpty ? nil : coverage.settledRefusals
        self.verdicts = tally.lines
        exceptions = moves.compactMap(\.row).inReportOrder()
        self.rollForward = rollForward
        refunds = verdicts.refunds.sorted {
            ($0.revokedAt, $0.transaction) < ($1.revokedAt, $1.transaction)
        }
        rejects = delivered.rejects
        try prove(book: book, verdicts: verdicts)
    }

    mutating func add(_ retries: RetryRegister) {
        retry = retries.counts
        retryLists = retries.lists
    }

    private func prove(book: CaseSet, verdicts: Verdicts) throws {
        var isJudged = [Bool](repeating: false, count: book.count)
        for ruling in verdicts.all { isJudged[Int(ruling.caseIndex)] = true }
        let casesJudged = isJudged.count { $0 }
        guard casesJudged == book.count else {
            throw Self.unproven("\(book.count) cases, but verdicts for \(casesJudged)")
        }
        for line in rollForward where !line.isProven {
            throw Self.unproven("the roll-forward of \(line.verdict.rawValue) \(line.currency) does not add up")
        }
    }

    private static func unproven(_ what: String) -> Failure {
        Failure(
            .internalError, "counts do not add up: \(what)",
            remedy: "Nothing was changed. Please report this line.")
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
            name: delivery.name, feed: delivery.kind.rawValue, digest: delivery.digest.hex,
            fileDate: delivery.fileDate.text, counts: counts, firstEvent: totals.firstEvent?.milliseconds,
            lastEvent: totals.lastEvent?.milliseconds,
            amounts: totals.amounts.sorted { $0.key < $1.key }.map {
                Amount(minor: $0.value, currency: $0.key.text)
            },
            hashTotal: hexadecimal(totals.hashTotal), isLate: delivery.fileDate < businessDate)
    }
}

/// Sixteen digits.
private func hexadecimal(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
}
