/// An open exception as far as lists of many sort and filter it. What else it says is read for those that are shown.
public struct OpenException: Sendable {
    public var id: ExceptionID
    public var verdict: Verdict
    public var cause: Cause
    public var amount: Money?
    public var action: Action
    public var eventAt: Instant
    public var product: Identifier?
    /// The first of its accounts.
    public var account: Identifier?
    public var retryKey: Identifier?
    /// The ids of `transactions`, one a line: of many exceptions, nobody asks for them.
    public var transactionLines: String
    public var labels: LabelSet?

    public init(_ id: ExceptionID, _ facts: ExceptionFacts) {
        self.id = id
        (verdict, cause, amount, action) = (facts.verdict, facts.cause, facts.amount, facts.action)
        eventAt = facts.eventAt
        product = facts.product.map { Identifier($0) }
        account = facts.accounts.first.map { Identifier($0) }
        retryKey = facts.retryKey.map { Identifier($0) }
        transactionLines = facts.transactions.joined(separator: "\n")
        labels = facts.labels
    }

    public var transactions: [Substring] { transactionLines.split(separator: "\n") }
}
