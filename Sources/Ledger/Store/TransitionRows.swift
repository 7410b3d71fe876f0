internal import Domain
public import Exceptions
internal import Parallel

/// Tonight's moves as rows of the ledger: the exceptions as they stand, what happened to them, and the rows shown where
/// they are news.
private struct TransitionRows: Sendable {
    static let columns = [
        "id", "case_file", "kind", "key", "state", "is_booked", "first_seen", "verdict", "cause", "amount", "currency",
        "facts",
    ]
    static let eventColumns = 11
    static let shownColumns = 3

    var new: RowBatch
    var changed: RowBatch
    var events: RowBatch
    var shown: RowBatch

    init(_ moves: ArraySlice<ExceptionTransition>, run: Int64) {
        new = RowBatch(rows: moves.count, columns: Self.columns.count)
        changed = new
        events = RowBatch(rows: moves.count, columns: Self.eventColumns)
        shown = RowBatch(rows: moves.count, columns: Self.shownColumns)
        for move in moves {
            if !move.isStored { add(move.entry) }
            if let event = move.event { add(event, of: move.entry, run: run) }
            if move.isNews, let row = move.row {
                shown.add(move.entry.id)
                shown.add(run)
                shown.add(row.factsText)
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

    /// A night tells of an exception once, before any person does.
    private mutating func add(_ event: String, of entry: ExceptionRecord, run: Int64) {
        events.add(entry.id)
        events.add(run)
        events.add(1)
        events.add(entry.state.rawValue)
        events.add(entry.verdict.rawValue)
        events.add(entry.cause.rawValue)
        events.add(entry.amount?.minor)
        events.add(entry.amount?.currency)
        events.add(String?.none)
        events.add(Int64?.none)
        events.add(event)
    }
}

extension RowBatch {
    fileprivate mutating func add(_ entry: ExceptionRecord) {
        add(entry.id)
        add(entry.caseID)
        add(Int64(entry.subject.kind.rawValue))
        add(entry.subject.id.text)
        add(entry.state.rawValue)
        add(entry.isInClosingBalance ? 1 : 0)
        add(entry.firstSeen)
        add(entry.verdict.rawValue)
        add(entry.cause.rawValue)
        add(entry.amount?.minor)
        add(entry.amount?.currency)
        add(entry.facts.factsText)
    }
}

extension Ledger {
    /// Records tonight's moves, spelled on another core than they are written on where there are several.
    public func write(_ moves: [ExceptionTransition], run: Int64, threads: Int = 1) throws {
        var new = try RowInserter(self, .exception, columns: TransitionRows.columns.count)
        var changed = try RowUpdater(self, .exception, columns: TransitionRows.columns)
        var events = try RowInserter(self, .events, columns: TransitionRows.eventColumns)
        var shown = try RowInserter(self, .exceptionRows, columns: TransitionRows.shownColumns)
        try pipelined(threads: threads, moves.pieces(of: 1024)) {
            TransitionRows(moves.piece($0, of: 1024), run: run)
        } use: { rows in
            try new.write(rows.new)
            try changed.write(rows.changed)
            try events.write(rows.events)
            try shown.write(rows.shown)
        }
    }

    /// Records an exception as it stands now, in the place of the row that it was read from.
    public func write(_ entry: ExceptionRecord) throws {
        let rows = TransitionRows(entry)
        var new = try RowInserter(self, .exception, columns: TransitionRows.columns.count)
        var changed = try RowUpdater(self, .exception, columns: TransitionRows.columns)
        try new.write(rows.new)
        try changed.write(rows.changed)
    }
}
