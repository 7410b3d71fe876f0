public import Domain

/// What the nights of a month did to the exceptions. See docs/spec/rules.md#roll-forward.
public struct MonthExceptions {
    /// The roll-forward of the month: from the closing balance before it to that of its last night.
    public private(set) var rollForward: [RollForwardLine] = []
    /// The roll-forward of each night.
    public private(set) var nights: [NightMovement] = []
    /// The exceptions open at the end of the month.
    public private(set) var open: [ExceptionRow] = []
    /// The exceptions that were resolved or waived in the month.
    public private(set) var cleared: [ExceptionRow] = []
    /// Who waived exceptions among those, and when.
    public private(set) var waivers: [WaiverLine] = []
    /// The files that the month's nights read, and files of the month that later nights read.
    public private(set) var sources: [FileLine] = []

    /// - Parameter last: the last run that counts.
    /// - Throws: `EngineError.unproven` where the nights' lines do not add up to the last closing balance; whatever the
    ///   history throws.
    public init(_ history: some MonthHistory, _ period: Period, last: RunRecord) throws {
        let runs = try history.runs(through: last.id)
        let within = runs.filter { period.contains($0.businessDate) }
        let before = runs.last { $0.businessDate < period.first }
        var lines: [Key: RollForwardLine] = [:]
        if let before, within.isEmpty || within[0].id != before.id {
            for line in try history.outline(of: before).rollForward {
                lines[Key(line), default: .empty(line)].open(line)
            }
        }
        var lastNight: [RollForwardLine] = []
        for run in within {
            let report = try history.outline(of: run)
            lastNight = report.rollForward
            for line in report.rollForward {
                nights.append(NightMovement(date: run.businessDate, run: run.id, line: line))
                lines[Key(line), default: .empty(line)].add(line)
            }
            sources += report.files
        }
        // Files of the month that later nights read.
        for run in runs where run.businessDate > period.last {
            sources += try history.outline(of: run).files.filter {
                period.contains($0.fileDate)
            }
        }
        for line in lastNight {
            if lines[Key(line)]?.closing != line.closing { throw Self.unproven(line) }
        }
        rollForward = Self.sorted(lines)
        if let end = within.last ?? before {
            open = try history.rows(shownBy: end).filter { $0.state != .resolved && $0.state != .waived }
                .inReportOrder()
        }
        if let first = within.first, let end = within.last {
            cleared = try history.rowsCleared(from: first.id, through: end.id).inReportOrder()
            waivers = try cleared.compactMap { row in
                guard row.state == .waived, let decision = try history.lastDecision(on: row.id) else { return nil }
                return WaiverLine(exception: row.id.text, by: decision.by, at: decision.at)
            }
        }
        sources.sort { ($0.fileDate, $0.name) < ($1.fileDate, $1.name) }
    }

    private struct Key: Hashable {
        var verdict: Verdict
        var currency: Currency
        init(_ line: RollForwardLine) {
            verdict = line.verdict
            currency = line.currency
        }
    }

    private static func sorted(_ lines: [Key: RollForwardLine]) -> [RollForwardLine] {
        lines.values.filter { !$0.isNothing }.sorted { ($0.currency, $0.verdict) < ($1.currency, $1.verdict) }
    }

    private static func unproven(_ line: RollForwardLine) -> EngineError {
        .unproven("the month's roll-forward of \(line.verdict.rawValue) \(line.currency) does not add up")
    }
}

extension RollForwardLine {
    fileprivate static func empty(_ line: RollForwardLine) -> RollForwardLine {
        RollForwardLine(verdict: line.verdict, currency: line.currency)
    }

    fileprivate var isNothing: Bool { self == .empty(self) }

    /// Opens with the closing balance of the last night before the month.
    fileprivate mutating func open(_ line: RollForwardLine) {
        opening = line.closing
        closing = line.closing
    }

    /// Adds a night. Its opening balance is not needed: it is the closing balance of the night before.
    fileprivate mutating func add(_ night: RollForwardLine) {
        new += night.new
        reopened += night.reopened
        changedIn += night.changedIn
        changedOut += night.changedOut
        resolved += night.resolved
        waived += night.waived
        for column in [\RollForwardLine.new, \.reopened, \.changedIn] { closing += night[keyPath: column] }
        for column in [\RollForwardLine.changedOut, \.resolved, \.waived] { closing -= night[keyPath: column] }
    }
}
