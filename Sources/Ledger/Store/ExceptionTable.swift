internal import Base
public import Domain
public import Engine
internal import SQLite

extension Ledger {
    public func exceptions(ofCases cases: Set<CaseID>, except known: Set<ExceptionID> = []) throws -> [ExceptionRecord]
    {
        var records: [ExceptionRecord] = []
        var row = try TableReader<ExceptionColumn>(self, "WHERE case_file = ?1")
        for number in cases.sorted() {
            row.statement.bind(1, number)
            while try row.step() {
                if !known.contains(try row.requiredExceptionID(.id)) { records.append(try ExceptionRecord(row)) }
            }
        }
        return records
    }

    /// All exceptions that are not resolved, and any that the last closing balance counts.
    /// The table is proven meanwhile.
    public func unresolvedExceptions(threads: Int = 1) throws -> [ExceptionRecord] {
        var reading = FactsReading<ExceptionRecord, ExceptionFacts>(\.facts, threads: threads)
        try readProven(.exception) { (row: borrowing TableReader<ExceptionColumn>, hash) in
            if row.text(.state) == ExceptionState.resolved.rawValue, row.integer(.isBooked) == 0 { return }
            try reading.add(ExceptionRecord(row, facts: .unread, hash), row.text(.facts))
        }
        return try reading.finish()
    }

    public func exception(id: ExceptionID) throws -> ExceptionRecord? {
        var row = try TableReader<ExceptionColumn>(self, "WHERE id = ?1")
        row.statement.bind(1, id.text)
        return try row.step() ? ExceptionRecord(row) : nil
    }

    /// Appends an event to an exception's history. `by` and `at` are given if a person caused it.
    public func writeDecision(on record: ExceptionRecord, run: RunID, by: String, at: Instant, note: String) throws {
        typealias Event = TableWriter<ExceptionEventColumn>
        let steps =
            "(SELECT 1 + count(*) FROM exception_event WHERE exception = " + Event.parameter(.exception) + " AND run = "
            + Event.parameter(.run) + ")"
        var row = try Event(self, computing: [.number: steps])
        row.set(.exception, record.id.text)
        row.set(.run, run)
        row.set(.state, record.state.rawValue)
        row.set(.verdict, record.verdict.rawValue)
        row.set(.cause, record.cause.rawValue)
        row.set(.amount, record.amount?.minor)
        row.set(.currency, record.amount?.currency.text)
        row.set(.byWhom, by)
        row.set(.at, at.milliseconds)
        row.set(.note, note)
        try row.write()
    }

    /// The last note that a person made on each exception before that run, by the exception's id.
    public func personsNotes(before run: RunID) throws -> [ExceptionID: String] {
        var notes: [ExceptionID: String] = [:]
        var row = try TableReader<ExceptionEventColumn>(
            self, only: [.exception, .note], "WHERE by_whom IS NOT NULL AND run < ?1 ORDER BY run, number")
        row.statement.bind(1, run)
        while try row.step() { notes[try row.requiredExceptionID(.exception)] = row.text(.note) }
        return notes
    }

    public func lastDecision(on exception: ExceptionID) throws -> (by: String, at: Instant, note: String)? {
        var row = try TableReader<ExceptionEventColumn>(
            self, only: [.byWhom, .at, .note],
            "WHERE exception = ?1 AND by_whom IS NOT NULL ORDER BY run DESC, number DESC LIMIT 1")
        row.statement.bind(1, exception.text)
        guard try row.step() else { return nil }
        return (row.text(.byWhom), try row.instant(.at) ?? .absent, row.text(.note))
    }

    public func rows(ofDate date: BusinessDate) throws -> [ExceptionRow] {
        var rows: [ExceptionRow] = []
        var stored = try TableReader<ExceptionRowColumn>(
            self, only: [.row],
            """
            AS r WHERE run >= (SELECT min(id) FROM run WHERE business_date = ?1)
            AND run = (SELECT max(run) FROM exception_row WHERE exception = r.exception)
            """)
        stored.statement.bind(1, date.text)
        while try stored.step() { rows.append(try ExceptionRow(recordText: stored.text(.row))) }
        return rows
    }

    /// The number of the first run of that date.
    private func firstRun(of date: BusinessDate) throws -> RunID {
        var statement = try connection.prepare("SELECT ifnull(min(id), 0) FROM run WHERE business_date = ?1")
        statement.bind(1, date.text)
        _ = try statement.step()
        return RunID(statement.integer(0))
    }

    /// The rows that the reports of `run` showed, rebuilt from the versions on record at that time.
    public func rows(shownBy run: RunRecord) throws -> [ExceptionRow] {
        var rows: [ExceptionRow] = []
        let notes = try personsNotes(before: run.id)
        let firstOfDate = try firstRun(of: run.businessDate)
        var stored = try TableReader<ExceptionRowColumn>(
            self, only: [.run, .row],
            "AS r WHERE run = (SELECT max(run) FROM exception_row WHERE exception = r.exception AND run <= ?1)")
        stored.statement.bind(1, run.id)
        while try stored.step() {
            var row = try ExceptionRow(recordText: stored.text(.row))
            let shownBy = RunID(stored.integer(.run))
            let isCleared = row.state == .resolved || row.state == .waived
            if shownBy < firstOfDate {
                if isCleared { continue }
                row.state = .open
                row.lastEvent = nil
            }
            // What an earlier run of the date reported is still the date's news.
            if shownBy < run.id, !isCleared {
                row.lastSeen = run.businessDate
                row.ageDays = age(of: row.facts, horizon: run.horizon)
            }
            row.note = notes[row.id]
            rows.append(row)
        }
        return rows
    }
}

extension ExceptionRecord {
    fileprivate init(_ row: borrowing TableReader<ExceptionColumn>) throws {
        try self.init(row, facts: try ExceptionFacts(recordText: row.text(.facts)), row.hash)
    }

    fileprivate init(_ row: borrowing TableReader<ExceptionColumn>, facts: ExceptionFacts, _ hash: RowHash) throws {
        guard let kind = SubjectKey.Kind(rawValue: UInt8(clamping: row.integer(.kind))),
            let state = ExceptionState(rawValue: row.text(.state)), Verdict(rawValue: row.text(.verdict)) != nil,
            Cause(rawValue: row.text(.cause)) != nil, let firstSeen = BusinessDate(row.text(.firstSeen))
        else { throw LedgerError.damaged("exception \(row.text(.id)) has an unknown state, verdict or date") }
        self.init(
            id: try row.requiredExceptionID(.id), caseID: CaseID(row.integer(.caseFile)),
            subject: SubjectKey(kind, Identifier(row.text(.key))),
            state: state, isInClosingBalance: row.integer(.isBooked) == 1, firstSeen: firstSeen, facts: facts,
            rowHash: hash.value)
    }
}

extension ExceptionFacts {
    fileprivate static let unread = ExceptionFacts(
        verdict: .matched, cause: .none, severity: .low, eventAt: .absent)
}
