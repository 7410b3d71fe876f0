public import Domain
internal import Foundation
internal import SQLite

extension Ledger {
    /// Why a person must look before anything is given, as of `run`; empty where nothing guards it, or somebody released it.
    public func guardFindings(of run: RunRecord) throws -> [GuardFinding] {
        guard let findings = try outline(of: run).guarded, !findings.isEmpty else { return [] }
        return try releasedGuards().contains(run.id) ? [] : findings
    }

    /// What persons have looked at and let pass, in all runs up to now.
    public func releasedFindings() throws -> [GuardFinding] {
        var findings: [GuardFinding] = []
        for id in try releasedGuards() {
            guard let run = try run(id: id) else { continue }
            findings += try outline(of: run).guarded ?? []
        }
        return findings
    }

    private func releasedGuards() throws -> [Int64] {
        var runs: [Int64] = []
        var statement = try connection.prepare("SELECT DISTINCT run FROM upkeep WHERE kind = ?1 ORDER BY run")
        statement.bind(1, UpkeepKind.guardReleased.rawValue)
        while try statement.step() { runs.append(statement.integer(0)) }
        return runs
    }
}
