/// An open exception as far as lists of many sort and filter it. What else it says is read for those that are shown.
public struct OpenException: Sendable {
    public var id: ExceptionID
    public var verdict: Verdict
    public var cause: Cause
    public var amount: Money?
    public var action: Action
    public var eventAt: Instant
    public var product: Identifier?
    /// The first of its accounts. A text, as is the key: each occurs once or a few times, so an identifier costs more.
    public var account: String?
    public var retryKey: String?
    /// The ids of `transactions`, one a line: of many exceptions, nobody asks for them.
    public var transactionLines: String
    public var labels: LabelSet?

    public init(_ id: ExceptionID, _ facts: ExceptionFacts) {
        self.id = id
        (verdict, cause, amount, action) = (facts.verdict, facts.cause, facts.amount, facts.action)
        eventAt = facts.eventAt
        product = facts.product.map { Identifier($0) }
        (account, retryKey) = (facts.accounts.first, facts.retryKey)
        transactionLines = facts.transactions.joined(separator: "\n")
        labels = facts.labels
    }

    public var transactions: [Substring] { transactionLines.split(separator: "\n") }
}
