public import Domain
public import Matching

/// Evidence of earlier nights, with the case of each version.
///
/// Each array holds one element for each version, in the order of the same kind in `evidence`.
public struct StoredEvidence: Sendable {
    /// All versions.
    public var evidence = Evidence()
    /// The case number of each order.
    public var orderCases: [CaseID] = []
    /// Whether each order was the current version when it was stored.
    public var orderWasCurrent: [Bool] = []
    /// The case number of each credit.
    public var creditCases: [CaseID] = []
    /// The case number of each transaction.
    public var transactionCases: [CaseID] = []
    /// Whether each transaction was the current version when it was stored. That may change with the configured
    /// environment.
    public var transactionWasCurrent: [Bool] = []
    /// The case number of each receipt.
    public var receiptCases: [CaseID] = []

    public init() {}

    /// Appends evidence of other cases.
    public mutating func append(_ other: StoredEvidence) {
        evidence.append(other.evidence)
        orderCases += other.orderCases
        orderWasCurrent += other.orderWasCurrent
        creditCases += other.creditCases
        transactionCases += other.transactionCases
        transactionWasCurrent += other.transactionWasCurrent
        receiptCases += other.receiptCases
    }

    /// Whether it contains no evidence at all.
    public var isEmpty: Bool {
        orderCases.isEmpty && creditCases.isEmpty && transactionCases.isEmpty && receiptCases.isEmpty
    }

    /// The case of each version, as matching wants it.
    public var cases: StoredCases {
        StoredCases(orders: orderCases, credits: creditCases, transactions: transactionCases, receipts: receiptCases)
    }
}
