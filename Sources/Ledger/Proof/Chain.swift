internal import Digest
internal import Domain
public import Engine
internal import Exceptions
internal import Parallel
internal import SQLite

/// A sum of SHA-256 digests. It does not depend on the order in which they are added, and any changed digest changes
/// it.
struct DigestSum {
    private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    init() {}

    private init(_ digest: Digest256) { words = digest.words }

    /// Adds the digest of a row. Nil differs from an empty text.
    mutating func add(_ fields: [String?]) {
        add(DigestSum(rowDigest(fields)))
    }

    mutating func add(_ other: DigestSum) {
        words.0 &+= other.words.0
        words.1 &+= other.words.1
        words.2 &+= other.words.2
        words.3 &+= other.words.3
    }

    /// The sum as 64 hexadecimal digits.
    var hex: String { Digest256(words: words).hex }
}

extension DigestSum {
    /// The sum over the events that tonight adds to the history of exceptions.
    fileprivate init(_ moves: [ExceptionTransition], threads: Int) {
        let piece = 1024
        let sums = concurrently(threads: threads, moves.pieces(of: piece)) { number in
            var sum = DigestSum()
            for move in moves.piece(number, of: piece) {
                guard let event = move.event else { continue }
                let entry = move.entry
                sum.add([
                    entry.id.text, entry.state.rawValue, entry.verdict.rawValue, entry.cause.rawValue,
                    entry.amount.map { String($0.minor) }, entry.amount?.currency.text, event.rawValue,
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
        night.report.link = night.run.link
    }

    /// What differs from what the runs put on record, one sentence each; empty if the chain holds.
    public func chainProblems() throws -> [String] {
        let (events, decisions) = (try eventsByRun(), try decisions(since: 0))
        var problems: [String] = []
        var previous: RunRecord?
        for run in try runs() {
            if let problem = try problem(of: run, after: previous) { problems.append(problem) }
            if (events[run.id] ?? DigestSum()).hex != run.events {
                problems.append("the history of exceptions in run \(run.id) was changed")
            }
            let before = previous.map { decisions[$0.id] ?? DigestSum() } ?? DigestSum()
            if before.hex != run.decisions { problems.append("manual decisions before run \(run.id) were changed") }
            previous = run
        }
        return problems
    }

    /// What is wrong with the run's own row. Nil if it is linked to the run before.
    /// - Parameter previous: the run before; nil if there is none.
    func problem(of run: RunRecord, after previous: RunRecord?) throws -> String? {
        var statement = try connection.prepare("SELECT report FROM run WHERE id = ?1")
        statement.bind(1, run.id)
        guard try statement.step() else { throw LedgerError.damaged("run \(run.id) has no report") }
        if run.id != previous?.id.next ?? 1 { return "run \(run.id.previous) is missing" }
        let isLinked = run.link(after: previous, outline: statement.text(0)) == run.link
        return isLinked ? nil : "the record of run \(run.id) (\(run.businessDate)) was changed"
    }

    /// The sum over the events that the nights recorded, by run.
    private func eventsByRun() throws -> [RunID: DigestSum] {
        var sums: [RunID: DigestSum] = [:]
        var row = try connection.prepare(
            """
            SELECT run, exception, state, verdict, cause, amount, currency, note FROM exception_event
            WHERE by_whom IS NULL
            """)
        while try row.step() {
            sums[RunID(row.integer(0)), default: DigestSum()].add((1..<8).map { row.optionalText($0) })
        }
        return sums
    }

    /// The sum over what people recorded, by the run after which they did; from run `first` on.
    private func decisions(since first: RunID) throws -> [RunID: DigestSum] {
        var sums: [RunID: DigestSum] = [:]
        for sql in [
            """
            SELECT run, exception, number, state, verdict, cause, amount, currency, by_whom, at, note
            FROM exception_event WHERE by_whom IS NOT NULL AND run >= ?1
            """,
            "SELECT run, entry_key, '', '', '', '', '', '', by_whom, at, note FROM retry_release WHERE run >= ?1",
            "SELECT run, kind, '', '', '', '', '', '', by_whom, at, note FROM upkeep WHERE run >= ?1",
            """
            SELECT run, feed, file_date, is_accepted, '', '', '', '', by_whom, at, note
            FROM gap_decision WHERE run >= ?1
            """,
            """
            SELECT closed_after, period, calendar, run, digest, known, '', '', '', sealed_at, ''
            FROM month_seal WHERE closed_after >= ?1
            """,
        ] {
            var row = try connection.prepare(sql)
            row.bind(1, first)
            while try row.step() {
                sums[RunID(row.integer(0)), default: DigestSum()].add((1..<11).map { row.optionalText($0) })
            }
        }
        return sums
    }
}
