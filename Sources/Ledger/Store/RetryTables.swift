internal import Foundation

extension Ledger {
    /// The entries that an exception demands. All rows of the table are proven on the way.
    public func demandedRetryEntries(threads: Int = 1) throws -> [RetryEntry] {
        var reading = FactsReading<RetryEntry, RetryFacts>(\.facts, threads: threads)
        let isDemanded = TableDefinition(StoredRetryEntry.self).index(of: "is_demanded")
        try readProven(StoredRetryEntry.self) { reader, hash in
            if reader.statement.integer(isDemanded) == 0 { return }
            var stored: StoredRetryEntry = try reader.row()
            stored.entry.rowHash = hash.value
            try reading.add(stored.entry, stored.facts)
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
        try retryEntries("WHERE is_demanded = 1 AND state = ?1 ORDER BY entry_key", of: [state.rawValue])
    }

    /// The exceptions of these entries.
    public func exceptions(withRetryIn state: RetryEntry.State) throws -> Set<ExceptionID> {
        Set(
            try all("SELECT exception FROM retry_entry WHERE is_demanded = 1 AND state = ?1", state.rawValue) {
                try $0.exceptionID(0)
            })
    }

    /// The exceptions of entries that the consumer says it has done, and of those that it was asked for twice or more
    /// without any answer.
    public func exceptionsAsked() throws -> (done: Set<ExceptionID>, silent: Set<ExceptionID>) {
        let rows = try all(
            """
            SELECT exception,
                EXISTS (SELECT 1 FROM retry_answer a
                    WHERE a.entry_key = e.entry_key AND a.outcome IN ('applied', 'already_applied')),
                -- Where nobody ever answered, no entry is searched for.
                attempts >= ?1 AND CASE WHEN EXISTS (SELECT 1 FROM retry_answer) THEN NOT EXISTS (
                    SELECT 1 FROM retry_entry o JOIN retry_answer a USING (entry_key)
                    WHERE o.exception = e.exception) ELSE 1 END
            FROM retry_entry e WHERE is_demanded = 1 AND state = 'waiting'
            """, RetryEntry.silentFrom
        ) { try (id: $0.exceptionID(0), isDone: $0.integer(1) != 0, isSilent: $0.integer(2) != 0) }
        return (Set(rows.filter(\.isDone).map(\.id)), Set(rows.filter(\.isSilent).map(\.id)))
    }

    public func lostOrdersAsked(since instant: Instant) throws -> [ExceptionRecord] {
        let ids = try all(
            """
            SELECT DISTINCT exception FROM retry_entry
            WHERE first_emitted >= ?1 AND entry_key NOT IN (SELECT entry_key FROM retry_release)
            """, instant.milliseconds
        ) { try $0.exceptionID(0) }
        return try exceptions(withIDs: ids).compactMap(\.self).filter { $0.verdict == .paidNotCredited }
    }

    /// All entries, including withdrawn ones.
    func allRetryEntries() throws -> [RetryEntry] {
        try retryEntries("WHERE entry_key >= ?1 ORDER BY entry_key", of: [""])
    }

    private func retryEntries(_ conditions: String, of values: [String]) throws -> [RetryEntry] {
        var entries: [RetryEntry] = []
        var reader = try FieldReader(StoredRetryEntry.self, conditions, of: self)
        for value in values {
            reader.statement.start(value)
            while try reader.step() {
                let stored: StoredRetryEntry = try reader.row()
                entries.append(stored.entry)
                entries[entries.count - 1].facts = try RetryFacts(recordText: stored.facts)
                entries[entries.count - 1].rowHash = reader.hash.value
            }
        }
        return entries
    }

    /// Stores entries. An entry that was read from a row replaces that row.
    public func write(_ entries: [RetryEntry], threads: Int = 1) throws {
        var writer = try RowChanger(self, StoredRetryEntry.self)
        try pipelined(threads: threads, entries.pieces(of: 1024)) { piece in
            let entries = entries.piece(piece, of: 1024)
            var rows = FieldWriter(StoredRetryEntry.self, rows: entries.count)
            for entry in entries {
                rows.add(StoredRetryEntry(entry: entry, facts: entry.facts.recordText), replacing: entry.rowHash)
            }
            return rows
        } use: { rows in
            try writer.write(rows)
        }
    }

    /// Records who released an entry, and why. `run` is the last run.
    public func writeRelease(of key: String, run: RunID, by: String, at: Instant, note: String) throws {
        var row = try TableWriter(self, .retryReleases)
        try row.write(key, run, by, at.milliseconds, note)
    }

    /// What the last `count` runs emitted, newest first.
    public func retryTotals(ofLast count: Int) throws -> [RetryTotals] {
        try all("SELECT json_extract(report, '$.retry') FROM run ORDER BY id DESC LIMIT ?1", count) {
            RetryTotals(try JSONDecoder().value(of: $0.text(0)))
        }
    }
}

extension Ledger {
    public func isKnown(_ answer: Acknowledgement) throws -> Bool {
        try connection.integer(
            "SELECT 1 FROM retry_answer WHERE entry_key = ?1 AND at = ?2 AND outcome = ?3 AND message IS ?4",
            answer.key, answer.at.milliseconds, answer.outcome.rawValue, answer.message) != nil
    }

    public func write(_ answers: [Acknowledgement]) throws {
        var row = try TableWriter(self, .retryAnswers)
        for answer in answers {
            try row.write(
                answer.key, answer.at.milliseconds, answer.outcome.rawValue, answer.message, answer.source.delivery,
                Int64(answer.source.line))
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
        var row = try connection.prepare("SELECT id, list, entry_key, line FROM retry_line WHERE until_run IS NULL")
        while try row.step() {
            let number = numbers[[row.text(1), row.text(2)]]
            if let number, texts[number] == row.text(3) {
                fresh.remove(number)
            } else {
                ended.append(row.integer(0))
            }
        }
        for piece in 0..<ended.pieces(of: 1024) {
            let ids = ended.piece(piece, of: 1024).map { String($0) }.joined(separator: ",")
            try update(
                .retryLines, "SET until_run = ?1", where: "id IN (SELECT value FROM json_each(?2))",
                with: run, "[" + ids + "]")
        }
        var id = try connection.integer("SELECT max(id) FROM retry_line") ?? 0
        guard id < .max - Int64(fresh.count) else { throw LedgerError.damaged("a retry line has the number \(id)") }
        try insert(
            fresh.sorted().map { number in
                id += 1
                let name = lines[number].name
                return RetryLineRow(id: id, list: name[0], key: name[1], since: run, line: texts[number])
            })
    }

    /// The retry lists of `run` as they were written.
    public func retryLists(of run: RunID) throws -> RetryLists {
        var lists = RetryLists()
        let rows = try read(
            RetryLineRow.self, "WHERE since_run <= ?1 AND (until_run IS NULL OR until_run > ?1) ORDER BY entry_key",
            with: run)
        for row in rows {
            let line = try RetryLine(recordText: row.line)
            switch row.list {
            case "emitted": lists.emitted.append(line)
            case "held": lists.held.append(line)
            case "dead": lists.dead.append(line)
            default: throw LedgerError.damaged("run \(run) has a retry list \(quoted(row.list))")
            }
        }
        return lists
    }
}

extension RetryLists {
    /// Each line with the names of its list and its entry. Lists in the order of their names; each list in the order of its
    /// keys.
    fileprivate var named: [(name: [String], line: RetryLine)] {
        [("dead", dead), ("emitted", emitted), ("held", held)].flatMap { list, lines in
            lines.map { ([list, $0.facts.key], $0) }
        }
    }
}

/// A line of the retry lists, from run `since` on, and before run `until`.
struct RetryLineRow: TableRow {
    var id: Int64
    var list: String
    var key: String
    var since: RunID
    var until: RunID?
    /// `RetryLine` as JSON.
    var line: String

    static let table = SummedTable.retryLines
    static let blank = RetryLineRow(id: 0, list: "", key: "", since: 0, line: "")

    mutating func describe<Fields: FieldVisitor & ~Copyable>(_ fields: inout Fields) throws(Fields.Failure) {
        try fields.field("id", &id, as: Number())
        try fields.field("list", &list, as: Verbatim())
        try fields.field("entry_key", &key, as: Verbatim())
        try fields.field("since_run", &since, as: Code("REFERENCES run (id)"))
        try fields.field("until_run", &until, as: Code("REFERENCES run (id)"))
        try fields.field("line", &line, as: Verbatim())
    }
}

/// A retry entry as its row keeps it.
struct StoredRetryEntry: TableRow {
    /// Without facts where it was read.
    var entry: RetryEntry
    /// The facts as JSON, which takes longer to read than the rest of the row.
    var facts: String

    static let table = SummedTable.retryEntries
    static let blank = StoredRetryEntry(
        entry: RetryEntry(facts: .blank, exception: .least, due: .absent), facts: "")

    mutating func describe<Fields: FieldVisitor & ~Copyable>(_ fields: inout Fields) throws(Fields.Failure) {
        var key = entry.key
        try fields.field("entry_key", &key, as: Verbatim())
        try fields.field("exception", &entry.exception, as: TextOf(constraint: "REFERENCES exception (id)"))
        try fields.field("state", &entry.state, as: Word())
        try fields.field("is_demanded", &entry.isDemanded, as: Flag())
        try fields.field("attempts", &entry.attempts, as: Number(Int64(Int32.min)...Int64(Int32.max)))
        try fields.field("round", &entry.round, as: Number(Int64(Int32.min)...Int64(Int32.max)))
        try fields.field("due", &entry.due, as: Days())
        try fields.field("last_emitted", &entry.lastEmitted, as: Days())
        try fields.field("first_emitted", &entry.firstEmitted, as: Since1970())
        try fields.field("is_released", &entry.isReleased, as: Flag())
        try fields.field("dead_reason", &entry.end, as: Word())
        try fields.field("dead_since", &entry.deadSince, as: Days())
        try fields.field("answer", &entry.answer, as: Word())
        try fields.field("answered_at", &entry.answeredAt, as: Since1970())
        try fields.field("message", &entry.message, as: Verbatim())
        try fields.field("facts", &facts, as: Verbatim())
    }
}
