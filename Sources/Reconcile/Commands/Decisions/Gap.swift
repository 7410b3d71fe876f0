internal import Ledger

/// `reconcile gap accept` and `reconcile gap reopen`: a person decides that a day without a file lacks nothing, or that rejected
/// rows stand for nothing; or withdraws that.
enum Gap {
    static func run(_ invocation: Invocation, _ context: CommandContext) throws -> ExitCode {
        let request = try Request(invocation)
        let decision = try Decision(invocation, context)
        let configuration = try context.configuration(for: invocation)
        let message = try decision.record { ledger, _ in
            try decide(request, decision, of: configuration, in: ledger)
        }
        context.announce(display("\(request.feed) \(message)") + ".\n")
        return .done
    }

    /// Accepts `FEED DATE`, as the desk's page decided. False if it is no gap.
    static func accept(
        _ key: String, _ decision: Decision, of configuration: Configuration, in ledger: Ledger
    ) throws -> Bool {
        let words = key.split(separator: " ")
        guard let date = words.last.flatMap({ BusinessDate(String($0)) }) else { return false }
        let request = Request(accepts: true, feed: words.dropLast().joined(separator: " "), date: date)
        // The file may have come since.
        do { _ = try decide(request, decision, of: configuration, in: ledger) } catch is Failure { return false }
        return true
    }

    /// What became of the request, as a part of a sentence.
    /// - Throws: `Failure` if the day is not a gap, or is not accepted.
    private static func decide(
        _ request: Request, _ decision: Decision, of configuration: Configuration, in ledger: Ledger
    ) throws -> String {
        guard let last = try ledger.lastRun() else { throw LedgerError.damaged("it has no run") }
        let known = KnownGaps(
            try ledger.outline(of: last), try ledger.gapDecisions(before: last.id.next),
            unseen: Basis(configuration.nightSettings, try ledger.head(asOf: last), of: last).creditsUnseen)
        let rejected = try ledger.rejectedRows(named: request.feed, of: request.date)
        guard let date = rejected?.date ?? request.date else {
            let file = request.feed.split(separator: ":").dropLast().joined(separator: ":")
            let lines = try ledger.rejectedRows(named: file, of: nil)?.rows.map(\.line) ?? []
            throw Failure(
                .usage, "no rejected row is known as \(quoted(request.feed))",
                remedy: (lines.isEmpty
                    ? "Name a file or FILE:LINE as a message gives it, or a feed and the date of the gap as YYYY-MM-DD."
                    : "Rejected rows of \(file) are on these lines: \(list(lines)).") + " Nothing was changed.")
        }
        let feed = try rejected == nil ? known.feed(named: request.feed) : request.feed
        let earlier = known.accepted.first { $0.feed == feed && $0.date == date }
        if request.accepts, let earlier { return "\(date) was already accepted by \(earlier.by): \(earlier.note)" }
        if request.accepts ? rejected == nil && !known.isGap(feed, date) : earlier == nil {
            throw known.failure(request, feed, date)
        }
        if request.accepts, rejected == nil, !configuration.feeds.contains(where: { $0.name == feed }) {
            throw Failure(
                .noInput, "no feed of the configuration reads \(feed), so its gaps cannot be accepted",
                remedy: "Put the feed back; if another one replaces it, give that one \"name\": \(quoted(feed)). "
                    + "Nothing was changed.")
        }
        try ledger.write(
            GapDecision(
                feed: feed, date: date, isAccepted: request.accepts, by: decision.by,
                at: decision.at.milliseconds, note: decision.note), run: last.id)
        if let lines = rejected?.rows.map(\.line) {
            let rows =
                "\(date): \(counted(lines.count, "rejected row", "rejected rows")) (\(lines.count == 1 ? "line" : "lines") \(list(lines)))"
            return request.accepts
                ? "\(rows) no longer \(lines.count == 1 ? "withholds" : "withhold") goods: the desk's answers change at once, the retry manifest with the next night. The reports keep naming \(decision.by) and the reason"
                : "\(rows) \(lines.count == 1 ? "withholds" : "withhold") goods again"
        }
        return "\(date) "
            + (request.accepts
                ? "counts as delivered without rows from the next night on. The reports keep naming \(decision.by) and the reason"
                : "is a coverage gap again from the next night on")
    }

    private static func list(_ lines: [Int]) -> String {
        lines.prefix(20).map(String.init).joined(separator: ", ") + (lines.count > 20 ? ", …" : "")
    }

    fileprivate struct Request {
        var accepts: Bool
        var feed: String
        /// Nil where a file is named.
        var date: BusinessDate?

        init(accepts: Bool, feed: String, date: BusinessDate) {
            (self.accepts, self.feed, self.date) = (accepts, feed, date)
        }

        init(_ invocation: Invocation) throws(Failure) {
            switch invocation.operands[0] {
            case "accept": accepts = true
            case "reopen": accepts = false
            case let other: throw invocation.usage("gap takes accept or reopen, not \(quoted(other))")
            }
            feed = invocation.operands[1]
            if invocation.operands.count == 2 { return }
            guard let date = BusinessDate(invocation.operands[2]) else {
                throw invocation.usage("gap takes a date as YYYY-MM-DD, not \(quoted(invocation.operands[2]))")
            }
            self.date = date
        }
    }
}

/// The gaps of the last night and what people decided about gaps.
private struct KnownGaps {
    let report: NightReport
    let accepted: [GapDecision]
    /// The days without a file of a credits feed, where none is required. They withhold machine credits.
    let unseen: [FeedDay]

    init(_ report: NightReport, _ decisions: [GapDecision], unseen: [FeedDay]) {
        self.report = report
        self.unseen = unseen
        accepted = decisions.accepted
    }

    /// The name of the feed that `text` names: by its name, or by its kind where only one feed is of that kind.
    func feed(named text: String) throws(Failure) -> String {
        let names = Set(report.feeds.map(\.name) + report.coverageGaps.map(\.reason.feed) + accepted.map(\.feed))
        if names.contains(text) { return text }
        let ofKind = report.feeds.filter { $0.kind.rawValue == text }.map(\.name)
        if ofKind.count == 1 { return ofKind[0] }
        let choices = (ofKind.isEmpty ? names.ordered() : ofKind).map { quoted($0) }.joined(separator: ", ")
        throw Failure(
            .noInput, ofKind.isEmpty ? "unknown feed \(quoted(text))" : "several feeds are of the kind \(text)",
            remedy: "Name one of: \(choices). Nothing was changed.")
    }

    func isGap(_ feed: String, _ date: BusinessDate) -> Bool {
        report.coverageGaps.contains { $0.reason.feed == feed && $0.date == date }
            || unseen.contains { $0.feed == feed && $0.date == date }
    }

    func failure(_ request: Gap.Request, _ feed: String, _ date: BusinessDate) -> Failure {
        if !request.accepts {
            return Failure(
                .noInput, "\(feed) \(date) is not accepted",
                remedy: "Nothing was changed.")
        }
        let gaps = report.coverageGaps.map { "\($0.reason.feed) \($0.date)" } + unseen.map { "\($0.feed) \($0.date)" }
        let list = gaps.prefix(5).joined(separator: "; ") + (gaps.count > 5 ? "; and \(gaps.count - 5) more" : "")
        return Failure(
            .noInput, "\(feed) has no coverage gap on \(date)",
            remedy: (gaps.isEmpty ? "The last night has none." : "The last night's are: \(list).")
                + " Nothing was changed.")
    }
}
