public import Domain
public import Exceptions
internal import Foundation
internal import Parallel
internal import SQLite

extension Ledger {
    /// Entries on tonight's lists or waiting for their night, as of the last run.
    public func demandedRetryEntries() throws -> [RetryEntry] {
        try retryEntries("SELECT * FROM retry_entry WHERE is_demanded = 1", of: [nil])
    }

    public func retryEntries(ofKeys keys: Set<String>) throws -> [RetryEntry] {
        try retryEntries("SELECT * FROM retry_entry WHERE entry_key = ?1", of: keys.sorted())
    }

    /// `known`: keys of entries that need not be read.
    public func retryEntries(ofExceptions ids: Set<String>, except known: Set<String> = []) throws -> [RetryEntry] {
        try retryEntries("SELECT * FROM retry_entry WHERE exception = ?1", of: ids.sorted(), besides: known)
    }

    /// Entries in that state whose exceptions still ask for them.
    public func retryEntries(in state: RetryEntry.State) throws -> [RetryEntry] {
        try retryEntries(
            "SELECT * FROM retry_entry WHERE is_demanded = 1 AND state = ?1 ORDER BY entry_key", of: [state.rawValue])
    }

    /// Withdrawn ones too.
    func allRetryEntries() throws -> [RetryEntry] {
        try retryEntries("SELECT * FROM retry_entry ORDER BY entry_key", of: [nil])
    }

    private func retryEntries(
        _ sql: String, of values: [String?], besides known: Set<String> = []
    ) throws -> [RetryEntry] {
        var entries: [RetryEntry] = []
        var statement = try connection.prepare(sql)
        for value in values {
            if let value { statement.bind(1, value) }
            while try statement.step() {
                if known.isEmpty || !known.contains(statement.text(0)) { entries.append(try RetryEntry(statement)) }
            }
        }
        return entries
    }

    /// Records entries as they stand, each in the place of the row that it was read from.
    public func write(_ entries: [RetryEntry], threads: Int = 1) throws {
        var new = try RowInserter(self, .retryEntries, columns: RetryRows.columns.count)
        var changed = try RowUpdater(self, .retryEntries, columns: RetryRows.columns)
        try pipelined(threads: threads, entries.pieces(of: 1024)) {
            RetryRows(entries.piece($0, of: 1024))
        } use: { rows in
            try new.write(rows.new)
            try changed.write(rows.changed)
        }
    }

    /// Records who let an entry out, and why. `run`: the last one.
    public func writeRelease(of key: String, run: Int64, by: String, at: Instant, note: String) throws {
        var statement = try connection.prepare("INSERT INTO retry_release VALUES (?1,?2,?3,?4,?5) RETURNING *")
        statement.bind(1, key)
        statement.bind(2, run)
        statement.bind(3, by)
        statement.bind(4, at.milliseconds)
        statement.bind(5, note)
        try add(&statement, to: .retryReleases)
    }

    /// What the last `count` runs emitted, newest first.
    public func retryTotals(ofLast count: Int) throws -> [RetryTotals] {
        var totals: [RetryTotals] = []
        var statement = try connection.prepare(
            "SELECT json_extract(report, '$.retry') FROM run ORDER BY id DESC LIMIT ?1")
        statement.bind(1, Int64(count))
        while try statement.step() {
            let counts = try JSONDecoder().decode(RetryCounts.self, from: Data(statement.text(0).utf8))
            let amounts = counts.emittedAmounts.map { ($0.money.currency, $0.minor) }
            let goods = counts.emitted &- (counts.queries ?? 0)
            totals.append(RetryTotals(count: goods, amounts: Dictionary(amounts) { $0 &+ $1 }))
        }
        return totals
    }
}

extension Ledger {
    /// Whether exactly this answer was heard before.
    public func isKnown(_ answer: Acknowledgement) throws -> Bool {
        var statement = try connection.prepare(
            "SELECT 1 FROM retry_answer WHERE entry_key = ?1 AND at = ?2 AND outcome = ?3 AND message IS ?4")
        statement.bind(1, answer.key)
        statement.bind(2, answer.at.milliseconds)
        statement.bind(3, answer.outcome.rawValue)
        statement.bind(4, answer.message)
        let isKnown = try statement.step()
        statement.reset()
        return isKnown
    }

    public func write(_ answers: [Acknowledgement]) throws {
        var statement = try connection.prepare("INSERT INTO retry_answer VALUES (?1,?2,?3,?4,?5,?6) RETURNING *")
        for answer in answers {
            statement.bind(1, answer.key)
            statement.bind(2, answer.at.milliseconds)
            statement.bind(3, answer.outcome.rawValue)
            statement.bind(4, answer.message)
            statement.bind(5, Int64(answer.source.delivery))
            statement.bind(6, Int64(answer.source.line))
            try add(&statement, to: .retryAnswers)
        }
    }
}

extension Ledger {
    /// Keeps the lines of a run's lists: a line that stands as it stood is kept once for all its runs.
    public func write(_ lists: RetryLists, run: Int64, threads: Int = 1) throws {
        let lines = lists.named
        let texts = concurrentMap(threads: threads, lines.count, atOnce: 1024) { lines[$0].line.factsText }
        var fresh = Set(lines.indices)
        let numbers = Dictionary(uniqueKeysWithValues: lines.indices.map { (lines[$0].name, $0) })
        let columns = ["id", "list", "entry_key", "since_run", "until_run", "line"]
        var ended = RowBatch(rows: lines.count, columns: columns.count)
        var row = try connection.prepare("SELECT * FROM retry_line WHERE until_run IS NULL")
        while try row.step() {
            let number = numbers[RetryLists.Name(list: row.text(1), key: row.text(2))]
            if let number, texts[number] == row.text(5) {
                fresh.remove(number)
            } else {
                ended.replace(RowHash(row).value)
                ended.add(row.integer(0), row.text(1), row.text(2), since: row.integer(3), until: run, row.text(5))
            }
        }
        var updater = try RowUpdater(self, .retryLines, columns: columns)
        try updater.write(ended)
        var id = try connection.integer("SELECT max(id) FROM retry_line") ?? 0
        guard id < .max - Int64(fresh.count) else { throw LedgerError.damaged("a retry line has the number \(id)") }
        var inserter = try RowInserter(self, .retryLines, columns: columns.count)
        let numbersAdded = fresh.sorted()
        for piece in 0..<numbersAdded.pieces(of: 1024) {
            let added = numbersAdded.piece(piece, of: 1024)
            var batch = RowBatch(rows: added.count, columns: columns.count)
            for number in added {
                id += 1
                let name = lines[number].name
                batch.add(id, name.list, name.key, since: run, until: nil, texts[number])
            }
            try inserter.write(batch)
        }
    }

    /// The lists of `run` as they were written.
    public func retryLists(of run: Int64) throws -> RetryLists {
        var lists = RetryLists()
        var statement = try connection.prepare(
            """
            SELECT list, line FROM retry_line WHERE since_run <= ?1 AND (until_run IS NULL OR until_run > ?1)
            ORDER BY entry_key
            """)
        statement.bind(1, run)
        while try statement.step() {
            let line = try RetryLine(factsText: statement.text(1))
            switch statement.text(0) {
            case "emitted": lists.emitted.append(line)
            case "held": lists.held.append(line)
            default: lists.dead.append(line)
            }
        }
        return lists
    }
}

extension RetryLists {
    fileprivate struct Name: Hashable {
        var list: String
        var key: String
    }

    /// In the order of the lists' names; each list is in the order of its keys.
    fileprivate var named: [(name: Name, line: RetryLine)] {
        [("dead", dead), ("emitted", emitted), ("held", held)].flatMap { list, lines in
            lines.map { (Name(list: list, key: $0.facts.key), $0) }
        }
    }
}

extension RowBatch {
    fileprivate mutating func add(
        _ id: Int64, _ list: String, _ key: String, since: Int64, until: Int64?, _ line: String
    ) {
        add(id)
        add(list)
        add(key)
        add(since)
        add(until)
        add(line)
    }
}

/// Retry entries as rows of the ledger.
private struct RetryRows: Sendable {
    static let columns = [
        "entry_key", "exception", "state", "is_demanded", "attempts", "round", "due", "last_emitted", "first_emitted",
        "is_released", "dead_reason", "dead_since", "answer", "answered_at", "message", "facts",
    ]

    var new: RowBatch
    var changed: RowBatch

    init(_ entries: ArraySlice<RetryEntry>) {
        new = RowBatch(rows: entries.count, columns: Self.columns.count)
        changed = new
        for entry in entries {
            guard let record = entry.rowHash else {
                new.add(entry)
                continue
            }
            changed.replace(record)
            changed.add(entry)
        }
    }
}

extension RowBatch {
    fileprivate mutating func add(_ entry: RetryEntry) {
        add(entry.key)
        add(entry.exception)
        add(entry.state.rawValue)
        add(entry.isDemanded ? 1 : 0)
        add(Int64(entry.attempts))
        add(Int64(entry.round))
        add(Int64(entry.due.day))
        add((entry.lastEmitted?.day).map(Int64.init))
        add(entry.firstEmitted?.milliseconds)
        add(entry.isReleased ? 1 : 0)
        add(entry.end?.rawValue)
        add((entry.deadSince?.day).map(Int64.init))
        add(entry.answer?.rawValue)
        add(entry.answeredAt?.milliseconds)
        add(entry.message)
        add(entry.facts.factsText)
    }
}

extension RetryEntry {
    fileprivate init(_ row: borrowing Statement) throws {
        let facts = try RetryFacts(factsText: row.text(15))
        self.init(facts: facts, exception: row.text(1), due: try row.requiredDate(6))
        guard let state = State(rawValue: row.text(2)) else {
            throw LedgerError.damaged("retry entry \(row.text(0)) has an unknown state")
        }
        self.state = state
        isDemanded = row.integer(3) == 1
        attempts = Int(try row.requiredInt32(4))
        round = Int(try row.requiredInt32(5))
        lastEmitted = try row.date(7)
        firstEmitted = try row.instant(8)
        isReleased = row.integer(9) == 1
        end = row.optionalText(10).flatMap(RetryEnd.init)
        deadSince = try row.date(11)
        answer = row.optionalText(12).flatMap(AckOutcome.init)
        answeredAt = try row.instant(13)
        message = row.optionalText(14)
        rowHash = RowHash(row).value
    }
}
