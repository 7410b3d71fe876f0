/// How many subjects have one verdict and cause, and what they are worth.
public struct VerdictTally: Hashable, Sendable, Codable {
    public var verdict: Verdict
    public var cause: Cause
    /// How many subjects, including those without a price.
    public var subjects: Int
    /// Their worth, sorted by currency. Subjects without a price add nothing.
    public var amounts: [Money]
}

extension NightReport {
    /// The tallies by verdict, their causes added up.
    public var talliesByVerdict: [VerdictTally] {
        Verdict.allCases.compactMap { verdict in
            let tallies = verdicts.filter { $0.verdict == verdict }
            guard !tallies.isEmpty else { return nil }
            return VerdictTally(
                verdict: verdict, cause: .none, subjects: tallies.reduce(0) { $0 + $1.subjects },
                amounts: MoneySum(tallies.flatMap(\.amounts)).amounts)
        }
    }
}
