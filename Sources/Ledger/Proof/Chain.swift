/// A sum of SHA-256 digests. It does not depend on the order in which they are added, and any changed digest changes
/// it.
struct DigestSum {
    private var sum = Digest256(words: (0, 0, 0, 0))

    /// Adds the digest of a row. Nil differs from an empty text.
    mutating func add(_ fields: [String?]) { add(rowDigest(fields)) }

    mutating func add(_ other: DigestSum) { add(other.sum) }

    private mutating func add(_ digest: Digest256) {
        let (left, right) = (sum.words, digest.words)
        sum = Digest256(words: (left.0 &+ right.0, left.1 &+ right.1, left.2 &+ right.2, left.3 &+ right.3))
    }

    /// The sum as 64 hexadecimal digits.
    var hex: String { sum.hex }
}

extension DigestSum {
    /// The sum over the events that tonight adds to the history of exceptions.
    fileprivate init(_ transitions: [ExceptionTransition], threads: Int) {
        let piece = 1024
        let sums = concurrently(threads: threads, transitions.pieces(of: piece)) { number in
            var sum = DigestSum()
            for transition in transitions.piece(number, of: piece) {
                guard let event = transition.event else { continue }
                let record = transition.record
                sum.add([
                    record.id.text, record.state.rawValue, record.verdict.rawValue, record.cause.rawValue,
                    record.amount.map { String($0.minor) }, record.amount?.currency.text, event.rawValue,
                ])
            }
            return sum
        }
        for sum in sums { add(sum) }
    }
}

/// The digest of a row's fields. Each field is preceded by its length, so that different rows have different texts.
private func rowDigest(_ fields: [String?]) -> Digest256 {
    SHA256.digest(of: fields.map { $0.map { "\($0.utf8.count):\($0)" } ?? "-" }.joined(separator: ","))
}

extension RunRecord {
    /// The run's link: a SHA-256 over the link of the run before, over what this run put on record (files with their
    /// digests and control totals, figures, coverage gaps, the events of exceptions), and over what people decided
    /// since the run before.
    /// - Parameter outline: the run's report as its row keeps it.
    func link(after previous: RunRecord?, outline: String) -> String {
        rowDigest([
            previous?.link ?? "", id.description, businessDate.text, String(asOf.milliseconds),
            String(horizon.milliseconds), policy,
            version, SHA256.digest(of: outline).hex, events, decisions,
        ]).hex
    }

    /// What is wrong with the record of the run's evidence. Nil if nothing is.
    func evidenceProblem(after previous: RunRecord?) -> String? {
        if evidenceLink != evidenceLink(after: previous) {
            return "the record of the evidence of run \(id) was changed"
        }
        if let previous, (previous.evidence == nil) != (evidence == nil) {
            return "run \(previous.id) or run \(id) lacks the record of its evidence"
        }
        return nil
    }

    /// The link over the record of the run's evidence. Nil without one.
    func evidenceLink(after previous: RunRecord?) -> String? {
        evidence.map { rowDigest([previous?.evidenceLink ?? "", link, $0]).hex }
    }
}

/// The chain of runs. Each run stores a link that covers its own record and the link before. Editing any record, or
/// putting an older ledger back, therefore breaks the chain. See docs/spec/interfaces.md#integrity.
///
/// Exception events and people's decisions are rows that grow over time. Each run covers them by two sums of digests:
/// `events` for the events of the night itself, and `decisions` for what people recorded between the run before and
/// this one. `check` computes both again from the rows (`chainProblems`).
extension Ledger {
    /// Fills in the night's link, before the night is put on record.
    public func seal(_ night: inout Night, threads: Int) throws {
        let last = try isEmpty ? nil : lastRun()
        night.run.events = DigestSum(night.transitions, threads: threads).hex
        night.run.decisions = try last.map { try decisions(since: $0.id)[$0.id] ?? DigestSum() }?.hex ?? DigestSum().hex
        night.run.link = night.run.link(after: last, outline: try night.report.outline)
        night.run.evidenceLink = night.run.evidenceLink(after: last)
        night.report.link = night.run.link
    }

    /// What differs from what the runs put on record, one sentence each; empty if the chain holds.
    public func chainProblems() throws -> [String] {
        var events: [RunID: DigestSum] = [:]
        try add(
            "run, exception, state, verdict, cause, amount, currency, note FROM exception_event WHERE by_whom IS NULL AND run",
            since: 0, to: &events)
        let decisions = try decisions(since: 0)
        var problems: [String] = []
        var previous: RunRecord?
        for run in try runs() {
            if let problem = try problem(of: run, after: previous) { problems.append(problem) }
            if (events[run.id] ?? DigestSum()).hex != run.events {
                problems.append("the history of exceptions in run \(run.id) was changed")
            }
            if let problem = run.evidenceProblem(after: previous) { problems.append(problem) }
            let before = previous.map { decisions[$0.id] ?? DigestSum() } ?? DigestSum()
            if before.hex != run.decisions { problems.append("manual decisions before run \(run.id) were changed") }
            previous = run
        }
        return problems
    }

    /// What is wrong with the run's own row. Nil if it is linked to the run before.
    /// - Parameter previous: the run before; nil if absent.
    func problem(of run: RunRecord, after previous: RunRecord?) throws -> String? {
        let outline = try reportText(of: run)
        if run.id != previous?.id.next ?? 1 { return "run \(run.id.previous) is missing" }
        let isLinked = run.link(after: previous, outline: outline) == run.link
        return isLinked ? nil : "the record of run \(run.id) (\(run.businessDate)) was changed"
    }

    /// The sum over what people recorded, by the run after which they did; from run `first` on.
    ///
    /// Every decision is a row of ten fields; an empty text stands for a field that this kind of decision lacks.
    private func decisions(since first: RunID) throws -> [RunID: DigestSum] {
        var sums: [RunID: DigestSum] = [:]
        for rows in [
            """
            run, exception, number, state, verdict, cause, amount, currency, by_whom, at, note
            FROM exception_event WHERE by_whom IS NOT NULL AND run
            """,
            "run, entry_key, '', '', '', '', '', '', by_whom, at, note FROM retry_release WHERE run",
            "run, kind, '', '', '', '', '', '', by_whom, at, note FROM upkeep WHERE run",
            "run, feed, file_date, is_accepted, '', '', '', '', by_whom, at, note FROM gap_decision WHERE run",
            """
            closed_after, period, calendar, run, digest, known, folder, folder_digest, by_whom, sealed_at, ''
            FROM month_seal WHERE closed_after
            """,
        ] { try add(rows, since: first, to: &sums) }
        return sums
    }

    /// Adds the digests of rows to the sums of their runs.
    /// - Parameter rows: SQL: the column with the run, the fields that a digest covers, and which rows, up to the run.
    private func add(_ rows: String, since first: RunID, to sums: inout [RunID: DigestSum]) throws {
        var row = try connection.prepare("SELECT " + rows + " >= ?1", first)
        while try row.step() {
            var texts: [String?] = []
            for column in 1..<row.columns { texts.append(row.optionalText(column)) }
            sums[RunID(row.integer(0)), default: DigestSum()].add(texts)
        }
    }
}
