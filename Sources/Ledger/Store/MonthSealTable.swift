internal import Foundation

extension MonthSeal {
    fileprivate var calendar: String { isFiscal ? "fiscal" : "business" }
}

extension Ledger {
    /// The seals of all closed months, in the order of closing: each knows one month more than the one before.
    public func monthSeals() throws -> [MonthSeal] {
        try all(
            """
            SELECT period, calendar, run, sealed_at, digest, known, folder, folder_digest, language
            FROM month_seal
            """
        ) { row in
            var seal = MonthSeal(
                period: row.text(0), isFiscal: row.text(1) == "fiscal", run: RunID(row.integer(2)),
                sealedAt: try row.whole(Instant(recorded: row.integer(3))), digest: row.text(4),
                known: try JSONDecoder().value(of: row.text(5)))
            seal.folder = try RunRecord.ownFolder(row.text(6))
            (seal.folderDigest, seal.language) = (row.text(7), row.text(8))
            return seal
        }.sorted { ($0.known.count, $0.period) < ($1.known.count, $1.period) }
    }

    /// The approvals of closed months, in the order in which they were given.
    public func monthApprovals() throws -> [MonthApproval] {
        let kind = MaintenanceKind.monthApproved.rawValue
        return try all("SELECT by_whom, at, note FROM upkeep WHERE kind = ?1 ORDER BY rowid", kind) { row in
            let parts = row.text(2).split(separator: " ", maxSplits: 3).map(String.init)
            guard parts.count >= 3 else { throw LedgerError.damaged("the approval of a month cannot be read") }
            return MonthApproval(
                period: parts[0], digest: parts[1], user: parts[2], by: row.text(0),
                at: Instant(milliseconds: row.integer(1)))
        }
    }

    public func write(_ approval: MonthApproval, note: String, run: RunID) throws {
        try writeMaintenance(
            .monthApproved, run: run, by: approval.by, at: approval.at,
            note: [approval.period, approval.digest, approval.user, note].joined(separator: " "))
    }

    /// The report of a closed month, and its text as sealed. Its exceptions are left out: the history has them.
    public func report(of seal: MonthSeal) throws -> (report: MonthReport, text: String) {
        var row = try connection.prepare(
            "SELECT report FROM month_seal WHERE period = ?1 AND calendar = ?2", seal.period,
            seal.calendar)
        guard try row.step() else { throw LedgerError.damaged("the closed month \(seal.period) is missing") }
        return (try JSONDecoder().value(of: row.text(0)), row.text(0))
    }

    /// Closed months whose report is not the one that was sealed, one sentence each.
    public func sealProblems() throws -> [String] {
        try monthSeals().filter { try SHA256.digest(of: report(of: $0).text).hex != $0.digest }.map {
            "the closed month \($0.period) was changed after it was closed"
        }
    }

    /// - Parameter by: who closed the month.
    public func write(_ seal: MonthSeal, by: String, reportText: String) throws {
        var row = try TableWriter(self, .seals)
        try row.write(
            seal.period, seal.calendar, seal.run, try connection.integer("SELECT max(id) FROM run"),
            seal.sealedAt.milliseconds, by, seal.digest, reportText, try JSONEncoder.exact.text(of: seal.known),
            seal.folder, seal.folderDigest, seal.language)
    }

    /// The text of a month's report, whose digest is its seal. It leaves out the exceptions, which the history has,
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
        try run(where: "id = (SELECT max(id) FROM run WHERE as_of <= ?1)", asOf.milliseconds)
    }

    public func runs(through last: RunID) throws -> [RunRecord] { try runs("WHERE id <= ?1 ORDER BY id", last) }

    public func rowsCleared(from first: RunID, through last: RunID) throws -> [ExceptionRow] {
        try all("SELECT row FROM exception_row WHERE run BETWEEN ?1 AND ?2", first, last) {
            try ExceptionRow(recordText: $0.text(0))
        }.filter { !$0.state.isOpen }
    }
}
