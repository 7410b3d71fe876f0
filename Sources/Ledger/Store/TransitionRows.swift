internal import Base
public import Domain
public import Engine

/// Tonight's transitions as rows of the ledger: the exceptions as they are now, the events of their history, and the
/// rows shown in reports as far as they are news.
private struct TransitionRows: Sendable {
    var new: RowBatch<ExceptionColumn>
    var changed: RowBatch<ExceptionColumn>
    var events: RowBatch<ExceptionEventColumn>
    var shown: RowBatch<ExceptionRowColumn>

    init(_ transitions: ArraySlice<ExceptionTransition>, run: RunID) {
        new = RowBatch(rows: transitions.count)
        changed = new
        events = RowBatch(rows: transitions.count)
        shown = RowBatch(rows: transitions.count)
        for transition in transitions {
            if !transition.isStored { add(transition.record) }
            if let event = transition.event { add(event, of: transition.record, run: run) }
            if transition.isNews, let row = transition.row {
                shown.add(.exception, transition.record.id.text)
                shown.add(.run, run)
                shown.add(.row, row.recordText)
            }
        }
    }

    init(_ record: ExceptionRecord) {
        self.init([], run: 0)
        add(record)
    }

    private mutating func add(_ record: ExceptionRecord) {
        guard let hash = record.rowHash else { return new.add(record) }
        changed.replace(hash)
        changed.add(record)
    }

    /// Adds the night's event of an exception. It is always number 1 of its run: a night adds one event, and people's
    /// decisions follow later.
    private mutating func add(_ event: ExceptionEvent, of record: ExceptionRecord, run: RunID) {
        events.add(.exception, record.id.text)
        events.add(.run, run)
        events.add(.number, 1)
        events.add(.state, record.state.rawValue)
        events.add(.verdict, record.verdict.rawValue)
        events.add(.cause, record.cause.rawValue)
        events.add(.amount, record.amount?.minor)
        events.add(.currency, record.amount?.currency)
        events.add(.byWhom, String?.none)
        events.add(.at, Int64?.none)
        events.add(.note, event.rawValue)
    }
}

extension RowBatch<ExceptionColumn> {
    /// An open exception's row says only that it is open: its events say since when and why. So a night that finds it
    /// open again writes nothing.
    fileprivate mutating func add(_ record: ExceptionRecord) {
        add(.id, record.id.text)
        add(.caseFile, record.caseID)
        add(.kind, Int64(record.subject.kind.rawValue))
        add(.key, record.subject.id.text)
        add(.state, (record.isOpen ? .open : record.state).rawValue)
        add(.isBooked, record.isInClosingBalance ? 1 : 0)
        add(.firstSeen, record.firstSeen.text)
        add(.verdict, record.verdict.rawValue)
        add(.cause, record.cause.rawValue)
        add(.amount, record.amount?.minor)
        add(.currency, record.amount?.currency)
        add(.facts, record.facts.recordText)
    }
}

extension Ledger {
    /// Stores tonight's transitions. With several threads, rows are encoded on one core and written on another.
    public func write(_ transitions: [ExceptionTransition], run: RunID, threads: Int = 1) throws {
        var new = try RowInserter(self, ExceptionColumn.self)
        var changed = try RowUpdater<ExceptionColumn>(self)
        var events = try RowInserter(self, ExceptionEventColumn.self)
        var shown = try RowInserter(self, ExceptionRowColumn.self)
        try pipelined(threads: threads, transitions.pieces(of: 1024)) {
            TransitionRows(transitions.piece($0, of: 1024), run: run)
        } use: { rows in
            try new.write(rows.new)
            try changed.write(rows.changed)
            try events.write(rows.events)
            try shown.write(rows.shown)
        }
    }

    /// Stores an exception as it is now. If it was read from a row, it replaces that row.
    public func write(_ record: ExceptionRecord) throws {
        let rows = TransitionRows(record)
        var new = try RowInserter(self, ExceptionColumn.self)
        var changed = try RowUpdater<ExceptionColumn>(self)
        try new.write(rows.new)
        try changed.write(rows.changed)
    }
}
