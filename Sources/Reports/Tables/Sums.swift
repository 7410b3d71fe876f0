internal import Domain
internal import Engine

/// The night's tallies by verdict, their causes added up.
func talliesByVerdict(_ report: NightReport) -> [VerdictTally] {
    Verdict.allCases.compactMap { verdict in
        let tallies = report.verdicts.filter { $0.verdict == verdict }
        guard !tallies.isEmpty else { return nil }
        return VerdictTally(
            verdict: verdict, cause: .none, subjects: tallies.reduce(0) { $0 + $1.subjects },
            amounts: MoneySum(tallies.flatMap(\.amounts)).amounts)
    }
}
