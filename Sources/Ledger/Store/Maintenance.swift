internal import Foundation

/// Changes to the ledger, other than nights and decisions, that are recorded.
public enum MaintenanceKind: String, Sendable {
    case restored, pruned, upgraded
    /// A person released the guard's findings of the run.
    case guardReleased = "guard_released"
    /// A second person approved a closed month.
    case monthApproved = "month_approved"
    /// The desk recorded that it gave a purchase's goods, or withdrew that. The note is the transaction.
    case given, ungiven
}

/// What `prune` deleted, or would delete.
public struct PruneResult: Sendable {
    /// How many rejected rows lost their text.
    public var rows = 0
    /// How many receipts lost their device.
    public var devices = 0
    /// How many pieces of evidence lost their labels.
    public var labels = 0
    /// The last run of each business date whose reports show some of the rows or labels.
    public var runs: [RunRecord] = []
}

extension Ledger {
    /// Copies the ledger as it is now into the empty file at `path`. A run may go on meanwhile.
    /// - Parameter pause: is called between steps. If it throws, the copying ends.
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

    /// Records what was done after run `run`. `by` is nil if no person was named.
    public func writeMaintenance(_ kind: MaintenanceKind, run: RunID, by: String?, at: Instant, note: String) throws {
        var row = try TableWriter(self, .upkeep)
        try row.write(run, kind.rawValue, by, at.milliseconds, note)
    }

    /// Who restored this ledger over a newer one since its last run, and when. Nil if it was not restored.
    public func restoration(since run: RunID) throws -> (by: String, at: Instant)? {
        var statement = try connection.prepare(
            "SELECT by_whom, at FROM upkeep WHERE kind = ?1 AND run >= ?2", MaintenanceKind.restored.rawValue, run)
        return try statement.step() ? (statement.text(0), Instant(milliseconds: statement.integer(1))) : nil
    }

    public func lastRestored() throws -> Instant? {
        try connection.integer("SELECT max(at) FROM upkeep WHERE kind = ?1", MaintenanceKind.restored.rawValue)
            .map { Instant(milliseconds: $0) }
    }

    /// Whether the ledger was restored to a state from before that run, or after the run's "now". Its reports may still be
    /// there.
    public func wasRestored(before run: RunID, orAfter asOf: Instant?) throws -> Bool {
        try connection.integer(
            "SELECT EXISTS (SELECT 1 FROM upkeep WHERE kind = ?1 AND (run < ?2 OR at > ?3))",
            MaintenanceKind.restored.rawValue, run, asOf?.milliseconds) == 1
    }

    /// The hand-outs that nights have read and that were not withdrawn.
    public func handOuts() throws -> [HandOut] {
        if try isEmpty { return [] }
        var standing: [Identifier: HandOut] = [:]
        var row = try connection.prepare(
            "SELECT kind = ?1, note, by_whom, at FROM upkeep WHERE kind IN (?1, ?2) ORDER BY rowid",
            MaintenanceKind.given.rawValue, MaintenanceKind.ungiven.rawValue)
        while try row.step() {
            let id = Identifier(row.text(1))
            let handOut = HandOut(transaction: id, by: row.text(2), at: Instant(milliseconds: row.integer(3)))
            standing[id] = row.integer(0) == 1 ? handOut : nil
        }
        return standing.values.sorted { ($0.at, $0.transaction) < ($1.at, $1.transaction) }
    }

    /// Keeps what the run read of the desk's record, so that it stands whatever becomes of the desk's files.
    /// - Parameter standing: the hand-outs that stand now. Those on record that are not among them were withdrawn.
    func writeHandOuts(_ standing: [HandOut], run: RunID) throws {
        let known = try handOuts().sorted { $0.transaction < $1.transaction }
        let given = Set(standing.map(\.transaction))
        try addHandOuts(standing, run: run)
        for handOut in known where !given.contains(handOut.transaction) {
            try writeMaintenance(.ungiven, run: run, by: handOut.by, at: handOut.at, note: handOut.transaction.text)
        }
    }

    /// Adds hand-outs to those on record.
    public func addHandOuts(_ handOuts: [HandOut], run: RunID) throws {
        let known = Dictionary(uniqueKeysWithValues: try self.handOuts().map { ($0.transaction, $0) })
        for handOut in handOuts where known[handOut.transaction]?.at != handOut.at {
            try writeMaintenance(.given, run: run, by: handOut.by, at: handOut.at, note: handOut.transaction.text)
        }
    }

    private static let oldRows = "length(row) > 0 AND run IN (SELECT id FROM run WHERE business_date < ?1)"
    private static let oldDevices =
        "device_id IS NOT NULL AND id IN (SELECT id FROM client_receipt WHERE device_id IS NOT NULL AND received_at < ?1)"

    private static let oldRuns = "(SELECT id FROM run WHERE business_date < ?1)"
    private static let oldLabels =
        "labels IS NOT NULL AND delivery IN (SELECT id FROM delivery WHERE run IN " + oldRuns + ")"
    /// Exceptions that have said the same since a run before the date.
    private static let oldFacts =
        "labels IS NOT NULL AND id NOT IN (SELECT exception FROM exception_row WHERE run NOT IN " + oldRuns + ")"
    /// Loss reports with labels. The last ones before `?1` count purchases of the week before it.
    private static let oldLosses =
        "report LIKE '%\"isLabel\":true%' AND run IN (SELECT id FROM run WHERE business_date < date(?1, '+"
        + String(NightReport.week - 1) + " days'))"
    private static let oldShown = "json_type(row, '$.facts.labels') IS NOT NULL AND run IN " + oldRuns

    /// Deletes the text of rejected rows of business dates before `date`, the devices of receipts received before
    /// `instant`, and the labels of rows that runs of business dates before `date` read or showed. No verdict depends on
    /// them. File, line and reason of a rejected row stay.
    public func forget(before date: BusinessDate, _ instant: Instant) throws -> PruneResult {
        var forgotten = try forgettable(before: date, instant)
        forgotten.rows = try update(.rejectedRows, "SET row = NULL", where: Self.oldRows, with: date.text)
        forgotten.devices = try update(
            .receipts, "SET device_id = NULL", where: Self.oldDevices, with: instant.milliseconds)
        try forgetLabels(before: date)
        return forgotten
    }

    private func forgetLabels(before date: BusinessDate) throws {
        for table in SummedTable.evidence {
            try update(table, "SET labels = NULL", where: Self.oldLabels, with: date.text)
        }
        try update(
            .exception, "SET labels = NULL, facts = json_remove(facts, '$.labels')", where: Self.oldFacts,
            with: date.text)
        try update(
            .exceptionRows, "SET row = json_remove(row, '$.facts.labels')", where: Self.oldShown, with: date.text)
        let losses = try all("SELECT run, report FROM loss_report WHERE " + Self.oldLosses, date.text) {
            (run: RunID($0.integer(0)), report: $0.text(1))
        }
        for (run, report) in losses {
            let loss: LossReport = try JSONDecoder().value(of: report)
            let text = try JSONEncoder.exact.text(of: loss.withoutLabels)
            try update(.lossReports, "SET report = ?1", where: "run = ?2", with: text, run)
        }
        let kept = SummedTable.evidence.map { "SELECT labels FROM " + $0.rawValue + " WHERE labels < 0" }
        try delete(
            from: .spellings,
            "WHERE id <= ?1 AND id NOT IN (" + kept.joined(separator: " UNION ") + ")",
            Spellings.labelNumbers.upperBound)
    }

    /// What `forget` would delete.
    public func forgettable(before date: BusinessDate, _ instant: Instant) throws -> PruneResult {
        var forgotten = PruneResult()
        var dates = try connection.prepare(
            """
            SELECT business_date FROM run JOIN rejected_row ON rejected_row.run = run.id
            WHERE business_date < ?1 AND length(row) > 0
            UNION SELECT n.business_date FROM exception_row r JOIN run n ON n.id >= r.run AND n.id < ifnull(
                (SELECT min(run) FROM exception_row WHERE exception = r.exception AND run > r.run), n.id + 1)
            WHERE json_type(r.row, '$.facts.labels') IS NOT NULL AND r.run IN (SELECT id FROM run WHERE business_date < ?1)
                AND (n.id = r.run OR r.row ->> '$.state' NOT IN ('resolved', 'waived'))
            UNION SELECT business_date FROM run WHERE id IN (SELECT run FROM loss_report WHERE
            """ + " " + Self.oldLosses + ") ORDER BY 1", date.text)
        while try dates.step() {
            if let day = BusinessDate(dates.text(0)), let last = try run(of: day) { forgotten.runs.append(last) }
        }
        let rows = "SELECT count(*) FROM rejected_row WHERE " + Self.oldRows
        forgotten.rows = Int(try connection.integer(rows, date.text) ?? 0)
        let devices = "SELECT count(*) FROM packed_receipt WHERE " + Self.oldDevices
        forgotten.devices = Int(try connection.integer(devices, instant.milliseconds) ?? 0)
        for table in SummedTable.evidence {
            let labels = "SELECT count(*) FROM " + table.rawValue + " WHERE " + Self.oldLabels
            forgotten.labels += Int(try connection.integer(labels, date.text) ?? 0)
        }
        return forgotten
    }

    /// Rewrites the file, so that nothing deleted is left in unused pages or in the write-ahead log.
    public func compact() throws {
        try connection.execute("VACUUM")
        try checkpoint()
    }

    /// Moves everything from the write-ahead log into the file.
    /// - Parameter milliseconds: how long to wait for readers that still need the log.
    /// - Returns: whether the file contains everything now, even if the log still exists.
    @discardableResult
    public func checkpoint(waiting milliseconds: Int32 = 0) throws -> Bool {
        connection.setBusyTimeout(milliseconds: milliseconds)
        defer { connection.setBusyTimeout(milliseconds: 0) }
        var row = try connection.prepare("PRAGMA wal_checkpoint(TRUNCATE)")
        guard try row.step() else { return false }
        // Columns: whether it was blocked; pages in the log (-1 if there is none); how many of them are in the file.
        return row.integer(0) == 0 || row.integer(1) == row.integer(2)
    }
}
