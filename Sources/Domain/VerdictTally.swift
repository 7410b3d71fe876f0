/// How many subjects got one verdict and cause, and what they are worth, per currency. Unpriced subjects count without a value.
public struct VerdictTally: Hashable, Sendable, Codable {
    public var verdict: Verdict
    public var cause: Cause
    public var subjects: Int
    /// Sorted by currency.
    public var amounts: [Amount]

    public init(verdict: Verdict, cause: Cause, subjects: Int, amounts: [Amount]) {
        self.verdict = verdict
        self.cause = cause
        self.subjects = subjects
        self.amounts = amounts
    }
}
