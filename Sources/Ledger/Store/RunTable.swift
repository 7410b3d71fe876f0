public import Domain
public import Engine
internal import Foundation
internal import SQLite

extension Ledger {
    public func lastRun() throws -> RunRecord? {
        try run(where: "id = (SELECT max(id) FROM run)") { _ in }
    }

    /// The last run of that business date.
    public func run(of date: BusinessDate) throws -> RunRecord? {
        try run(where: "id = (SELECT max(id) FROM run WHERE business_date = ?1)") { $0.bind(1, date.text) }
    }

    public func run(id: Int64) throws -> RunRecord? { try run(where: "id = ?1") { $0.bind(1, id) } }

    /// All runs, oldest first.
    public func runs() throws -> [RunRecord] {
        var runs: [RunRecord] = []
        var statement = try connection.prepare(Self.columns + " ORDER BY id")
        while try statement.step() { runs.append(try RunRecord(statement)) }
        return runs
    }

    private static let columns = """
        SELECT id, business_date, as_of, horizon, policy, version, folder, folder_digest, events, decisions, link FROM run
        """

    func run(where condition: String, _ bind: (inout Statement) -> Void) throws -> RunRecord? {
        var statement = try connection.prepare(Self.columns + " WHERE " + condition)
        bind(&statement)
        guard try statement.step() else { return nil }
        return try RunRecord(statement)
    }

    public func write(_ run: RunRecord, report: NightReport, threads: Int = 1) throws {
        var statement = try connection.prepare(
            """
            INSERT INTO run VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12) RETURNING id, folder, folder_digest
            """)
        statement.bind(1, run.id)
        statement.bind(2, run.businessDate.text)
        statement.bind(3, run.asOf.milliseconds)
        statement.bind(4, run.horizon.milliseconds)
        statement.bind(5, run.policy)
        statement.bind(6, run.version)
        statement.bind(7, run.folder)
        statement.bind(8, run.folderDigest)
        statement.bind(9, run.events)
        statement.bind(10, run.decisions)
        statement.bind(11, run.link)
        statement.bind(12, try report.outline)
        try add(&statement, to: .run)
        try write(report.rejects, run: run.id)
        try write(report.refunds, run: run.id)
        try write(report.retryLists ?? RetryLists(), run: run.id, threads: threads)
    }

    /// Records where the reports of a run stand and what proves them whole.
    public func setFolder(_ folder: String, digest: String, of run: Int64) throws {
        var old = try connection.prepare("SELECT id, folder, folder_digest FROM run WHERE id = ?1")
        old.bind(1, run)
        try remove(&old, from: .run)
        var new = try connection.prepare(
            "UPDATE run SET folder = ?2, folder_digest = ?3 WHERE id = ?1 RETURNING id, folder, folder_digest")
        new.bind(1, run)
        new.bind(2, folder)
        new.bind(3, digest)
        try add(&new, to: .run)
    }

    /// Where the reports of each date's last run stand, oldest date first.
    public func folders() throws -> [(date: BusinessDate, folder: String)] {
        var found: [(BusinessDate, String)] = []
        var statement = try connection.prepare(
            """
            SELECT business_date, folder FROM run AS r
            WHERE folder IS NOT NULL AND id = (SELECT max(id) FROM run WHERE business_date = r.business_date)
            ORDER BY business_date
            """)
        while try statement.step() {
            guard let date = BusinessDate(statement.text(0)) else { throw LedgerError.damaged("a run has no date") }
            found.append((date, try RunRecord.ownFolder(statement.text(1))))
        }
        return found
    }

    private func write(_ rejects: [RejectLine], run: Int64) throws {
        var row = try connection.prepare("INSERT INTO rejected_row VALUES (?1,?2,?3,?4,?5,?6) RETURNING *")
        for reject in rejects {
            row.bind(1, run)
            row.bind(2, reject.source)
            row.bind(3, Int64(reject.line))
            row.bind(4, reject.column)
            row.bind(5, reject.reason)
            row.bind(6, blob: reject.row)
            try add(&row, to: .rejectedRows)
        }
    }

    /// What `run` reported, without its exceptions, refunds and rejected rows.
    public func outline(of run: RunRecord) throws -> NightReport {
        var statement = try connection.prepare("SELECT report FROM run WHERE id = ?1")
        statement.bind(1, run.id)
        guard try statement.step() else { throw LedgerError.damaged("run \(run.id) has no report") }
        return try JSONDecoder().decode(NightReport.self, from: Data(statement.text(0).utf8))
    }

    /// What `run` reported, from the ledger alone.
    public func report(of run: RunRecord) throws -> NightReport {
        var report = try outline(of: run)
        report.link = run.link
        if report.retryLists != nil { report.retryLists = try retryLists(of: run.id) }
        report.exceptions = try rows(shownBy: run).inReportOrder()
        report.refunds = try refunds(of: run.id)
        var row = try connection.prepare(
            "SELECT source, line, column_name, reason, row FROM rejected_row WHERE run = ?1 ORDER BY rowid")
        row.bind(1, run.id)
        while try row.step() {
            report.rejects.append(
                RejectLine(
                    source: row.text(0), line: Int(row.integer(1)), column: row.optionalText(2), reason: row.text(3),
                    row: row.blob(4)))
        }
        return report
    }
}

extension JSONEncoder {
    static var exact: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }

    func text(of value: some Encodable) throws -> String { String(decoding: try encode(value), as: UTF8.self) }
}

extension RunRecord {
    /// Nothing is ever linked, or removed, that lies elsewhere.
    fileprivate static func ownFolder(_ folder: String) throws -> String {
        let name = folder.utf8.dropFirst(8)
        let isOwn =
            folder.hasPrefix(".nights/") && !name.isEmpty
            && name.allSatisfy { 0x30...0x39 ~= $0 || $0 == UInt8(ascii: "-") }
        if isOwn { return folder }
        throw LedgerError.damaged("a run's reports are recorded in \(folder), which is not a folder of reports")
    }

    fileprivate init(_ row: borrowing Statement) throws {
        guard let date = BusinessDate(row.text(1)), let asOf = try row.instant(2), let horizon = try row.instant(3)
        else {
            throw LedgerError.damaged("run \(row.integer(0)) has no date")
        }
        guard 1..<1 << 31 ~= row.integer(0) else { throw LedgerError.damaged("run \(row.integer(0)) cannot exist") }
        self.init(
            id: row.integer(0), businessDate: date, asOf: asOf, horizon: horizon, policy: row.text(4),
            version: row.text(5), folder: try row.optionalText(6).map(Self.ownFolder),
            folderDigest: row.optionalText(7))
        events = row.text(8)
        decisions = row.text(9)
        link = row.text(10)
    }
}

extension NightReport {
    /// What the ledger keeps in the run's own row, which every run and look-up reads; exceptions, refunds, rejected rows
    /// and retry entries have tables of their own.
    var outline: String {
        get throws {
            var kept = self
            kept.exceptions = []
            kept.refunds = []
            kept.rejects = []
            kept.link = nil
            if kept.retryLists != nil { kept.retryLists = RetryLists() }
            return try JSONEncoder.exact.text(of: kept)
        }
    }
}
