internal import Digest
internal import Domain
internal import Foundation
internal import Ledger

/// The ledger against itself, against the rules, and against what was published from it.
extension Check {
    private static let repair = "Restore a backup, or rebuild it from the archived feeds."

    mutating func checkLedger(_ ledger: Ledger) throws {
        let file = try ledger.fileProblems()
        findings.note("ledger's file", all: file, remedy: Self.repair)
        // Of a damaged file the rest would be about the damage.
        guard file.isEmpty else { return }
        let schema = try ledger.schemaProblems()
        if let problem = schema.first(where: { !$0.hasSuffix(Ledger.foreignObject) }) {
            throw LedgerError.damaged(problem)
        }
        findings.note("ledger's tables", all: schema, remedy: "Nothing uses it; the ledger is best left alone.")
        guard try !ledger.isEmpty, let last = try ledger.lastRun() else { return }
        let parts: [(String, [String])] = [
            ("references", try ledger.referenceProblems()), ("conservation", try ledger.conservationProblems()),
            ("chain of \(last.id) runs", try ledger.chainProblems()),
            ("rows as written", try ledger.checksumProblems()),
            ("files and control totals", try ledger.controlTotalProblems()),
            ("retry entries", try ledger.retryProblems()), ("closed months", try ledger.sealProblems()),
        ]
        for (what, problems) in parts { findings.note(what, all: problems, remedy: Self.repair) }
        try checkVerdicts(ledger, last)
        try checkReports(ledger.runs())
    }

    /// Judges everything again with the last night's horizon, and compares.
    private mutating func checkVerdicts(_ ledger: Ledger, _ last: RunRecord) throws {
        let products = try ledger.products()
        guard configuration.policyText + policyText(of: products) == last.policy else {
            return findings.note("verdicts: not compared, the policy has changed since the last night")
        }
        let check = try VerdictCheck(
            ledger, configuration, products: products, run: last, threads: surroundings.threads)
        findings.note(
            "verdicts of \(check.subjects) subjects",
            all: check.wrongSubjects.map { "\($0) is not what the evidence says" }, remedy: Self.repair)
        findings.note("what nights go by", all: check.wrongGuides, remedy: Self.repair)
    }
}
