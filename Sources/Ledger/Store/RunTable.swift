public import Domain
public import Engine
internal import Foundation
internal import Rules
internal import SQLite

extension Ledger {
    public func lastRun() throws -> RunRecord? {
        try run(where: "id = (SELECT max(id) FROM run)") { _ in }
    }

    /// The last run of a business date. Nil if absent.
    public func run(of date: BusinessDate) throws -> RunRecord? {
        try run(where: "id = (SELECT max(id) FROM run WHERE business_date = ?1)") { $0.bind(1, date.text) }
    }

    /// Nil if the number is unknown.
    public func run(id: RunID) throws -> RunRecord? { try run(where: "id = ?1") { $0.bind(1, id) } }

    /// All runs, oldest first.
    public func runs() throws -> [RunRecord] {
        var runs: [RunRecord] = []
        var row = try TableReader<RunColumn>(self, only: RunColumn.record, "ORDER BY id")
        while try row.step() { runs.append(try RunRecord(row)) }
        return runs
    }

    func run(where condition: String, _ bind: (inout Statement) -> Void) throws -> RunRecord? {
        var row = try TableReader<RunColumn>(self, only: RunColumn.record, "WHERE " + condition)
        bind(&row.statement)
        guard try row.step() else { return nil }
        return try RunRecord(row)
    }

    /// Stores a run with its report.
    public func write(_ run: RunRecord, report: NightReport, threads: Int = 1) throws {
        var row = try TableWriter<RunColumn>(self)
        row.set(.id, run.id)
        row.set(.businessDate, run.businessDate.text)
        row.set(.asOf, run.asOf.milliseconds)
        row.set(.horizon, run.horizon.milliseconds)
        row.set(.policy, run.policy)
        row.set(.version, run.version)
        row.set(.folder, run.folder)
        row.set(.folderDigest, run.folderDigest)
        row.set(.events, run.events)
        row.set(.decisions, run.decisions)
        row.set(.evidence, run.evidence)
        row.set(.evidenceLink, run.evidenceLink)
        row.set(.link, run.link)
        row.set(.report, try report.outline)
        try row.write()
        try write(report.rejects, run: run.id)
        try write(report.refunds, run: run.id)
        try write(report.retryLists ?? RetryLists(), run: run.id, threads: threads)
    }

    /// Records the folder of a run's reports and the digest that proves its contents.
    public func setFolder(_ folder: String, digest: String, of run: RunID) throws {
        var old = try connection.prepare(SummedTable.run.select + "WHERE id = ?1")
        old.bind(1, run)
        try remove(&old, from: .run)
        var new = try connection.prepare(
            "UPDATE run SET folder = ?2, folder_digest = ?3 WHERE id = ?1" + SummedTable.run.returning)
        new.bind(1, run)
        new.bind(2, folder)
        new.bind(3, digest)
        try add(&new, to: .run)
    }

    /// The report folder of each date's last run, oldest date first. Runs without a folder are left out.
    public func folders() throws -> [(date: BusinessDate, folder: String)] {
        var found: [(BusinessDate, String)] = []
        var row = try TableReader<RunColumn>(
            self, only: [.businessDate, .folder],
            """
            AS r WHERE folder IS NOT NULL AND id = (SELECT max(id) FROM run WHERE business_date = r.business_date)
            ORDER BY business_date
            """)
        while try row.step() {
            guard let date = BusinessDate(row.text(.businessDate)) else {
                throw LedgerError.damaged("a run has no date")
            }
            found.append((date, try RunRecord.ownFolder(row.text(.folder))))
        }
        return found
    }

    private func write(_ rejects: [RejectLine], run: RunID) throws {
        var row = try TableWriter<RejectedRowColumn>(self)
        for reject in rejects {
            row.set(.run, run)
            row.set(.source, reject.source)
            row.set(.line, Int64(reject.line))
            row.set(.columnName, reject.column)
            row.set(.reason, reject.reason)
            row.set(.row, blob: reject.row)
            try row.write()
        }
    }

    public func outline(of run: RunRecord) throws -> NightReport {
        try JSONDecoder().decode(NightReport.self, from: Data(reportText(of: run).utf8))
    }

    /// The outline of the run's report, as its row keeps it.
    func reportText(of run: RunRecord) throws -> String {
        var row = try TableReader<RunColumn>(self, only: [.report], "WHERE id = ?1")
        row.statement.bind(1, run.id)
        guard try row.step() else { throw LedgerError.damaged("run \(run.id) has no report") }
        return row.text(.report)
    }

    /// The whole report of `run`, rebuilt from the ledger alone.
    public func report(of run: RunRecord) throws -> NightReport {
        var report = try outline(of: run)
        report.link = run.link
        if report.retryLists != nil { report.retryLists = try retryLists(of: run.id) }
        report.exceptions = try rows(shownBy: run).inReportOrder()
        report.refunds = try refunds(of: run.id)
        var row = try TableReader<RejectedRowColumn>(self, "WHERE run = ?1 ORDER BY rowid")
        row.statement.bind(1, run.id)
        while try row.step() {
            report.rejects.append(
                RejectLine(
                    source: row.text(.source), line: Int(row.integer(.line)), column: row.optionalText(.columnName),
                    reason: row.text(.reason), row: row.blob(.row)))
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
    /// The folder, if it is a folder of reports: links are made to it, and it may be removed, so no other path may
    /// pass.
    static func ownFolder(_ folder: String) throws -> String {
        let name = folder.utf8.dropFirst(8)
        let isOwn =
            folder.hasPrefix(".nights/") && !name.isEmpty
            && name.allSatisfy { 0x30...0x39 ~= $0 || $0 == UInt8(ascii: "-") }
        if isOwn { return folder }
        throw LedgerError.damaged("reports are recorded in \(folder), which is not a folder of reports")
    }

    fileprivate init(_ row: borrowing TableReader<RunColumn>) throws {
        guard let date = BusinessDate(row.text(.businessDate)), let asOf = try row.instant(.asOf),
            let horizon = try row.instant(.horizon)
        else {
            throw LedgerError.damaged("run \(row.integer(.id)) has no date")
        }
        guard 1..<1 << 31 ~= row.integer(.id) else {
            throw LedgerError.damaged("run \(row.integer(.id)) cannot exist")
        }
        self.init(
            id: RunID(row.integer(.id)), businessDate: date, asOf: asOf, horizon: horizon, policy: row.text(.policy),
            version: row.text(.version), folder: try row.optionalText(.folder).map(Self.ownFolder),
            folderDigest: row.optionalText(.folderDigest))
        events = row.text(.events)
        decisions = row.text(.decisions)
        evidence = row.optionalText(.evidence)
        evidenceLink = row.optionalText(.evidenceLink)
        link = row.text(.link)
        // Words of newer rules cannot be read here, and would look like damage.
        if let version = rulesVersion, version > RuleSet.version { throw LedgerError.newerRules(version: version) }
    }
}

extension NightReport {
    /// The part of the report that is stored in the run's own row, which every run and look-up reads. Exceptions,
    /// refunds, rejected rows and retry entries have tables of their own.
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
