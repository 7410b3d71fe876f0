internal import Foundation

extension Ledger {
    public func lastRun() throws -> RunRecord? { try run(where: "id = (SELECT max(id) FROM run)") }

    /// The last run of a business date. Nil if absent.
    public func run(of date: BusinessDate) throws -> RunRecord? {
        try run(where: "id = (SELECT max(id) FROM run WHERE business_date = ?1)", date.text)
    }

    /// Nil if the number is unknown.
    public func run(id: RunID) throws -> RunRecord? { try run(where: "id = ?1", id) }

    /// All runs, oldest first.
    public func runs() throws -> [RunRecord] { try runs("ORDER BY id") }

    /// Whether one of the last 31 nights left out two dates or more.
    public var skipsDates: Bool {
        get throws {
            let dates = try runs("ORDER BY id DESC LIMIT 31").map(\.businessDate)
            return zip(dates, dates.dropFirst()).contains { $1.advanced(by: 2) < $0 }
        }
    }

    func run<each Value: SQLValue>(where condition: String, _ values: repeat each Value) throws -> RunRecord? {
        try runs("WHERE " + condition, repeat each values).first
    }

    func runs<each Value: SQLValue>(_ conditions: String, _ values: repeat each Value) throws -> [RunRecord] {
        let runs = try read(RunRecord.self, conditions, with: repeat each values)
        for run in runs { try run.check() }
        return runs
    }

    public func write(_ run: RunRecord, report: NightReport, threads: Int = 1) throws {
        try insert([RunRow(run: run, report: report.outline)])
        var row = try connection.prepare(SummedTable.run.select + "WHERE id = ?1", run.id)
        try add(&row, to: .run)
        if let loss = report.loss { try insert([OfRun(run: run.id, row: StoredLoss(loss))]) }
        try insert(report.rejects.map { OfRun(run: run.id, row: $0) })
        try insert(report.refunds.map { OfRun(run: run.id, row: $0) })
        try write(report.retryLists ?? RetryLists(), run: run.id, threads: threads)
    }

    /// Records the folder of a run's reports and the digest that proves its contents.
    public func setFolder(_ folder: String, digest: String, of run: RunID) throws {
        try update(.run, "SET folder = ?1, folder_digest = ?2", where: "id = ?3", with: folder, digest, run)
    }

    /// The report folder of each date's last run, oldest date first. Runs without a folder are left out.
    public func folders() throws -> [(date: BusinessDate, folder: String)] {
        try all(
            """
            SELECT business_date, folder FROM run r
            WHERE folder IS NOT NULL AND id = (SELECT max(id) FROM run WHERE business_date = r.business_date)
            ORDER BY business_date
            """
        ) { row in
            guard let date = BusinessDate(row.text(0)) else { throw LedgerError.damaged("a run has no date") }
            return (date, try RunRecord.ownFolder(row.text(1)))
        }
    }

    public func outline(of run: RunRecord) throws -> NightReport {
        try JSONDecoder().value(of: reportText(of: run))
    }

    /// The outline's coverage gaps alone: to read the rest takes longer than most questions to the desk.
    public func coverageGaps(of run: RunRecord) throws -> [CoverageGap] {
        struct Outline: Decodable { var coverageGaps: [CoverageGap] }
        let outline: Outline = try JSONDecoder().value(of: reportText(of: run))
        return outline.coverageGaps
    }

    /// The outline of the run's report, as its row keeps it.
    func reportText(of run: RunRecord) throws -> String {
        var row = try connection.prepare("SELECT report FROM run WHERE id = ?1", run.id)
        guard try row.step() else { throw LedgerError.damaged("run \(run.id) has no report") }
        return row.text(0)
    }

    /// The outline, with what lost orders have in common.
    public func overview(of run: RunRecord) throws -> NightReport {
        var report = try outline(of: run)
        report.loss = try read(StoredLoss.self, "WHERE run = ?1", with: run.id).first?.decoded
        return report
    }

    /// The whole report of `run`, rebuilt from the ledger alone.
    public func report(of run: RunRecord) throws -> NightReport {
        var report = try overview(of: run)
        report.link = run.link
        if report.retryLists != nil { report.retryLists = try retryLists(of: run.id) }
        report.exceptions = try rows(shownBy: run).inReportOrder()
        report.assign(report.assigned)
        report.refunds = try read(RefundLine.self, "WHERE run = ?1 ORDER BY rowid", with: run.id)
        report.rejects = try read(RejectLine.self, "WHERE run = ?1 ORDER BY rowid", with: run.id)
        return report
    }
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

    /// - Throws: `LedgerError`.
    fileprivate func check() throws {
        guard 1..<1 << 31 ~= id.rawValue else { throw LedgerError.damaged("run \(id) cannot exist") }
        _ = try folder.map(Self.ownFolder)
        if let version = newerRules { throw LedgerError.newerRules(version: version) }
    }
}

extension RunRecord: TableRow {
    static let table = SummedTable.run

    mutating func describe<Fields: FieldVisitor & ~Copyable>(_ fields: inout Fields) throws(Fields.Failure) {
        try fields.field("id", &id, as: Code("PRIMARY KEY"))
        try fields.field("business_date", &businessDate, as: TextOf())
        try fields.field("as_of", &asOf, as: Since1970())
        try fields.field("horizon", &horizon, as: Since1970())
        try fields.field("policy", &policy, as: Verbatim())
        try fields.field("version", &version, as: Verbatim())
        try fields.field("folder", &folder, as: Verbatim())
        try fields.field("folder_digest", &folderDigest, as: Verbatim())
        try fields.field("events", &events, as: Verbatim())
        try fields.field("decisions", &decisions, as: Verbatim())
        try fields.field("link", &link, as: Verbatim())
        try fields.field("evidence", &evidence, as: Verbatim())
        try fields.field("evidence_link", &evidenceLink, as: Verbatim())
    }
}

/// A run with its report, which is long.
struct RunRow: TableRow {
    var run: RunRecord
    var report: String

    static let table = SummedTable.run
    static let blank = RunRow(run: .blank, report: "")

    mutating func describe<Fields: FieldVisitor & ~Copyable>(_ fields: inout Fields) throws(Fields.Failure) {
        try run.describe(&fields)
        try fields.field("report", &report, as: Verbatim())
    }
}

extension NightReport {
    /// The part of the report that is stored in the run's own row, which every run and look-up reads. Exceptions, the
    /// loss report, refunds, rejected rows and retry entries have tables of their own.
    var outline: String {
        get throws {
            var kept = self
            kept.exceptions = []
            kept.refunds = []
            kept.rejects = []
            kept.link = nil
            kept.loss = nil
            if kept.retryLists != nil { kept.retryLists = RetryLists() }
            return try JSONEncoder.exact.text(of: kept)
        }
    }
}
