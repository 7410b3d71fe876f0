/// What the nights of a month did to the exceptions. See docs/spec/rules.md#roll-forward.
extension MonthReport {
    /// Adds the roll-forward, from the closing balance before the month to that of its last night, and the files that the
    /// month's nights read, with files of the month that later nights read.
    ///
    /// - Parameter end: the last run that counts.
    /// - Throws: `EngineError.unproven` where the nights' lines do not add up to the last closing balance; whatever the
    ///   history throws.
    mutating func addRollForward(of history: some MonthHistory, through end: RunRecord) throws {
        let runs = try history.runs(through: end.id)
        let (before, within) = split(runs)
        var lines: [Currency: [Verdict: RollForwardLine]] = [:]
        if let before {
            for line in try history.outline(of: before).rollForward {
                lines[line.currency, default: [:]][line.verdict] = RollForwardLine(
                    verdict: line.verdict, currency: line.currency, opening: line.closing, closing: line.closing)
            }
        }
        var lastNight: [RollForwardLine] = []
        for run in within {
            let report = try history.outline(of: run)
            lastNight = report.rollForward
            for line in report.rollForward {
                nights.append(NightMovement(date: run.businessDate, run: run.id, line: line))
                lines[line.currency, default: [:]][line.verdict, default: .empty(line)].add(line)
            }
            sources += report.files
        }
        for run in runs where run.businessDate > last {
            sources += try history.outline(of: run).files.filter { month.contains($0.fileDate) }
        }
        for line in lastNight {
            if lines[line.currency]?[line.verdict]?.closing != line.closing {
                throw EngineError.unproven(
                    "the month's roll-forward of \(line.verdict.rawValue) \(line.currency) does not add up")
            }
        }
        let moved: [RollForwardLine] = lines.values.flatMap(\.values).filter { $0 != .empty($0) }
        rollForward = moved.ordered { ($0.currency, $0.verdict) < ($1.currency, $1.verdict) }
        sources.order { ($0.fileDate, $0.name) < ($1.fileDate, $1.name) }
    }

    /// Adds the exceptions that are open at the end of the month, and those that were cleared within it.
    ///
    /// - Parameter end: the last run that counts.
    public mutating func addExceptions(of history: some MonthHistory, through end: RunRecord) throws {
        let (before, within) = split(try history.runs(through: end.id))
        open =
            try (within.last ?? before).map { try history.rows(shownBy: $0) }?.filter(\.state.isOpen).withoutLabels
            .inReportOrder()
            ?? []
        guard let first = within.first, let last = within.last else { return }
        cleared = try history.rowsCleared(from: first.id, through: last.id).withoutLabels.inReportOrder()
        waivers = try cleared.compactMap { row in
            guard row.state == .waived, let decision = try history.lastDecision(on: row.id) else { return nil }
            return WaiverLine(exception: row.id.text, by: decision.by, at: decision.at)
        }
    }

    /// The last run before the month, and the runs of the month.
    private func split(_ runs: [RunRecord]) -> (before: RunRecord?, within: [RunRecord]) {
        (runs.last { $0.businessDate < first }, runs.filter { month.contains($0.businessDate) })
    }
}

extension RollForwardLine {
    fileprivate static func empty(_ line: RollForwardLine) -> RollForwardLine {
        RollForwardLine(verdict: line.verdict, currency: line.currency)
    }

    /// Adds a night. Its opening balance is not needed: it is the closing balance of the night before.
    fileprivate mutating func add(_ night: RollForwardLine) {
        new += night.new
        reopened += night.reopened
        changedIn += night.changedIn
        changedOut += night.changedOut
        resolved += night.resolved
        waived += night.waived
        closing += night.moved
    }
}

extension [ExceptionRow] {
    /// A closed month is kept for good, and labels are not.
    fileprivate var withoutLabels: [ExceptionRow] {
        map { row in
            guard row.labels != nil else { return row }
            var row = row
            row.facts.labels = nil
            return row
        }
    }
}
