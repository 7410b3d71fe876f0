internal import Domain
internal import Engine

/// One sum per currency, sorted by currency.
func sums(_ amounts: [Money]) -> [Money] {
    MoneySum(amounts).amounts
}

/// The night's tallies by verdict, their causes added up.
func talliesByVerdict(_ report: NightReport) -> [VerdictTally] {
    Verdict.allCases.compactMap { verdict in
        let tallies = report.verdicts.filter { $0.verdict == verdict }
        guard !tallies.isEmpty else { return nil }
        return VerdictTally(
            verdict: verdict, cause: .none, subjects: tallies.reduce(0) { $0 + $1.subjects },
            amounts: sums(tallies.flatMap(\.amounts)))
    }
}
