extension Ledger {
    public func exceptions(ofCases cases: Set<CaseID>, except known: Set<ExceptionID> = []) throws -> [ExceptionRecord]
    {
        var records: [ExceptionRecord] = []
        let id = TableDefinition(StoredException.self).index(of: "id")
        var reader = try FieldReader(StoredException.self, "WHERE case_file = ?1", of: self)
        for number in cases.sorted() {
            reader.statement.start(number)
            while try reader.step() {
                if !known.contains(try reader.statement.exceptionID(id)) { records.append(try reader.exception()) }
            }
        }
        return records
    }

    /// Resolved ones too that the last closing balance counts. The table is proven meanwhile.
    public func unresolvedExceptions(threads: Int = 1) throws -> [ExceptionRecord] {
        var reading = FactsReading<ExceptionRecord, ExceptionFacts>(\.facts, threads: threads)
        let table = TableDefinition(StoredException.self)
        let (state, isBooked) = (table.index(of: "state"), table.index(of: "is_booked"))
        try readProven(StoredException.self) { reader, hash in
            let isResolved = reader.statement.text(state) == ExceptionState.resolved.rawValue
            if isResolved, reader.statement.integer(isBooked) == 0 { return }
            var stored: StoredException = try reader.row()
            stored.record.rowHash = hash.value
            try reading.add(stored.record, stored.facts)
        }
        return try reading.finish()
    }

    /// Calls `body` with those that are open. Reads from an index, without verifying the rows.
    public func forEachOpenException(_ body: (OpenException) throws -> Void) throws {
        var reader = try FieldReader(OpenException.self, "WHERE state = 'open'", of: self)
        while try reader.step() { try body(reader.row()) }
    }

    /// The exceptions with these ids, in their order; nil where there is none.
    public func exceptions(withIDs ids: some Sequence<ExceptionID>) throws -> [ExceptionRecord?] {
        var reader = try FieldReader(StoredException.self, "WHERE id = ?1", of: self)
        return try ids.map { id in
            reader.statement.start(id.text)
            return try reader.step() ? try reader.exception() : nil
        }
    }

    public func exception(id: ExceptionID) throws -> ExceptionRecord? {
        try exceptions(withIDs: CollectionOfOne(id))[0]
    }

    /// Appends an event to an exception's history. `by` and `at` are given if a person caused it.
    public func writeDecision(on record: ExceptionRecord, run: RunID, by: String, at: Instant, note: String) throws {
        let events = "SELECT count(*) FROM exception_event WHERE exception = ?1 AND run = ?2"
        var event = EventRow(of: record, run: run, note: note)
        event.number = 1 + (try connection.integer(events, record.id.text, run) ?? 0)
        (event.by, event.at) = (by, at)
        try insert([event])
    }

    /// The last note that a person made on each exception before that run, by the exception's id.
    public func personsNotes(before run: RunID) throws -> [ExceptionID: String] {
        let notes = try all(
            "SELECT exception, note FROM exception_event WHERE by_whom IS NOT NULL AND run < ?1 ORDER BY run, number",
            run
        ) { (try $0.exceptionID(0), $0.text(1)) }
        return Dictionary(notes) { $1 }
    }

    /// Whether that person decided something about the exception at that time.
    public func hasDecision(on exception: ExceptionID, by: String, at: Instant) throws -> Bool {
        try connection.integer(
            "SELECT 1 FROM exception_event WHERE exception = ?1 AND by_whom = ?2 AND at = ?3", exception.text, by,
            at.milliseconds) == 1
    }

    public func lastDecision(on exception: ExceptionID) throws -> (by: String, at: Instant, note: String)? {
        let last = try read(
            EventRow.self, "WHERE exception = ?1 AND by_whom IS NOT NULL ORDER BY run DESC, number DESC LIMIT 1",
            with: exception.text
        ).first
        return last.map { ($0.by ?? "", $0.at ?? .absent, $0.note ?? "") }
    }

    public func rows(ofDate date: BusinessDate) throws -> [ExceptionRow] {
        try all(
            """
            SELECT row FROM exception_row r WHERE run >= (SELECT min(id) FROM run WHERE business_date = ?1)
            AND run = (SELECT max(run) FROM exception_row WHERE exception = r.exception)
            """, date.text
        ) { try ExceptionRow(recordText: $0.text(0)) }
    }

    /// Rows that stay the same from run to run are stored once, so they are rebuilt from the last version before.
    public func rows(shownBy run: RunRecord) throws -> [ExceptionRow] {
        var rows: [ExceptionRow] = []
        let notes = try personsNotes(before: run.id)
        let firstRun = "SELECT min(id) FROM run WHERE business_date = ?1"
        let firstOfDate = RunID(try connection.integer(firstRun, run.businessDate.text) ?? 0)
        var stored = try connection.prepare(
            """
            SELECT run, row FROM exception_row r
            WHERE run = (SELECT max(run) FROM exception_row WHERE exception = r.exception AND run <= ?1)
            """, run.id)
        while try stored.step() {
            var row = try ExceptionRow(recordText: stored.text(1))
            let shownBy = RunID(stored.integer(0))
            let isCleared = !row.state.isOpen
            if shownBy < firstOfDate {
                if isCleared { continue }
                row.state = .open
                row.lastEvent = nil
            }
            // What an earlier run of the date reported is still the date's news.
            if shownBy < run.id, !isCleared {
                row.lastSeen = run.businessDate
                row.ageDays = age(of: row.eventAt, horizon: run.horizon)
            }
            row.note = notes[row.id]
            rows.append(row)
        }
        return rows
    }
}

/// An exception as its row keeps it.
struct StoredException: TableRow {
    /// Without facts.
    var record: ExceptionRecord
    /// What the facts say, too: for the desk, and for whoever reads the table.
    var open: OpenException
    /// The facts as JSON, which takes longer to read than the rest of the row.
    var facts: String

    static let table = SummedTable.exception
    static let blank = StoredException(record: .blank, open: .blank, facts: "")

    mutating func describe<Fields: FieldVisitor & ~Copyable>(_ fields: inout Fields) throws(Fields.Failure) {
        var (kind, key) = (record.subject.kind, record.subject.id)
        try fields.field("id", &record.id, as: TextOf(constraint: "UNIQUE"))
        try fields.field("case_file", &record.caseID, as: Code())
        try fields.field("kind", &kind, as: Code())
        try fields.field("key", &key, as: PlainText())
        record.subject = SubjectKey(kind, key)
        try fields.field("state", &record.state, as: Word())
        try fields.field("is_booked", &record.isInClosingBalance, as: Flag())
        try fields.field("first_seen", &record.firstSeen, as: TextOf())
        try open.describeFacts(&fields)
        try fields.field("facts", &facts, as: Verbatim())
    }
}

extension StoredException {
    /// An open exception's row says only that it is open: its events say since when and why. So a night that finds it
    /// open again writes nothing.
    init(_ record: ExceptionRecord) {
        self.init(record: record, open: OpenException(record.id, record.facts), facts: record.facts.recordText)
        if record.isOpen { self.record.state = .open }
    }
}

/// Columns of the same table.
extension OpenException: TableRow {
    static let table = SummedTable.exception
    static let blank = OpenException(.least, .blank)
    private static let verdicts = CaseWords(Verdict.allCases, \.rawValue)
    private static let causes = CaseWords(Cause.allCases, \.rawValue)
    private static let actions = CaseWords(Action.allCases, \.rawValue)

    mutating func describe<Fields: FieldVisitor & ~Copyable>(_ fields: inout Fields) throws(Fields.Failure) {
        try fields.field("id", &id, as: TextOf())
        try describeFacts(&fields)
    }

    fileprivate mutating func describeFacts<Fields: FieldVisitor & ~Copyable>(
        _ fields: inout Fields
    ) throws(Fields.Failure) {
        try fields.field("verdict", &verdict, as: PlainWord(Self.verdicts))
        try fields.field("cause", &cause, as: PlainWord(Self.causes))
        try fields.money(&amount)
        try fields.field("action", &action, as: PlainWord(Self.actions))
        try fields.field("event_at", &eventAt, as: Since1970())
        try fields.field("product", &product, as: PlainText())
        try fields.field("account", &account, as: Verbatim())
        try fields.field("retry_key", &retryKey, as: Verbatim())
        try fields.field("transactions", &transactionLines, as: Verbatim())
        try fields.field("labels", &labels, as: TextOf())
    }
}

extension FieldReader {
    fileprivate mutating func exception() throws -> ExceptionRecord {
        let stored: StoredException = try row()
        var record = stored.record
        record.facts = try ExceptionFacts(recordText: stored.facts)
        record.rowHash = hash.value
        return record
    }
}

/// An event in the history of an exception.
struct EventRow: TableRow {
    var exception: ExceptionID
    var run: RunID
    /// Counted from 1 within the run. The night's own event comes first, if it has one; then people's decisions.
    var number: Int64 = 1
    var state: ExceptionState
    var verdict: Verdict
    var cause: Cause
    var amount: Money?
    /// Who decided, and when; nil for a night's event.
    var by: String?
    var at: Instant?
    /// A person's note, or the code of a night's event.
    var note: String?

    static let table = SummedTable.events
    static let blank = EventRow(of: .blank, run: 0, note: "")

    init(of record: ExceptionRecord, run: RunID, note: String) {
        (exception, self.run, self.note) = (record.id, run, note)
        (state, verdict, cause, amount) = (record.state, record.verdict, record.cause, record.amount)
    }

    mutating func describe<Fields: FieldVisitor & ~Copyable>(_ fields: inout Fields) throws(Fields.Failure) {
        try fields.field("exception", &exception, as: TextOf(constraint: "REFERENCES exception (id)"))
        try fields.field("run", &run, as: Code("REFERENCES run (id)"))
        try fields.field("number", &number, as: Number())
        try fields.field("state", &state, as: Word())
        try fields.field("verdict", &verdict, as: Word())
        try fields.field("cause", &cause, as: Word())
        try fields.money(&amount)
        try fields.field("by_whom", &by, as: Verbatim())
        try fields.field("at", &at, as: Since1970())
        try fields.field("note", &note, as: Verbatim())
    }
}
