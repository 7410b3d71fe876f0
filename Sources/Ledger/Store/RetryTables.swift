internal import Base
public import Domain
public import Engine
internal import Foundation
internal import SQLite

extension Ledger {
    /// The table is proven meanwhile.
    public func demandedRetryEntries(threads: Int = 1) throws -> [RetryEntry] {
        var reading = FactsReading<RetryEntry, RetryFacts>(\.facts, threads: threads)
        try readProven(.retryEntries) { (row: borrowing TableReader<RetryEntryColumn>, hash) in
            if row.integer(.isDemanded) == 0 { return }
            try reading.add(RetryEntry(row, facts: .unread, hash), row.text(.facts))
        }
        return try reading.finish()
    }

    public func retryEntries(ofKeys keys: Set<String>) throws -> [RetryEntry] {
        try retryEntries("WHERE entry_key = ?1", of: keys.sorted())
    }

    public func retryEntries(ofExceptions ids: Set<ExceptionID>) throws -> [RetryEntry] {
        try retryEntries("WHERE exception = ?1", of: ids.sorted().map(\.text))
    }

    /// The entries in this state that an exception still demands.
    public func retryEntries(in state: RetryEntry.State) throws -> [RetryEntry] {
        try retryEntries(
            "WHERE is_demanded = 1 AND state = ?1 ORDER BY entry_key", of: [state.rawValue])
    }

    /// All entries, including withdrawn ones.
    func allRetryEntries() throws -> [RetryEntry] {
        try retryEntries("ORDER BY entry_key", of: [nil])
    }

    private func retryEntries(_ conditions: String, of values: [String?]) throws -> [RetryEntry] {
        var entries: [RetryEntry] = []
        var row = try TableReader<RetryEntryColumn>(self, conditions)
        for value in values {
            if let value { row.statement.bind(1, value) }
            while try row.step() { entries.append(try RetryEntry(row)) }
        }
        return entries
    }

    /// Stores entries. An entry that was read from a row replaces that row.
    public func write(_ entries: [RetryEntry], threads: Int = 1) throws {
        var new = try RowInserter(self, RetryEntryColumn.self)
        var changed = try RowUpdater<RetryEntryColumn>(self)
        try pipelined(threads: threads, entries.pieces(of: 1024)) {
            RetryRows(entries.piece($0, of: 1024))
        } use: { rows in
            try new.write(rows.new)
            try changed.write(rows.changed)
        }
    }

    /// Records who released an entry, and why. `run` is the last run.
    public func writeRelease(of key: String, run: RunID, by: String, at: Instant, note: String) throws {
        var row = try TableWriter<RetryReleaseColumn>(self)
        row.set(.entryKey, key)
        row.set(.run, run)
        row.set(.byWhom, by)
        row.set(.at, at.milliseconds)
        row.set(.note, note)
        try row.write()
    }

    /// What the last `count` runs emitted, newest first.
    public func retryTotals(ofLast count: Int) throws -> [RetryTotals] {
        var totals: [RetryTotals] = []
        var statement = try connection.prepare(
            "SELECT json_extract(report, '$.retry') FROM run ORDER BY id DESC LIMIT ?1")
        statement.bind(1, Int64(count))
        while try statement.step() {
            let counts = try JSONDecoder().decode(RetryCounts.self, from: Data(statement.text(0).utf8))
            let goods = counts.emitted &- (counts.queries ?? 0)
            totals.append(RetryTotals(count: goods, worth: MoneySum(counts.emittedAmounts)))
        }
        return totals
    }
}

extension Ledger {
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

    /// Stores acknowledgements.
    public func write(_ answers: [Acknowledgement]) throws {
        var row = try TableWriter<RetryAnswerColumn>(self)
        for answer in answers {
            row.set(.entryKey, answer.key)
            row.set(.at, answer.at.milliseconds)
            row.set(.outcome, answer.outcome.rawValue)
            row.set(.message, answer.message)
            row.set(.delivery, answer.source.delivery)
            row.set(.line, Int64(answer.source.line))
            try row.write()
        }
    }
}

extension Ledger {
    /// Stores the lines of a run's retry lists. A line that stays the same from run to run is stored once, with the
    /// runs in which it was first listed and first no longer listed.
    public func write(_ lists: RetryLists, run: RunID, threads: Int = 1) throws {
        let lines = lists.named
        let texts = concurrentMap(threads: threads, lines.count, atOnce: 1024) { lines[$0].line.recordText }
        var fresh = Set(lines.indices)
        let numbers = Dictionary(uniqueKeysWithValues: lines.indices.map { (lines[$0].name, $0) })
        var ended: [Int64] = []
        var row = try TableReader<RetryLineColumn>(self, "WHERE until_run IS NULL")
        while try row.step() {
            let number = numbers[RetryLists.Name(list: row.text(.list), key: row.text(.entryKey))]
            if let number, texts[number] == row.text(.line) {
                fresh.remove(number)
            } else {
                ended.append(row.integer(.id))
            }
        }
        for piece in 0..<ended.pieces(of: 1024) {
            let ids = ended.piece(piece, of: 1024).map { String($0) }.joined(separator: ",")
            try update(.retryLines, "SET until_run = ?1", where: "id IN (SELECT value FROM json_each(?2))") {
                $0.bind(1, run)
                $0.bind(2, "[" + ids + "]")
            }
        }
        var id = try connection.integer("SELECT max(id) FROM retry_line") ?? 0
        guard id < .max - Int64(fresh.count) else { throw LedgerError.damaged("a retry line has the number \(id)") }
        var inserter = try RowInserter(self, RetryLineColumn.self)
        let numbersAdded = fresh.sorted()
        for piece in 0..<numbersAdded.pieces(of: 1024) {
            let added = numbersAdded.piece(piece, of: 1024)
            var batch = RowBatch<RetryLineColumn>(rows: added.count)
            for number in added {
                id += 1
                let name = lines[number].name
                batch.add(id, name.list, name.key, since: run, texts[number])
            }
            try inserter.write(batch)
        }
    }

    /// The retry lists of `run` as they were written.
    public func retryLists(of run: RunID) throws -> RetryLists {
        var lists = RetryLists()
        var row = try TableReader<RetryLineColumn>(
            self, only: [.list, .line],
            "WHERE since_run <= ?1 AND (until_run IS NULL OR until_run > ?1) ORDER BY entry_key")
        row.statement.bind(1, run)
        while try row.step() {
            let line = try RetryLine(recordText: row.text(.line))
            switch row.text(.list) {
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

    /// Lists in the order of their names; each list in the order of its keys.
    fileprivate var named: [(name: Name, line: RetryLine)] {
        [("dead", dead), ("emitted", emitted), ("held", held)].flatMap { list, lines in
            lines.map { (Name(list: list, key: $0.facts.key), $0) }
        }
    }
}

extension RowBatch<RetryLineColumn> {
    fileprivate mutating func add(
        _ id: Int64, _ list: String, _ key: String, since: RunID, _ line: String
    ) {
        add(.id, id)
        add(.list, list)
        add(.entryKey, key)
        add(.sinceRun, since)
        add(.untilRun, Int64?.none)
        add(.line, line)
    }
}

/// Retry entries as rows of the ledger: new ones, and those that replace the row they were read from.
private struct RetryRows: Sendable {
    var new: RowBatch<RetryEntryColumn>
    var changed: RowBatch<RetryEntryColumn>

    init(_ entries: ArraySlice<RetryEntry>) {
        new = RowBatch(rows: entries.count)
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

extension RowBatch<RetryEntryColumn> {
    fileprivate mutating func add(_ entry: RetryEntry) {
        add(.entryKey, entry.key)
        add(.exception, entry.exception.text)
        add(.state, entry.state.rawValue)
        add(.isDemanded, entry.isDemanded ? 1 : 0)
        add(.attempts, Int64(entry.attempts))
        add(.round, Int64(entry.round))
        add(.due, Int64(entry.due.day))
        add(.lastEmitted, (entry.lastEmitted?.day).map(Int64.init))
        add(.firstEmitted, entry.firstEmitted?.milliseconds)
        add(.isReleased, entry.isReleased ? 1 : 0)
        add(.deadReason, entry.end?.rawValue)
        add(.deadSince, (entry.deadSince?.day).map(Int64.init))
        add(.answer, entry.answer?.rawValue)
        add(.answeredAt, entry.answeredAt?.milliseconds)
        add(.message, entry.message)
        add(.facts, entry.facts.recordText)
    }
}

extension RetryEntry {
    fileprivate init(_ row: borrowing TableReader<RetryEntryColumn>) throws {
        try self.init(row, facts: try RetryFacts(recordText: row.text(.facts)), row.hash)
    }

    fileprivate init(_ row: borrowing TableReader<RetryEntryColumn>, facts: RetryFacts, _ hash: RowHash) throws {
        self.init(facts: facts, exception: try row.requiredExceptionID(.exception), due: try row.requiredDate(.due))
        guard let state = State(rawValue: row.text(.state)) else {
            throw LedgerError.damaged("retry entry \(row.text(.entryKey)) has an unknown state")
        }
        self.state = state
        isDemanded = row.integer(.isDemanded) == 1
        attempts = Int(try row.requiredInt32(.attempts))
        round = Int(try row.requiredInt32(.round))
        lastEmitted = try row.date(.lastEmitted)
        firstEmitted = try row.instant(.firstEmitted)
        isReleased = row.integer(.isReleased) == 1
        end = row.optionalText(.deadReason).flatMap(RetryEnd.init)
        deadSince = try row.date(.deadSince)
        answer = row.optionalText(.answer).flatMap(AckOutcome.init)
        answeredAt = try row.instant(.answeredAt)
        message = row.optionalText(.message)
        rowHash = hash.value
    }
}

extension RetryFacts {
    fileprivate static let unread = RetryFacts(
        fields: RetryFields(action: .none, environment: "", verdict: .matched, cause: .none))
}
