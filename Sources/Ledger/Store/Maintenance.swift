public import Domain
public import Engine
public import Parallel
internal import SQLite

/// What was done to the ledger besides nights and decisions, and kept on record.
public enum MaintenanceKind: String, Sendable {
    case restored, pruned
    /// A person has looked at what guarded the run, and let it pass.
    case guardReleased = "guard_released"
}

/// How much prune forgot.
public struct PruneResult: Sendable {
    public var rows = 0
    public var devices = 0
    /// Business dates whose reports showed some of the rows, by their last run.
    public var runs: [RunRecord] = []
}

extension Ledger {
    /// Copies the ledger as it is now into the empty file at `path`, while a run may be going on.
    public func backUp(to path: String, work: WorkCount, pause: () throws -> Void) throws {
        if !isInTransaction { try beginReading() }
        let pageBytes = try connection.integer("PRAGMA page_size") ?? 0
        var last = (done: 0, all: 0)
        try connection.backup(to: path) { done, all in
            work.expect(bytes: Int64(all - last.all) * pageBytes)
            work.add(bytes: Int64(done - last.done) * pageBytes)
            last = (done, all)
            try pause()
        }
    }

    /// Opens a copy that nobody else knows of, to be changed in place.
    public static func copy(path: String) throws -> Ledger {
        let ledger = try Ledger(changing: Connection(path: path, mode: .readWrite), path: path)
        try ledger.connection.execute("PRAGMA synchronous = FULL")
        return ledger
    }

    /// Puts on record what was done after the last run. `by`: nil where nobody was asked for.
    public func writeMaintenance(_ kind: MaintenanceKind, run: Int64, by: String?, at: Instant, note: String) throws {
        var row = try TableWriter<UpkeepColumn>(self)
        row.set(.run, run)
        row.set(.kind, kind.rawValue)
        row.set(.byWhom, by)
        row.set(.at, at.milliseconds)
        row.set(.note, note)
        try row.write()
    }

    private static let oldRows = "length(row) > 0 AND run IN (SELECT id FROM run WHERE business_date < ?1)"
    private static let oldDevices = "device_id IS NOT NULL AND received_at < ?1"

    /// Forgets rejected rows of business dates before `date`, and devices of receipts received before `instant`. No
    /// verdict rests on either; the rejected row's file, line and reason stay.
    public func forget(before date: BusinessDate, _ instant: Instant) throws -> PruneResult {
        var forgotten = try forgettable(before: date, instant)
        forgotten.rows = try update(.rejectedRows, "SET row = NULL", where: Self.oldRows) { $0.bind(1, date.text) }
        forgotten.devices = try update(.receipts, "SET device_id = NULL", where: Self.oldDevices) {
            $0.bind(1, instant.milliseconds)
        }
        return forgotten
    }

    /// What `forget` would.
    public func forgettable(before date: BusinessDate, _ instant: Instant) throws -> PruneResult {
        var forgotten = PruneResult()
        var dates = try connection.prepare(
            """
            SELECT DISTINCT business_date FROM run JOIN rejected_row ON rejected_row.run = run.id
            WHERE business_date < ?1 AND length(row) > 0 ORDER BY 1
            """)
        dates.bind(1, date.text)
        while try dates.step() {
            if let day = BusinessDate(dates.text(0)), let last = try run(of: day) { forgotten.runs.append(last) }
        }
        var rows = try connection.prepare("SELECT count(*) FROM rejected_row WHERE " + Self.oldRows)
        rows.bind(1, date.text)
        if try rows.step() { forgotten.rows = Int(rows.integer(0)) }
        var devices = try connection.prepare("SELECT count(*) FROM client_receipt WHERE " + Self.oldDevices)
        devices.bind(1, instant.milliseconds)
        if try devices.step() { forgotten.devices = Int(devices.integer(0)) }
        return forgotten
    }

    /// Writes the file anew, so that nothing forgotten is left in its unused pages or in the write-ahead log.
    public func compact() throws {
        try connection.execute("VACUUM")
        try checkpoint()
    }

    /// Brings everything into the one file, and waits some seconds for readers that still need the log.
    /// - Returns: whether the file holds everything now, be the log still there or not.
    @discardableResult
    public func checkpoint(waiting milliseconds: Int32 = 0) throws -> Bool {
        connection.setBusyTimeout(milliseconds: milliseconds)
        defer { connection.setBusyTimeout(milliseconds: 0) }
        var row = try connection.prepare("PRAGMA wal_checkpoint(TRUNCATE)")
        guard try row.step() else { return false }
        // Whether it was held up; pages in the log (-1: there is none), and those of them that are in the file, too.
        let isWhole = row.integer(0) == 0 || row.integer(1) == row.integer(2)
        row.reset()
        return isWhole
    }
}
