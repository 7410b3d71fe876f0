public import Domain

/// How many subjects have one verdict and cause, and what they are worth.
public struct VerdictTally: Hashable, Sendable, Codable {
    public var verdict: Verdict
    public var cause: Cause
    /// How many subjects, including those without a price.
    public var subjects: Int
    /// Their worth, sorted by currency. Subjects without a price add nothing.
    public var amounts: [Money]

    public init(verdict: Verdict, cause: Cause, subjects: Int, amounts: [Money]) {
        self.verdict = verdict
        self.cause = cause
        self.subjects = subjects
        self.amounts = amounts
    }
}
