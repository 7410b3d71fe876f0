/// Tonight's transitions as rows of the ledger: the exceptions as they are now, the events of their history, and the
/// rows shown in reports as far as they are news.
private struct TransitionRows: Sendable {
    var exceptions: FieldWriter
    var events: FieldWriter
    var shown: FieldWriter

    init(_ transitions: ArraySlice<ExceptionTransition>, run: RunID) {
        exceptions = FieldWriter(StoredException.self, rows: transitions.count)
        events = FieldWriter(EventRow.self, rows: transitions.count)
        shown = FieldWriter(ShownRow.self, rows: transitions.count)
        for transition in transitions {
            let record = transition.record
            if !transition.isStored { exceptions.add(StoredException(record), replacing: record.rowHash) }
            if let event = transition.event {
                events.add(EventRow(of: record, run: run, note: event.rawValue))
            }
            if transition.isNews, let row = transition.row {
                shown.add(ShownRow(exception: record.id, run: run, row: row.recordText))
            }
        }
    }
}

/// The row of an exception in a night's reports.
struct ShownRow: TableRow {
    var exception: ExceptionID
    var run: RunID
    /// `ExceptionRow` as JSON.
    var row: String

    static let table = SummedTable.exceptionRows
    static let blank = ShownRow(exception: .least, run: 0, row: "")

    mutating func describe<Fields: FieldVisitor & ~Copyable>(_ fields: inout Fields) throws(Fields.Failure) {
        try fields.field("exception", &exception, as: TextOf(constraint: "REFERENCES exception (id)"))
        try fields.field("run", &run, as: Code("REFERENCES run (id)"))
        try fields.field("row", &row, as: Verbatim())
    }
}

extension Ledger {
    /// Stores tonight's transitions. With several threads, rows are encoded on one core and written on another.
    public func write(_ transitions: [ExceptionTransition], run: RunID, threads: Int = 1) throws {
        var exceptions = try RowChanger(self, StoredException.self)
        var events = try RowInserter(self, TableDefinition(EventRow.self))
        var shown = try RowInserter(self, TableDefinition(ShownRow.self))
        try pipelined(threads: threads, transitions.pieces(of: 1024)) {
            TransitionRows(transitions.piece($0, of: 1024), run: run)
        } use: { rows in
            try exceptions.write(rows.exceptions)
            try events.write(rows.events.new)
            try shown.write(rows.shown.new)
        }
    }

    /// Stores an exception as it is now. If it was read from a row, it replaces that row.
    public func write(_ record: ExceptionRecord) throws {
        var rows = FieldWriter(StoredException.self, rows: 1)
        rows.add(StoredException(record), replacing: record.rowHash)
        var writer = try RowChanger(self, StoredException.self)
        try writer.write(rows)
    }
}
