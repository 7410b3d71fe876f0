public import Domain
public import Engine
public import Exceptions
internal import SQLite

extension Ledger {
    /// The exceptions of these cases, resolved ones too; but for the `known`, by their ids.
    public func exceptions(ofCases cases: Set<Int64>, except known: Set<String> = []) throws -> [ExceptionRecord] {
        var entries: [ExceptionRecord] = []
        var statement = try connection.prepare("SELECT * FROM exception WHERE case_file = ?1")
        for number in cases.sorted() {
            statement.bind(1, number)
            while try statement.step() {
                if !known.contains(statement.text(0)) { entries.append(try ExceptionRecord(statement)) }
            }
        }
        return entries
    }

    /// All exceptions of the last closing balance, and those waived or freed since.
    public func unresolvedExceptions() throws -> [ExceptionRecord] {
        var entries: [ExceptionRecord] = []
        var statement = try connection.prepare("SELECT * FROM exception WHERE state <> 'resolved' OR is_booked = 1")
        while try statement.step() { entries.append(try ExceptionRecord(statement)) }
        return entries
    }

    public func exception(id: String) throws -> ExceptionRecord? {
        var statement = try connection.prepare("SELECT * FROM exception WHERE id = ?1")
        statement.bind(1, id)
        return try statement.step() ? ExceptionRecord(statement) : nil
    }

    /// Appends to an exception's history. `by` and `at` are set where a person did it.
    public func writeEvent(of entry: ExceptionRecord, run: Int64, by: String? = nil, at: Instant? = nil, note: String)
        throws
    {
        var statement = try connection.prepare(
            """
            INSERT INTO exception_event
            SELECT ?1, ?2, 1 + count(*), ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10 FROM exception_event WHERE exception = ?1 AND run = ?2
            RETURNING *
            """)
        statement.bind(1, entry.id)
        statement.bind(2, run)
        statement.bind(3, entry.state.rawValue)
        statement.bind(4, entry.verdict.rawValue)
        statement.bind(5, entry.cause.rawValue)
        statement.bind(6, entry.amount?.minor)
        statement.bind(7, entry.amount?.currency.text)
        statement.bind(8, by)
        statement.bind(9, at?.milliseconds)
        statement.bind(10, note)
        try add(&statement, to: .events)
    }

    /// What a person said last of each exception before that run, by its id.
    public func personsNotes(before run: Int64) throws -> [String: String] {
        var notes: [String: String] = [:]
        var statement = try connection.prepare(
            "SELECT exception, note FROM exception_event WHERE by_whom IS NOT NULL AND run < ?1 ORDER BY run, number")
        statement.bind(1, run)
        while try statement.step() { notes[statement.text(0)] = statement.text(1) }
        return notes
    }

    /// The last that a person put on an exception's record: who, when, why.
    public func lastDecision(on exception: String) throws -> (by: String, at: Instant, note: String)? {
        var statement = try connection.prepare(
            """
            SELECT by_whom, at, note FROM exception_event WHERE exception = ?1 AND by_whom IS NOT NULL
            ORDER BY run DESC, number DESC LIMIT 1
            """)
        statement.bind(1, exception)
        guard try statement.step() else { return nil }
        defer { statement.reset() }
        return (statement.text(0), try statement.instant(1) ?? .absent, statement.text(2))
    }

    /// The rows that the reports of `run` showed: rebuilt from the versions kept up to then.
    public func rows(shownBy run: RunRecord) throws -> [ExceptionRow] {
        var rows: [ExceptionRow] = []
        let notes = try personsNotes(before: run.id)
        var statement = try connection.prepare(
            """
            SELECT run, row FROM exception_row AS r
            WHERE run = (SELECT max(run) FROM exception_row WHERE exception = r.exception AND run <= ?1)
            """)
        statement.bind(1, run.id)
        while try statement.step() {
            var row = try ExceptionRow(factsText: statement.text(1))
            if statement.integer(0) < run.id {
                if row.state == .resolved || row.state == .waived { continue }
                row.state = .open
                row.lastStep = nil
                row.lastSeen = run.businessDate.text
                row.ageDays = age(of: row, horizon: run.horizon)
            }
            row.note = notes[row.id]
            rows.append(row)
        }
        return rows
    }
}

extension ExceptionRecord {
    init(_ row: borrowing Statement) throws {
        guard let kind = SubjectKey.Kind(rawValue: UInt8(clamping: row.integer(2))),
            let state = ExceptionState(rawValue: row.text(4)), let verdict = Verdict(rawValue: row.text(7)),
            let cause = Cause(rawValue: row.text(8))
        else { throw LedgerError.damaged("exception \(row.text(0)) has an unknown state or verdict") }
        self.init(
            id: row.text(0), caseID: row.integer(1), subject: SubjectKey(kind, Identifier(row.text(3))), state: state,
            isInClosingBalance: row.integer(5) == 1, firstSeen: row.text(6), verdict: verdict, cause: cause,
            amount: row.currency(10).map { Money(minor: row.integer(9), currency: $0) },
            facts: try ExceptionRow(factsText: row.text(11)), rowHash: RowHash(row).value)
    }
}
