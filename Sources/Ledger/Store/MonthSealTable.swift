internal import Base
public import Domain
public import Engine
internal import Foundation
internal import SQLite

extension MonthSeal {
    static func calendar(_ isFiscal: Bool) -> String { isFiscal ? "fiscal" : "business" }
}

extension Ledger {
    /// The seals of all closed months, in the order of closing.
    public func monthSeals() throws -> [MonthSeal] {
        var seals: [MonthSeal] = []
        var row = try TableReader<MonthSealColumn>(self, "ORDER BY run, sealed_at, period")
        while try row.step() {
            var seal = MonthSeal(
                period: row.text(.period), isFiscal: row.text(.calendar) == MonthSeal.calendar(true),
                run: RunID(row.integer(.run)), sealedAt: try row.instant(.sealedAt) ?? .absent,
                digest: row.text(.digest),
                known: try JSONDecoder().decode(
                    [String: MonthSeal.Figures].self, from: Data(row.text(.known).utf8)))
            seal.folder = try RunRecord.ownFolder(row.text(.folder))
            seal.folderDigest = row.text(.folderDigest)
            seal.language = row.text(.language)
            seals.append(seal)
        }
        return seals
    }

    /// The report of a closed month, and its text as sealed. Its exceptions are left out: the history has them.
    public func report(of seal: MonthSeal) throws -> (report: MonthReport, text: String) {
        var row = try TableReader<MonthSealColumn>(self, only: [.report], "WHERE period = ?1 AND calendar = ?2")
        row.statement.bind(1, seal.period)
        row.statement.bind(2, MonthSeal.calendar(seal.isFiscal))
        guard try row.step() else { throw LedgerError.damaged("the closed month \(seal.period) is missing") }
        let text = row.text(.report)
        return (try JSONDecoder().decode(MonthReport.self, from: Data(text.utf8)), text)
    }

    /// Closed months whose report is not the one that was sealed, one sentence each.
    public func sealProblems() throws -> [String] {
        try monthSeals().filter { try SHA256.digest(of: report(of: $0).text).hex != $0.digest }.map {
            "the closed month \($0.period) was changed after it was closed"
        }
    }

    /// Records a seal.
    /// - Parameter by: who closed the month.
    public func write(_ seal: MonthSeal, by: String, reportText: String) throws {
        var row = try TableWriter<MonthSealColumn>(self, computing: [.closedAfter: "(SELECT max(id) FROM run)"])
        row.set(.period, seal.period)
        row.set(.calendar, MonthSeal.calendar(seal.isFiscal))
        row.set(.run, seal.run)
        row.set(.sealedAt, seal.sealedAt.milliseconds)
        row.set(.byWhom, by)
        row.set(.digest, seal.digest)
        row.set(.report, reportText)
        row.set(.known, try JSONEncoder.exact.text(of: seal.known))
        row.set(.folder, seal.folder)
        row.set(.folderDigest, seal.folderDigest)
        row.set(.language, seal.language)
        try row.write()
    }

    /// The text of a month's report that its seal is the digest of. It leaves out the exceptions, which the history has,
    /// and the seal itself. The bridge to Apple's report is in it if the report was there when the month was closed.
    public static func sealedText(of report: MonthReport) throws -> String {
        var kept = report
        kept.open = []
        kept.cleared = []
        kept.closing?.seal = nil
        return try JSONEncoder.exact.text(of: kept)
    }
}

extension Ledger {
    /// The last run whose "now" was not later than `asOf`. Nil if absent.
    public func lastRun(knownAt asOf: Instant) throws -> RunRecord? {
        try run(where: "id = (SELECT max(id) FROM run WHERE as_of <= ?1)") { $0.bind(1, asOf.milliseconds) }
    }

    public func runs(through last: RunID) throws -> [RunRecord] {
        var ids: [RunID] = []
        var row = try TableReader<RunColumn>(self, only: [.id], "WHERE id <= ?1 ORDER BY id")
        row.statement.bind(1, last)
        while try row.step() { ids.append(RunID(row.integer(.id))) }
        return try ids.compactMap { id in try run(where: "id = ?1") { $0.bind(1, id) } }
    }

    public func rowsCleared(from first: RunID, through last: RunID) throws -> [ExceptionRow] {
        var rows: [ExceptionRow] = []
        var stored = try TableReader<ExceptionRowColumn>(self, only: [.row], "WHERE run BETWEEN ?1 AND ?2")
        stored.statement.bind(1, first)
        stored.statement.bind(2, last)
        while try stored.step() {
            let row = try ExceptionRow(recordText: stored.text(.row))
            if row.state == .resolved || row.state == .waived { rows.append(row) }
        }
        return rows
    }
}
