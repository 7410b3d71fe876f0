public import Domain
internal import Foundation
internal import SQLite

extension Ledger {
    /// Entries on tonight's lists or waiting for their night, as of the last run.
    public func demandedRetryEntries() throws -> [RetryEntry] {
        try retryEntries("SELECT * FROM retry_entry WHERE is_demanded = 1", of: [nil])
    }

    public func retryEntries(ofKeys keys: Set<String>) throws -> [RetryEntry] {
        try retryEntries("SELECT * FROM retry_entry WHERE entry_key = ?1", of: keys.sorted())
    }

    public func retryEntries(ofExceptions ids: Set<String>) throws -> [RetryEntry] {
        try retryEntries("SELECT * FROM retry_entry WHERE exception = ?1", of: ids.sorted())
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

    private func retryEntries(_ sql: String, of values: [String?]) throws -> [RetryEntry] {
        var entries: [RetryEntry] = []
        var statement = try connection.prepare(sql)
        for value in values {
            if let value { statement.bind(1, value) }
            while try statement.step() { entries.append(try RetryEntry(statement)) }
        }
        return entries
    }

    public func write(_ entries: [RetryEntry]) throws {
        var statement = try connection.prepare(
            """
            INSERT OR REPLACE INTO retry_entry VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16)
            RETURNING *
            """)
        var old = try connection.prepare("SELECT * FROM retry_entry WHERE entry_key = ?1")
        for entry in entries {
            old.bind(1, entry.key)
            try remove(&old, from: .retryEntries)
            statement.bind(entry, facts: entry.facts.factsText)
            try add(&statement, to: .retryEntries)
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
            totals.append(RetryTotals(count: counts.emitted, amounts: Dictionary(uniqueKeysWithValues: amounts)))
        }
        return totals
    }
}

extension Ledger {
    /// Whether exactly this answer was heard before.
    public func knows(_ answer: Acknowledgement) throws -> Bool {
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
    public func write(_ lists: RetryLists, run: Int64) throws {
        var lines: [[String]: String] = [:]
        for (list, line) in lists.named { lines[[list, line.facts.key]] = line.factsText }
        var ended: [Int64] = []
        var standing = try connection.prepare(
            "SELECT id, list, entry_key, line FROM retry_line WHERE until_run IS NULL")
        while try standing.step() {
            let key = [standing.text(1), standing.text(2)]
            if lines[key] == standing.text(3) { lines[key] = nil } else { ended.append(standing.integer(0)) }
        }
        var old = try connection.prepare("SELECT * FROM retry_line WHERE id = ?1")
        var end = try connection.prepare("UPDATE retry_line SET until_run = ?2 WHERE id = ?1 RETURNING *")
        for id in ended {
            old.bind(1, id)
            try remove(&old, from: .retryLines)
            end.bind(1, id)
            end.bind(2, run)
            try add(&end, to: .retryLines)
        }
        var row = try connection.prepare("INSERT INTO retry_line VALUES (NULL,?1,?2,?3,NULL,?4) RETURNING *")
        for (key, line) in lines.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            row.bind(1, key[0])
            row.bind(2, key[1])
            row.bind(3, run)
            row.bind(4, line)
            try add(&row, to: .retryLines)
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
    fileprivate var named: [(list: String, line: RetryLine)] {
        emitted.map { ("emitted", $0) } + held.map { ("held", $0) } + dead.map { ("dead", $0) }
    }
}

extension Statement {
    fileprivate mutating func bind(_ entry: RetryEntry, facts: String) {
        bind(1, entry.key)
        bind(2, entry.exception)
        bind(3, entry.state.rawValue)
        bind(4, entry.isDemanded ? 1 : 0)
        bind(5, Int64(entry.attempts))
        bind(6, Int64(entry.round))
        bind(7, Int64(entry.due.day))
        bind(8, (entry.lastEmitted?.day).map(Int64.init))
        bind(9, entry.firstEmitted?.milliseconds)
        bind(10, entry.isReleased ? 1 : 0)
        bind(11, entry.end?.rawValue)
        bind(12, (entry.deadSince?.day).map(Int64.init))
        bind(13, entry.answer?.rawValue)
        bind(14, entry.answeredAt?.milliseconds)
        bind(15, entry.message)
        bind(16, facts)
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
        attempts = Int(row.integer(4))
        round = Int(row.integer(5))
        lastEmitted = try row.date(7)
        firstEmitted = try row.instant(8)
        isReleased = row.integer(9) == 1
        end = row.optionalText(10).flatMap(RetryEnd.init)
        deadSince = try row.date(11)
        answer = row.optionalText(12).flatMap(AckOutcome.init)
        answeredAt = try row.instant(13)
        message = row.optionalText(14)
    }
}
