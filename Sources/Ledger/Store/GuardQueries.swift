public import Domain
public import Engine
internal import Foundation
internal import SQLite

extension Ledger {
    public func guardFindings(of run: RunRecord) throws -> [GuardFinding] {
        guard let findings = try outline(of: run).guarded, !findings.isEmpty else { return [] }
        return try releasedGuards().contains(run.id) ? [] : findings
    }

    /// All findings that people have released, in any run so far.
    public func releasedFindings() throws -> [GuardFinding] {
        var findings: [GuardFinding] = []
        for id in try releasedGuards() {
            guard let run = try run(id: id) else { continue }
            findings += try outline(of: run).guarded ?? []
        }
        return findings
    }

    public func forEachPurchase(
        in span: Range<Instant>, _ environment: AppEnvironment, except cases: Set<CaseID>,
        _ body: (_ purchasedAt: Instant, _ isForeign: Bool) -> Void
    ) throws {
        var row = try TableReader<TransactionColumn>(
            self, only: [.id, .purchasedAt, .failure],
            """
            WHERE standing = 1 AND is_from_receipt = 0 AND environment = ?1 AND purchased_at >= ?2 AND purchased_at < ?3
            AND (proof >= ?4 OR failure = ?5)
            """)
        row.statement.bind(1, Int64(environment.rawValue))
        row.statement.bind(2, span.lowerBound.milliseconds)
        row.statement.bind(3, span.upperBound.milliseconds)
        row.statement.bind(4, Int64(Proof.vouched.rawValue))
        row.statement.bind(5, Int64(ProofFailure.wrongBundle.rawValue))
        while try row.step() {
            if cases.contains(CaseID(ofRow: row.integer(.id))) { continue }
            body(
                Instant(milliseconds: row.integer(.purchasedAt)),
                row.integer(.failure) == Int64(ProofFailure.wrongBundle.rawValue))
        }
    }

    public func rowCounts(
        of kind: FeedKind, on dates: Set<BusinessDate>
    ) throws -> [(name: String, date: BusinessDate, rows: Int)] {
        guard let first = dates.min(), let last = dates.max() else { return [] }
        var counts: [(String, BusinessDate, Int)] = []
        var row = try TableReader<DeliveryColumn>(
            self, only: [.name, .fileDate, .rows, .rejected], "WHERE kind = ?1 AND file_date BETWEEN ?2 AND ?3")
        row.statement.bind(1, kind.rawValue)
        row.statement.bind(2, Int64(first.day))
        row.statement.bind(3, Int64(last.day))
        while try row.step() {
            let date = try row.requiredDate(.fileDate)
            guard dates.contains(date) else { continue }
            counts.append((row.text(.name), date, Int(row.integer(.rows) &- row.integer(.rejected))))
        }
        return counts
    }

    /// The runs whose findings were released.
    private func releasedGuards() throws -> [RunID] {
        var runs: [RunID] = []
        var row = try TableReader<UpkeepColumn>(self, only: [.run], "WHERE kind = ?1 GROUP BY run ORDER BY run")
        row.statement.bind(1, MaintenanceKind.guardReleased.rawValue)
        while try row.step() { runs.append(RunID(row.integer(.run))) }
        return runs
    }
}
