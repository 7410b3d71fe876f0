internal import Domain

/// One sum per currency, sorted by currency.
func sums(_ amounts: [Amount]) -> [Amount] {
    var sums: [String: Int64] = [:]
    for amount in amounts { sums[amount.currency, default: 0].add(amount.minor) }
    return sums.sorted { $0.key < $1.key }.map { Amount(minor: $0.value, currency: $0.key) }
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

extension Int64 {
    /// Adds and clamps to the limits of the type, because one absurd amount must not end a whole night.
    mutating func add(_ other: Int64) {
        let (sum, overflows) = addingReportingOverflow(other)
        self = overflows ? (other < 0 ? .min : .max) : sum
    }

    /// Subtracts and clamps, like `add`.
    mutating func subtract(_ other: Int64) {
        let (difference, overflows) = subtractingReportingOverflow(other)
        self = overflows ? (other < 0 ? .max : .min) : difference
    }
}
