public import Domain
public import Exceptions
internal import Parallel

/// Tonight's transitions as rows of the ledger: the exceptions as they are now, the events of their history, and the
/// rows shown in reports as far as they are news.
private struct TransitionRows: Sendable {
    var new: RowBatch<ExceptionColumn>
    var changed: RowBatch<ExceptionColumn>
    var events: RowBatch<ExceptionEventColumn>
    var shown: RowBatch<ExceptionRowColumn>

    init(_ moves: ArraySlice<ExceptionTransition>, run: RunID) {
        new = RowBatch(rows: moves.count)
        changed = new
        events = RowBatch(rows: moves.count)
        shown = RowBatch(rows: moves.count)
        for move in moves {
            if !move.isStored { add(move.entry) }
            if let event = move.event { add(event, of: move.entry, run: run) }
            if move.isNews, let row = move.row {
                shown.add(.exception, move.entry.id.text)
                shown.add(.run, run)
                shown.add(.row, row.factsText)
            }
        }
    }

    init(_ entry: ExceptionRecord) {
        self.init([], run: 0)
        add(entry)
    }

    private mutating func add(_ entry: ExceptionRecord) {
        guard let record = entry.rowHash else { return new.add(entry) }
        changed.replace(record)
        changed.add(entry)
    }

    /// Adds the night's event of an exception. It is always number 1 of its run: a night adds one event, and people's
    /// decisions follow later.
    private mutating func add(_ event: ExceptionEvent, of entry: ExceptionRecord, run: RunID) {
        events.add(.exception, entry.id.text)
        events.add(.run, run)
        events.add(.number, 1)
        events.add(.state, entry.state.rawValue)
        events.add(.verdict, entry.verdict.rawValue)
        events.add(.cause, entry.cause.rawValue)
        events.add(.amount, entry.amount?.minor)
        events.add(.currency, entry.amount?.currency)
        events.add(.byWhom, String?.none)
        events.add(.at, Int64?.none)
        events.add(.note, event.rawValue)
    }
}

extension RowBatch<ExceptionColumn> {
    fileprivate mutating func add(_ entry: ExceptionRecord) {
        add(.id, entry.id.text)
        add(.caseFile, entry.caseID)
        add(.kind, Int64(entry.subject.kind.rawValue))
        add(.key, entry.subject.id.text)
        add(.state, entry.state.rawValue)
        add(.isBooked, entry.isInClosingBalance ? 1 : 0)
        add(.firstSeen, entry.firstSeen.text)
        add(.verdict, entry.verdict.rawValue)
        add(.cause, entry.cause.rawValue)
        add(.amount, entry.amount?.minor)
        add(.currency, entry.amount?.currency)
        add(.facts, entry.facts.factsText)
    }
}

extension Ledger {
    /// Stores tonight's transitions. With several threads, rows are encoded on one core and written on another.
    public func write(_ moves: [ExceptionTransition], run: RunID, threads: Int = 1) throws {
        var new = try RowInserter<ExceptionColumn>(self)
        var changed = try RowUpdater<ExceptionColumn>(self)
        var events = try RowInserter<ExceptionEventColumn>(self)
        var shown = try RowInserter<ExceptionRowColumn>(self)
        try pipelined(threads: threads, moves.pieces(of: 1024)) {
            TransitionRows(moves.piece($0, of: 1024), run: run)
        } use: { rows in
            try new.write(rows.new)
            try changed.write(rows.changed)
            try events.write(rows.events)
            try shown.write(rows.shown)
        }
    }

    /// Stores an exception as it is now. If it was read from a row, it replaces that row.
    public func write(_ entry: ExceptionRecord) throws {
        let rows = TransitionRows(entry)
        var new = try RowInserter<ExceptionColumn>(self)
        var changed = try RowUpdater<ExceptionColumn>(self)
        try new.write(rows.new)
        try changed.write(rows.changed)
    }
}
